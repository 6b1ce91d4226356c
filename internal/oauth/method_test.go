package oauth

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func TestMethodFor(t *testing.T) {
	t.Parallel()
	list := func(s ...string) []string { return s }
	for _, c := range []struct {
		secret, key bool
		listed      []string
		want        string
	}{
		{false, false, nil, model.ClientAuthNone},
		{false, false, list("client_secret_basic"), model.ClientAuthNone},
		{true, false, nil, model.ClientAuthBasic},
		{true, false, list("client_secret_post", "client_secret_basic"), model.ClientAuthBasic},
		{true, false, list("client_secret_post"), model.ClientAuthPost},
		{true, false, list("tls_client_auth"), model.ClientAuthBasic},
		{false, true, list("client_secret_basic"), model.ClientAuthPrivateKeyJWT},
		{true, true, list("private_key_jwt"), model.ClientAuthPrivateKeyJWT},
		{true, true, list("client_secret_basic", "private_key_jwt"), model.ClientAuthBasic},
	} {
		if got := methodFor(c.secret, c.key, c.listed); got != c.want {
			t.Errorf("methodFor(%v, %v, %q) = %s, want %s", c.secret, c.key, c.listed, got, c.want)
		}
	}
	if got := registrationMethod(list("private_key_jwt")); got != model.ClientAuthNone {
		t.Errorf("registrationMethod = %s", got)
	}
}

func TestARegistrationThatCantBeUsedIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []client{{ID: "x", Method: model.ClientAuthBasic}, {ID: "x", Method: "tls_client_auth", Secret: "s"}} {
		if _, err := checkRegistered(c, "as"); err == nil || !strings.Contains(err.Error(), c.Method) {
			t.Errorf("checkRegistered(%+v) = %v", c, err)
		}
	}
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.registerHook = func(w http.ResponseWriter, _ map[string]any) bool { writeJSON(w, 201, map[string]any{}); return true }
	})
	r.wantNoStart(r.docs(), "without a client id")
}

func TestANewSecretInTheSettingsIsUsedForTheNextRenewal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	typed := func(secret string) func(*model.OAuth) {
		r.issuer.set(func() {
			r.issuer.clients["typed"] = map[string]any{"token_endpoint_auth_method": "client_secret_basic", "client_secret": secret}
		})
		return func(o *model.OAuth) { o.ClientID, o.ClientSecret.Text = "typed", secret }
	}
	r.signIn(r.docs(typed(canary + "-one")))
	r.issuer.expire()
	r.wantCall(r.client(r.docs(typed(canary+"-two"))), "/mcp", 200)
}

func TestARefusalThatAnotherProcessOvertookIsNoEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	r.issuer.set(func() {
		r.issuer.tokens[canary+"-theirs"] = &grantState{}
		r.issuer.tokenHook = func(w http.ResponseWriter, _ *http.Request) bool {
			err := r.s.change(t.Context(), newAccount("docs"), func(rec *record) *record {
				next := *rec
				next.Access, next.Renewing = canary+"-theirs", time.Time{}
				return &next
			})
			if err != nil {
				t.Error(err)
			}
			oauthError(w, 400, "invalid_grant", "")
			return true
		}
	})
	r.wantCall(c, "/mcp", 200)
	r.wantState(model.AuthSignedIn, "")
}

func TestAClientThatIsNotKnownAtARenewalIsRegisteredAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	r.issuer.expire()
	r.issuer.set(func() { clear(r.issuer.clients) })
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	if auth := r.wantState(model.AuthNeedsSignIn, model.ReasonExpired); !strings.Contains(auth.Message, "invalid_client") {
		t.Errorf("Message = %q", auth.Message)
	}
	r.signIn(r.docs())
	if n := len(r.issuer.bodies); n != 2 {
		t.Errorf("%d registrations", n)
	}
}

func TestARedirectToAnotherPortOfThisMachineIsListenedTo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.base = "https://kontor.example"
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	here := "http://" + free.Addr().String()
	_ = free.Close()
	p := r.start(r.docs(func(o *model.OAuth) { o.RedirectURI = here + "/back" }))
	if p.RedirectURI != here+"/back" {
		t.Fatalf("redirect %s", p.RedirectURI)
	}
	for path, want := range map[string]int{"/back?a=b": 302, "/other": 404} {
		resp, err := r.plain.Get(here + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
	r.s.Cancel("docs")
}

func TestARefusalForRightsThatNobodyCanGrantIsSaid(t *testing.T) {
	t.Parallel()
	refuse := func(header string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, req *http.Request) bool {
			if req.Header.Get("Authorization") == "" {
				return false
			}
			w.Header().Set("WWW-Authenticate", header)
			w.WriteHeader(403)
			return true
		}
	}
	r := newRig(t)
	r.signIn(r.docs())
	r.server.set(func() { r.server.check = refuse(`Bearer error="insufficient_scope", error_description="ask Ada"`) })
	r.wantCall(r.client(r.docs()), "/mcp", 403)
	if auth := r.wantState(model.AuthSignedIn, ""); !strings.Contains(auth.Message, "ask Ada") || auth.StepUp != nil {
		t.Errorf("without scopes: %+v", auth)
	}
	r = newRig(t)
	r.machine(func(*http.Request, url.Values) string { return "" })
	r.server.set(func() { r.server.check = refuse(`Bearer error="insufficient_scope", scope="admin"`) })
	r.wantCall(r.client(r.docs(credentials)), "/mcp", 403)
	if auth := r.wantState(model.AuthSignedIn, ""); !strings.Contains(auth.Message, "too few rights") || auth.StepUp != nil {
		t.Errorf("for a machine: %+v", auth)
	}
}
