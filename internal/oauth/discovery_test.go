package oauth

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// O-63
func TestMetadataAtTheRootOnlyIsFound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() {
		r.server.challenge, r.server.metadata = "Bearer", []string{"/.well-known/oauth-protected-resource"}
	})
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.signIn(r.docs())
}

// O-64
func TestTheResourceIsSentAsItWasWritten(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	origin := r.server.srv.URL // no path, and no slash
	r.server.set(func() { r.server.resource = origin })
	r.issuer.set(func() { r.issuer.extra["expires_in"] = 1 })
	r.signIn(r.docs())
	if got := r.asked().Get("resource"); got != origin {
		t.Errorf("resource in the authorization request %q", got)
	}
	if got := r.form().Get("resource"); got != origin {
		t.Errorf("resource in the token request %q", got)
	}
	r.issuer.expire()
	r.wantCall(r.client(r.docs()), "/mcp", 200)
	if f := r.form(); f.Get("grant_type") != "refresh_token" || f.Get("resource") != origin {
		t.Errorf("resource in the refresh %v", f["resource"])
	}
}

// O-65
func TestAResourceThatIsAParentIsAccepted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, resource := range []string{r.server.srv.URL, r.server.srv.URL + "/", r.server.url(), r.server.url() + "/"} {
		r.server.set(func() { r.server.resource = resource })
		r.signIn(r.docs())
	}
	slash := Server{Name: "docs", URL: r.server.url() + "/"}
	r.server.set(func() { r.server.resource = r.server.url() })
	r.signIn(slash)
}

// O-66
func TestTheDocumentOfTheChallengeComesFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, 200, map[string]any{"resource": r.server.srv.URL + "/api", "authorization_servers": []string{"https://evil.example"}})
	})
	mux := http.NewServeMux()
	mux.Handle("/.well-known/oauth-protected-resource", other)
	mux.Handle("/.well-known/oauth-protected-resource/mcp", other)
	mux.Handle("/", r.server)
	r.server.srv.Config.Handler = mux
	r.server.set(func() {
		r.server.metadata, r.server.challenge = []string{"/mine"}, `Bearer resource_metadata="%s/mine"`
	})
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.signIn(r.docs())
	if got := r.asked().Get("resource"); got != r.server.url() {
		t.Errorf("resource = %q", got)
	}
}

// O-67
func TestAnotherResourceStopsTheSignIn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, resource := range []string{r.server.srv.URL + "/mcp-other", "https://evil.example/mcp"} {
		r.server.set(func() { r.server.resource = resource })
		r.wantNoStart(r.docs(), resource, r.server.url())
	}
	if r.issuer.saw("GET /.well-known") || r.issuer.saw("POST /register") {
		t.Error("the authorization server was asked all the same")
	}
}

// O-68
func TestOpenIDMetadataIsEnough(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() { r.issuer.paths = []string{"/.well-known/openid-configuration"} })
	r.signIn(r.docs())
}

func TestAnIssuerWithAPathIsFoundAtEachOfItsPlaces(t *testing.T) {
	t.Parallel()
	for _, at := range []string{
		"/.well-known/oauth-authorization-server/tenant", "/.well-known/openid-configuration/tenant", "/tenant/.well-known/openid-configuration",
	} {
		r := newRig(t)
		name := r.issuer.url() + "/tenant"
		r.issuer.set(func() {
			r.issuer.paths = []string{at}
			r.issuer.alter = func(m map[string]any) { m["issuer"] = name }
			r.issuer.answer = func(q url.Values) { q["iss"] = []string{name} }
		})
		r.server.set(func() { r.server.issuers = []string{name} })
		r.signIn(r.docs())
		if r.issuer.saw("GET /.well-known/oauth-authorization-server") && !r.issuer.saw("GET "+at) || slices.Contains(r.issuer.seen, "GET /.well-known/oauth-authorization-server") {
			t.Errorf("metadata at %s: asked %q", at, r.issuer.seen)
		}
	}
}

func TestAWebPageOrAnErrorInPlaceOfMetadataIsPassedBy(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"page":       func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html>")) },
		"error":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"other JSON": func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, []int{1}) },
		"empty JSON": func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, map[string]any{}) },
		"other types": func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, 200, map[string]any{"issuer": 1, "resource": 2})
		},
		"redirect": func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, "https://evil.example/", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.issuer.set(func() { r.issuer.paths = []string{"/.well-known/openid-configuration"} })
			r.server.set(func() {
				r.server.challenge, r.server.metadata = "Bearer", []string{"/.well-known/oauth-protected-resource"}
			})
			wrap := func(s *httptest.Server, at string) {
				inner := s.Config.Handler
				s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					if req.URL.Path == at {
						answer(w, req)
						return
					}
					inner.ServeHTTP(w, req)
				})
			}
			wrap(r.server.srv, prmPath)
			wrap(r.issuer.srv, "/.well-known/oauth-authorization-server")
			r.signIn(r.docs())
		})
	}
}

