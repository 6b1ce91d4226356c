package oauth

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

// O-70
func TestWithoutRegistrationTheClientIDIsAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, arrange := range map[string]func(){
		"no endpoint": func() { r.issuer.alter = func(m map[string]any) { m["registration_endpoint"] = nil } },
		"403": func() {
			r.issuer.alter = nil
			r.issuer.registerHook = func(w http.ResponseWriter, _ map[string]any) bool {
				oauthError(w, 403, "access_denied", "not here")
				return true
			}
		},
	} {
		r.issuer.set(arrange)
		err := r.wantNoStart(r.docs(), hostOf(r.issuer.url()))
		needs := (*NeedsClientError)(nil)
		if !errors.As(err, &needs) || needs.Issuer != r.issuer.url() || needs.RedirectURI != r.base+"/oauth/callback" {
			t.Errorf("%s: %#v", name, err)
		}
		wantCode(t, err, model.CodeInvalid)
	}
	r.issuer.set(func() {
		r.issuer.clients["typed"] = map[string]any{"token_endpoint_auth_method": "client_secret_basic", "client_secret": canary + "-typed"}
	})
	done := r.signIn(r.docs(func(o *model.OAuth) { o.ClientID, o.ClientSecret.Text = "typed", canary+"-typed" }))
	if !strings.Contains(done.Auth.Client, "typed") {
		t.Errorf("Client = %q", done.Auth.Client)
	}
}

func TestARegistrationThatFailsForNowIsNoMissingClient(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.registerHook = func(w http.ResponseWriter, _ map[string]any) bool { w.WriteHeader(503); return true }
	})
	wantCode(t, r.wantNoStart(r.docs()), model.CodeServerUnavailable)
}

// O-71
func TestARegistrationNamesItsMethodAndTheAnswerCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		listed           []string
		asked            string
		answered, secret string
		sent             string // how the token request proves who asks
	}{
		"public":          {[]string{"none", "client_secret_basic"}, "none", "none", "", "none"},
		"not listed":      {nil, "none", "none", "", "none"},
		"basic only":      {[]string{"client_secret_basic"}, "client_secret_basic", "client_secret_basic", canary + "-s", "basic"},
		"post only":       {[]string{"client_secret_post"}, "client_secret_post", "client_secret_post", canary + "-s", "post"},
		"answered other":  {[]string{"none", "client_secret_post"}, "none", "client_secret_post", canary + "-s", "post"},
		"nothing is said": {[]string{"none"}, "none", "", canary + "-unused", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.issuer.set(func() {
				r.issuer.alter = func(m map[string]any) {
					if m["token_endpoint_auth_methods_supported"] = c.listed; c.listed == nil {
						m["token_endpoint_auth_methods_supported"] = nil
					}
				}
				r.issuer.registerHook = func(w http.ResponseWriter, body map[string]any) bool {
					method := c.answered
					if method == "" {
						method = "none"
					}
					r.issuer.clients["it"] = map[string]any{"token_endpoint_auth_method": method, "client_secret": c.secret}
					if method == "none" {
						r.issuer.clients["it"]["client_secret"] = ""
					}
					answer := map[string]any{"client_id": "it", "client_id_issued_at": "soon", "client_secret_expires_at": 0}
					if c.secret != "" {
						answer["client_secret"] = c.secret
					}
					if c.answered != "" {
						answer["token_endpoint_auth_method"] = c.answered
					}
					writeJSON(w, 200, answer)
					return true
				}
			})
			r.signIn(r.docs())
			body := r.issuer.bodies[0]
			if body["token_endpoint_auth_method"] != c.asked || body["application_type"] != "native" || body["client_name"] != "Kontor" ||
				!slices.Equal(body["grant_types"].([]any), []any{"authorization_code", "refresh_token"}) {
				t.Errorf("registration %v", body)
			}
			form, sent := r.form(), "none"
			if strings.HasPrefix(r.issuer.auths[0], "Basic ") {
				sent = "basic"
			} else if form.Has("client_secret") {
				sent = "post"
			}
			if sent != c.sent || sent == "basic" && form.Has("client_id") || sent == "none" && form.Has("client_secret") {
				t.Errorf("the token request proves itself by %s: %q, %v", sent, r.issuer.auths[0], form)
			}
		})
	}
}

func TestAClientIsKeptPerIssuerAndRedirect(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	r.signIn(r.docs())
	if n := len(r.issuer.bodies); n != 1 {
		t.Errorf("%d registrations for two sign-ins", n)
	}
	r.base = "https://kontor.example"
	r.signIn(r.docs())
	if n := len(r.issuer.bodies); n != 2 || r.issuer.bodies[1]["application_type"] != "web" {
		t.Errorf("at another redirect URI: %d registrations, %v", n, r.issuer.bodies)
	}
}

func TestAnExpiredSecretIsRegisteredAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	for at := range r.store.clients {
		r.store.clients[at], _ = json.Marshal(client{From: registered, ID: "old", Method: "none", SecretExpires: r.s.now()})
	}
	r.signIn(r.docs())
	if n := len(r.issuer.bodies); n != 2 {
		t.Errorf("%d registrations", n)
	}
}

func TestAForgottenClientIsRegisteredAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	// The authorization server shows an error page: nothing comes back.
	r.issuer.set(func() { clear(r.issuer.clients) })
	r.start(r.docs())
	r.start(r.docs())
	if n := len(r.issuer.bodies); n != 1 {
		t.Errorf("%d registrations after a double click", n)
	}
	later := r.s.now().Add(doubleClick)
	r.s.now = func() time.Time { return later }
	r.signIn(r.docs())
	if n := len(r.issuer.bodies); n != 2 {
		t.Errorf("%d registrations after a browser that didn't come back", n)
	}
	// It forgets between the code and the token.
	answer := r.browse(r.start(r.docs()).URL)
	r.issuer.set(func() { clear(r.issuer.clients) })
	_, err := r.s.Finish(t.Context(), answer, "mine")
	wantCode(t, err, model.CodeDenied)
	r.signIn(r.docs())
	if n := len(r.issuer.bodies); n != 3 {
		t.Errorf("%d registrations after invalid_client", n)
	}
}

// O-72
func TestTheRedirectFollowsTheBaseURLOrTheSetting(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for base, want := range map[string]string{
		"http://localhost:8787":   "http://localhost:8787/oauth/callback",
		"http://127.0.0.1:8787/":  "http://127.0.0.1:8787/oauth/callback",
		"https://kontor.example/": "https://kontor.example/oauth/callback",
	} {
		r.base = base
		if p := r.start(r.docs()); p.RedirectURI != want || mustQuery(t, p.URL).Get("redirect_uri") != want {
			t.Errorf("at %s the redirect is %s, %s", base, p.RedirectURI, p.URL)
		}
		if sent := r.issuer.bodies[len(r.issuer.bodies)-1]["redirect_uris"].([]any); sent[0] != want {
			t.Errorf("at %s it is registered with %v", base, sent)
		}
	}
	const own = "https://proxy.example/back"
	r.signIn(r.docs(func(o *model.OAuth) { o.RedirectURI = own }))
	if r.asked().Get("redirect_uri") != own || r.form().Get("redirect_uri") != own {
		t.Error("the setting isn't used everywhere")
	}
}

func TestCredentialsStayWithTheirIssuer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	second := newIssuer(t)
	typed := map[string]any{"token_endpoint_auth_method": "client_secret_post", "client_secret": canary + "-typed"}
	r.issuer.set(func() { r.issuer.clients["typed"] = typed })
	second.set(func() { second.clients["typed"] = typed })
	set := func(o *model.OAuth) {
		o.ClientID, o.ClientSecret.Text, o.TokenEndpointAuthMethod = "typed", canary+"-typed", "client_secret_post"
	}
	r.signIn(r.docs(set))
	r.server.set(func() { r.server.issuers = []string{second.url()} })
	wantCode(t, r.wantNoStart(r.docs(set), hostOf(r.issuer.url()), hostOf(second.url())), model.CodeDenied)
	p := r.start(r.docs(set, func(o *model.OAuth) { o.AuthorizationServer = second.url() }))
	if p.Issuer != second.url() {
		t.Errorf("with the person's word for it: %+v", p)
	}
	// A registered client is made anew.
	p = r.start(r.docs())
	if p.Issuer != second.url() || len(second.bodies) != 1 {
		t.Errorf("at another issuer: %+v, %d registrations", p, len(second.bodies))
	}
}

// Some take only scopes that a client was registered with.
func TestAClientIsRegisteredWithItsScopesWhereTheyAreRefusedWithout(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() { r.server.challenge += `, scope="a"` })
	strict := func(q url.Values) {
		asked := r.issuer.asked[len(r.issuer.asked)-1]
		allowed, _ := r.issuer.clients[asked.Get("client_id")]["scope"].(string)
		if !within(strings.Fields(asked.Get("scope")), strings.Fields(allowed)) {
			q.Del("code")
			q.Set("error", "invalid_scope")
		}
	}
	r.issuer.set(func() { r.issuer.answer = strict })
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	_, err := r.s.Finish(t.Context(), r.browse(r.start(r.docs()).URL), "mine")
	if err == nil || !strings.Contains(err.Error(), "invalid_scope") || r.issuer.bodies[0]["scope"] != nil {
		t.Fatalf("Finish = %v after %v", err, r.issuer.bodies)
	}
	if len(r.store.clients) != 0 {
		t.Error("the registration is kept that is of no use")
	}
	r.signIn(r.docs())
	// Who isn't the one that was asked has no say in it.
	r.issuer.set(func() {
		r.issuer.answer = func(q url.Values) { q["iss"], q["error"] = []string{"https://evil.example"}, []string{"invalid_scope"} }
	})
	if _, err := r.s.Finish(t.Context(), r.browse(r.start(r.docs()).URL), "mine"); err == nil || len(r.store.clients) != 1 {
		t.Errorf("Finish = %v, and %d registrations are left", err, len(r.store.clients))
	}
	r.issuer.set(func() { r.issuer.answer = strict })
	// A step-up needs another registration, the next sign-in none.
	r.server.set(func() { r.server.needs["/write"] = "b" })
	r.wantCall(r.client(r.docs()), "/write", 403)
	r.signIn(r.docs())
	r.signIn(r.docs())
	r.wantCall(r.client(r.docs()), "/write", 200)
	if n := len(r.issuer.bodies); n != 3 || r.issuer.bodies[2]["scope"] != "a b" {
		t.Errorf("registrations %v", r.issuer.bodies)
	}
}

func TestNoRefreshTokensAreRegisteredForWhereThereAreNone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) { m["grant_types_supported"] = []string{"authorization_code"} }
	})
	r.signIn(r.docs())
	if got := r.issuer.bodies[0]["grant_types"]; !slices.Equal(got.([]any), []any{"authorization_code"}) {
		t.Errorf("grant_types = %v", got)
	}
}
