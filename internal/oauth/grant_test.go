package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"kontor.dev/kontor/internal/model"
)

// pemKey makes a private key on the curve P-256.
func pemKey(t *testing.T) (string, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), key
}

// machine makes the authorization server answer a grant by check alone.
func (r *rig) machine(check func(req *http.Request, form url.Values) string) {
	r.issuer.set(func() {
		r.issuer.rotates = false
		r.issuer.alter = func(m map[string]any) { // no person signs in here
			for _, name := range []string{"authorization_endpoint", "registration_endpoint", "code_challenge_methods_supported"} {
				m[name] = nil
			}
		}
		r.issuer.tokenHook = func(w http.ResponseWriter, req *http.Request) bool {
			if problem := check(req, req.PostForm); problem != "" {
				oauthError(w, 400, problem, "because "+req.PostForm.Get("assertion"))
			} else {
				r.issuer.give(w, &grantState{scope: req.PostForm.Get("scope")})
			}
			return true
		}
	})
}

func credentials(o *model.OAuth) {
	o.Grant, o.ClientID, o.ClientSecret.Text = model.GrantClientCredentials, "machine", canary+"-machine"
}

func TestClientCredentialsByHeaderAndByForm(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"", model.ClientAuthBasic, model.ClientAuthPost} {
		r := newRig(t)
		r.server.set(func() { r.server.challenge += `, scope="mcp:basic"` })
		r.machine(func(req *http.Request, form url.Values) string {
			id, secret, ok := req.BasicAuth()
			if method == model.ClientAuthPost {
				id, secret, ok = form.Get("client_id"), form.Get("client_secret"), true
			} else if form.Has("client_secret") {
				return "invalid_request"
			}
			if !ok || id != "machine" || secret != canary+"-machine" || form.Get("grant_type") != "client_credentials" ||
				form.Get("resource") != r.server.url() || form.Get("scope") != "mcp:basic" {
				return "invalid_client"
			}
			return ""
		})
		server := r.docs(credentials, func(o *model.OAuth) { o.TokenEndpointAuthMethod = method })
		c := r.client(server)
		r.together(c, 5, 200)
		if n := r.issuer.count("client_credentials"); n != 1 {
			t.Errorf("%d grants for 5 requests", n)
		}
		if auth := r.wantState(model.AuthSignedIn, ""); !auth.Renewable {
			t.Errorf("Status = %+v", auth)
		}
		// Its end, a refusal and a restart.
		r.forwards(2 * time.Hour)
		r.wantCall(c, "/mcp", 200)
		r.issuer.expire()
		r.wantCall(c, "/mcp", 200)
		r.s = r.service()
		r.forwards(2 * time.Hour)
		r.wantCall(r.client(server), "/mcp", 200)
		if n := r.issuer.count("client_credentials"); n != 3 {
			t.Errorf("%d grants, want 3: the last token is still good", n)
		}
	}
}

func TestAPrivateKeySignsWhoAsks(t *testing.T) {
	t.Parallel()
	text, key := pemKey(t)
	jwk, err := json.Marshal(jose.JSONWebKey{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range []string{text, string(jwk)} {
		r := newRig(t)
		seen := map[string]bool{}
		r.machine(func(_ *http.Request, form url.Values) string {
			signed, err := jwt.ParseSigned(form.Get("client_assertion"), []jose.SignatureAlgorithm{jose.ES256})
			if err != nil {
				return "invalid_client"
			}
			var claims jwt.Claims
			if err := signed.Claims(key.Public(), &claims); err != nil || form.Get("client_assertion_type") != assertionType ||
				signed.Headers[0].KeyID != "k1" || seen[claims.ID] || form.Has("client_secret") {
				return "invalid_client"
			}
			seen[claims.ID] = true
			if claims.ValidateWithLeeway(jwt.Expected{Issuer: "machine", Subject: "machine", AnyAudience: jwt.Audience{r.issuer.url()}, Time: time.Now()}, 0) != nil {
				return "invalid_client"
			}
			return ""
		})
		r.issuer.set(func() {
			inner := r.issuer.alter
			r.issuer.alter = func(m map[string]any) {
				inner(m)
				m["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt"}
			}
		})
		c := r.client(r.docs(func(o *model.OAuth) {
			o.Grant, o.ClientID, o.PrivateKey.Text, o.KeyID = model.GrantClientCredentials, "machine", private, "k1"
		}))
		r.wantCall(c, "/mcp", 200)
		r.issuer.expire()
		r.wantCall(c, "/mcp", 200)
	}
}

func TestTheEnterpriseGrantGoesByTheCompanysIdentityProvider(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refuse := ""
	idp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_ = req.ParseForm()
		f := req.PostForm
		switch {
		case f.Get("grant_type") != grantTokenExchange, f.Get("requested_token_type") != typeIDJAG, f.Get("subject_token_type") != typeIDToken,
			f.Get("subject_token") != canary+"-id-token", f.Get("audience") != r.issuer.url(), f.Get("resource") != r.server.url(), f.Get("client_id") != "idp-client":
			oauthError(w, 400, "invalid_request", f.Encode())
		case refuse != "":
			writeJSON(w, 200, map[string]any{"access_token": canary + "-x", "issued_token_type": refuse, "token_type": "Bearer"})
		default:
			writeJSON(w, 200, map[string]any{"access_token": canary + "-jag", "issued_token_type": typeIDJAG, "token_type": "N_A"})
		}
	}))
	t.Cleanup(idp.Close)
	r.machine(func(req *http.Request, form url.Values) string {
		if id, secret, ok := req.BasicAuth(); !ok || id != "machine" || secret != canary+"-machine" {
			return "invalid_client"
		}
		if form.Get("grant_type") != grantJWTBearer || form.Get("assertion") != canary+"-jag" {
			return "invalid_grant"
		}
		return ""
	})
	server := r.docs(func(o *model.OAuth) {
		o.Grant, o.ClientID, o.ClientSecret.Text = model.GrantEnterprise, "machine", canary+"-machine"
		o.IDPTokenEndpoint, o.IDPClientID, o.IDPIDToken.Text = idp.URL, "idp-client", canary+"-id-token"
	})
	r.wantCall(r.client(server), "/mcp", 200)
	r.issuer.expire()
	refuse = "urn:ietf:params:oauth:token-type:access_token"
	r.wantCall(r.client(server), "/mcp", 401)
	if auth := r.wantState(model.AuthNeedsSignIn, model.ReasonExpired); !strings.Contains(auth.Message, "ID-JAG") {
		t.Errorf("Message = %q", auth.Message)
	}
}