func TestMetadataOfAnotherIssuerIsNotUsed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, other := range []string{"https://evil.example", r.issuer.url() + "/"} {
		r.issuer.set(func() { r.issuer.alter = func(m map[string]any) { m["issuer"] = other } })
		r.wantNoStart(r.docs(), other, r.issuer.url())
	}
	if r.issuer.saw("POST ") {
		t.Error("something was sent to it")
	}
}

// O-69
func TestWithoutS256NoAddressIsMade(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	allow := func(o *model.OAuth) { o.AllowWithoutS256 = true }
	r.issuer.set(func() { r.issuer.alter = func(m map[string]any) { m["code_challenge_methods_supported"] = nil } })
	r.wantNoStart(r.docs(), "code_challenge_methods_supported")
	r.signIn(r.docs(allow))
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain"} }
	})
	r.wantNoStart(r.docs(), "plain")
	r.wantNoStart(r.docs(allow), "plain")
}

func TestEndpointsThatMustNotBeUsedMakeNoAddress(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"} {
		for _, address := range []string{"javascript:alert(document.cookie)", "data:text/html,x", "/relative", "https://user:pw@as/"} {
			r.issuer.set(func() { r.issuer.alter = func(m map[string]any) { m[name] = address } })
			r.wantNoStart(r.docs(), name)
		}
	}
	r.issuer.set(func() { r.issuer.alter = func(m map[string]any) { m["token_endpoint"] = nil } })
	r.wantNoStart(r.docs(), "token_endpoint")
	r.server.set(func() { r.server.issuers = []string{"javascript:alert(1)"} })
	r.wantNoStart(r.docs(), "authorization server")
	r.server.set(func() { r.server.issuers = nil })
	r.wantNoStart(r.docs(), "names no authorization server")
	r.server.set(func() { r.server.challenge = `Bearer resource_metadata="javascript:alert(1)"` })
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.wantNoStart(r.docs(), "metadata")
}

func TestAServerOnHTTPSNamesNothingInPlainText(t *testing.T) {
	t.Parallel()
	d := discovery{server: parse(t, "https://h/mcp"), client: http.DefaultClient}
	if _, err := d.site(t.Context(), challenge{Metadata: "http://h/x"}); err == nil {
		t.Error("metadata by plain http")
	}
	if _, err := d.issuer(t.Context(), "http://as"); err == nil {
		t.Error("an issuer by plain http")
	}
	meta := metadata{}
	meta.TokenEndpoint = "http://as/token"
	if err := d.checkEndpoints(meta); err == nil {
		t.Error("a token endpoint by plain http")
	}
}

func TestANamedDocumentThatIsNowhereIsNoReasonToGuess(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() { r.server.metadata = nil })
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.wantNoStart(r.docs(), prmPath)
	r.server.srv.Close()
	wantCode(t, r.wantNoStart(r.docs()), model.CodeServerUnavailable)
}

func TestSeveralAuthorizationServersAreThePersonsChoice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	second := newIssuer(t)
	both := []string{second.url(), r.issuer.url()}
	r.server.set(func() { r.server.issuers = both })
	err := r.wantNoStart(r.docs())
	if choose := (*ChooseIssuerError)(nil); !errors.As(err, &choose) || !slices.Equal(choose.Issuers, both) {
		t.Fatalf("Start = %v", err)
	}
	wantCode(t, err, model.CodeInvalid)
	p, err := r.s.Start(t.Context(), Start{Server: r.docs(), Session: "mine", Issuer: r.issuer.url()})
	if err != nil || p.Issuer != r.issuer.url() {
		t.Fatalf("Start = %+v, %v", p, err)
	}
	if _, err := r.s.Finish(t.Context(), r.browse(p.URL), "mine"); err != nil {
		t.Fatal(err)
	}
	if p := r.start(r.docs()); p.Issuer != r.issuer.url() {
		t.Errorf("the second time at %s", p.Issuer)
	}
	if p := r.start(r.docs(func(o *model.OAuth) { o.AuthorizationServer = second.url() })); p.Issuer != second.url() {
		t.Errorf("with a setting at %s", p.Issuer)
	}
	r.wantNoStart(r.docs(func(o *model.OAuth) { o.AuthorizationServer = "https://other.example" }), "https://other.example", second.url())
}

func TestASignInWithoutAChallengeAsksForOne(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() {
		r.server.metadata, r.server.challenge = []string{"/mine"}, `Bearer resource_metadata="%s/mine", scope="a b"`
	})
	r.signIn(r.docs())
	if got := r.asked().Get("scope"); got != "a b" {
		t.Errorf("scope = %q", got)
	}
	if r.server.seen[0].Method != http.MethodGet || r.server.bodies[0] != "" {
		t.Error("the request for a challenge says something")
	}
}
