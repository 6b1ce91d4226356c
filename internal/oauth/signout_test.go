package oauth

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestASignOutRevokesAndDeletes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.start(r.docs()) // is given up
	if err := r.s.SignOut(t.Context(), r.docs()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.issuer.revoked, []string{canary + "-refresh-4", canary + "-access-3"}) {
		t.Errorf("revoked %q", r.issuer.revoked)
	}
	if r.store.keeps(canary) {
		t.Error("the tokens are still there")
	}
	r.wantState(model.AuthSignedOut, model.ReasonSignedOut)
	if auth := r.status(); !auth.Pending.IsZero() {
		t.Errorf("Status = %+v", auth)
	}
	r.wantCall(c, "/mcp", 401)
	if got := r.server.seen[len(r.server.seen)-1].Header.Get("Authorization"); got != "" {
		t.Errorf("after the sign-out the server got %q", got)
	}
	r.wantState(model.AuthSignedOut, model.ReasonSignedOut)
	r.signIn(r.docs())
	r.wantState(model.AuthSignedIn, "")
}

func TestASignInAfterASignOutAsksAsWhom(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	server := r.docs(func(o *model.OAuth) { o.Scopes = []string{"offline_access"} })
	for _, want := range []string{"consent", "consent"} { // the first time, and again
		r.signIn(server)
		if got := r.asked().Get("prompt"); got != want {
			t.Errorf("prompt = %q, want %q", got, want)
		}
	}
	if err := r.s.SignOut(t.Context(), server); err != nil {
		t.Fatal(err)
	}
	r.signIn(server)
	if got := r.asked().Get("prompt"); got != "login consent" {
		t.Errorf("after a sign-out prompt = %q", got)
	}
	r.signIn(server)
	if got := r.asked().Get("prompt"); got != "consent" {
		t.Errorf("signed in again, prompt = %q", got)
	}
}

func TestASignOutOutlastsARestart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	if err := r.s.SignOut(t.Context(), r.docs()); err != nil {
		t.Fatal(err)
	}
	r.s = r.service()
	if err := r.s.Load(t.Context(), []Server{r.docs()}); err != nil {
		t.Fatal(err)
	}
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.wantState(model.AuthSignedOut, model.ReasonSignedOut)
	if p := r.start(r.docs()); p.Reason != model.ReasonSignedOut || mustQuery(t, p.URL).Get("prompt") != "login" {
		t.Errorf("Start = %+v", p)
	}
	r.signIn(r.docs())
	if p := r.start(r.docs()); mustQuery(t, p.URL).Has("prompt") {
		t.Errorf("signed in again, the address is %s", p.URL)
	}
}

func TestAMachineThatIsSignedOutGetsNoTokenUntilAPersonSaysSo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.machine(func(*http.Request, url.Values) string { return "" })
	server := r.docs(credentials)
	r.wantCall(r.client(server), "/mcp", 200)
	if err := r.s.SignOut(t.Context(), server); err != nil {
		t.Fatal(err)
	}
	r.s = r.service()
	r.wantCall(r.client(server), "/mcp", 401)
	r.wantState(model.AuthSignedOut, model.ReasonSignedOut)
	if n := r.issuer.count("client_credentials"); n != 1 {
		t.Errorf("%d grants", n)
	}
	r.start(server)
	r.wantCall(r.client(server), "/mcp", 200)
	r.wantState(model.AuthSignedIn, "")
}

func TestASignOutThatTheIssuerDoesntHearIsSaid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	r.issuer.srv.Close()
	if err := r.s.SignOut(t.Context(), r.docs()); err != nil {
		t.Fatal(err)
	}
	auth := r.wantState(model.AuthSignedOut, model.ReasonSignedOut)
	if !strings.Contains(auth.Message, hostOf(r.issuer.url())) || r.store.keeps(canary) {
		t.Errorf("Message = %q, %q is kept", auth.Message, r.store.records["docs"].data)
	}
}

func TestAForgottenServerLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	r.start(r.docs())
	if len(r.hidden["oauth/docs"]) == 0 {
		t.Error("nothing was hidden")
	}
	if err := r.s.Forget(t.Context(), "docs"); err != nil {
		t.Fatal(err)
	}
	if len(r.issuer.revoked) != 2 || len(r.store.records) != 0 || len(r.hidden["oauth/docs"]) != 0 {
		t.Errorf("revoked %d, %d records, hidden %q", len(r.issuer.revoked), len(r.store.records), r.hidden)
	}
	r.wantState(model.AuthNone, "")
	if err := r.s.Forget(t.Context(), "docs"); err != nil {
		t.Errorf("again: %v", err)
	}
}

func TestARecordThatCantBeOpenedCanBeSignedOutOf(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.store.records["docs"] = stored{[]byte("{"), 3}
	if err := r.s.Load(t.Context(), []Server{r.docs()}); err == nil {
		t.Error("Load says nothing")
	}
	if err := r.s.SignOut(t.Context(), r.docs()); err != nil {
		t.Fatal(err)
	}
	r.signIn(r.docs())
}

func TestEveryClientProvesItselfWhenItRevokes(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]func(req *http.Request) bool{
		model.ClientAuthNone: func(req *http.Request) bool { return req.PostForm.Get("client_id") == "me" },
		model.ClientAuthPost: func(req *http.Request) bool { return req.PostForm.Get("client_secret") == canary+"-s" },
		model.ClientAuthBasic: func(req *http.Request) bool {
			id, secret, ok := req.BasicAuth()
			return ok && id == "me" && secret == canary+"-s"
		},
		model.ClientAuthPrivateKeyJWT: func(req *http.Request) bool { return req.PostForm.Get("client_assertion_type") == assertionType },
	} {
		r, ok := newRig(t), false
		as := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			_ = req.ParseForm()
			ok = want(req) && req.PostForm.Get("token") == canary+"-a"
		}))
		t.Cleanup(as.Close)
		key, _ := pemKey(t)
		rec := &record{Server: r.server.url(), RevocationEndpoint: as.URL, Access: canary + "-a",
			Client: client{From: configured, ID: "me", Secret: canary + "-s", Method: method, key: key}}
		if err := r.s.revoke(t.Context(), Server{}, rec); err != nil || !ok {
			t.Errorf("%s: %v, %v", method, err, ok)
		}
	}
}

// All that is secret has to be masked before it can be shown anywhere.
func TestEverySecretIsHidden(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"} }
	})
	hidden := func(secret string) {
		t.Helper()
		r.mu.Lock()
		defer r.mu.Unlock()
		if secret == "" || !slices.Contains(r.hidden["oauth/docs"], secret) {
			t.Errorf("%q isn't hidden", secret)
		}
	}
	answer := r.browse(r.start(r.docs(func(o *model.OAuth) { o.PrivateKey.Text = canary + "-key" })).URL)
	hidden(canary + "-key")
	hidden(r.s.flowOf("docs").verifier)
	r.issuer.set(func() {
		r.issuer.tokenHook = func(http.ResponseWriter, *http.Request) bool {
			for _, name := range []string{"code", "code_verifier", "client_secret"} {
				hidden(r.issuer.forms[len(r.issuer.forms)-1].Get(name))
			}
			return false
		}
	})
	if _, err := r.s.Finish(t.Context(), answer, "mine"); err != nil {
		t.Fatal(err)
	}
	for access := range r.issuer.tokens {
		hidden(access)
	}
	for refresh := range r.issuer.refresh {
		hidden(refresh)
	}
}