func TestAWorkloadsRefusalIsNeitherRepeatedNorCircumvented(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	answer := "invalid_grant"
	r.machine(func(_ *http.Request, form url.Values) string {
		if form.Get("grant_type") != grantJWTBearer || form.Get("assertion") == "" || form.Get("client_id") != "workload" {
			return "invalid_request"
		}
		return answer
	})
	set := func(o *model.OAuth) {
		o.Grant, o.ClientID, o.Assertion.Text = model.GrantWorkloadIdentity, "workload", canary+"-jwt"
	}
	c := r.client(r.docs(set))
	r.together(c, 5, 401)
	r.client(r.docs(set)) // a new connection with the same settings
	r.wantCall(c, "/mcp", 401)
	auth := r.wantState(model.AuthNeedsSignIn, model.ReasonFirstTime)
	if n := len(r.issuer.forms); n != 1 || !strings.Contains(auth.Message, "invalid_grant") {
		t.Errorf("%d token requests, Message = %q", n, auth.Message)
	}
	// Other settings are another chance, and so is a person's word.
	r.wantCall(r.client(r.docs(set, func(o *model.OAuth) { o.Scopes = []string{"a"} })), "/mcp", 401)
	if n := len(r.issuer.forms); n != 2 {
		t.Errorf("%d token requests after a change", n)
	}
	if _, err := r.s.Start(t.Context(), Start{Server: r.docs(set)}); err == nil || !strings.Contains(err.Error(), "invalid_grant") {
		t.Errorf("Start = %v", err)
	}
	answer = ""
	p, err := r.s.Start(t.Context(), Start{Server: r.docs(set)})
	if err != nil || p.URL != "" {
		t.Errorf("Start = %+v, %v", p, err)
	}
	r.wantCall(r.client(r.docs(set)), "/mcp", 200)
}

func TestAGrantThatCantBeAskedForJustNowIsTriedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	down := true
	r.machine(func(*http.Request, url.Values) string {
		if down {
			return "temporarily_unavailable"
		}
		return ""
	})
	c := r.client(r.docs(credentials))
	r.wantCall(c, "/mcp", 401)
	if auth := r.status(); auth.State != model.AuthNone || auth.Message == "" {
		t.Errorf("Status = %+v", auth)
	}
	down = false
	r.wantCall(c, "/mcp", 200)
}

func TestWhatAGrantLacksIsSaid(t *testing.T) {
	t.Parallel()
	for grant, want := range map[model.OAuthGrant]string{
		model.GrantClientCredentials: "client_id", model.GrantEnterprise: "client_id", model.GrantWorkloadIdentity: "assertion",
	} {
		r := newRig(t)
		r.machine(func(*http.Request, url.Values) string { return "" })
		r.wantCall(r.client(r.docs(func(o *model.OAuth) { o.Grant = grant })), "/mcp", 401)
		if auth := r.wantState(model.AuthNeedsSignIn, model.ReasonFirstTime); !strings.Contains(auth.Message, want) {
			t.Errorf("%s: Message = %q", grant, auth.Message)
		}
	}
}
