package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// canary is in every secret that the fakes give or are given.
const canary = "canary"

// fakeIssuer is an authorization server: it registers, redirects at once instead
// of showing a page, checks PKCE, client, redirect and resource, rotates refresh
// tokens and ends a grant whose refresh token comes twice.
type fakeIssuer struct {
	t   *testing.T
	srv *httptest.Server

	mu sync.Mutex
	// What is served: metadata by path, after alter.
	paths []string
	alter func(m map[string]any)
	// answer overrules the query of the redirect back.
	answer func(q url.Values)
	// tokenHook may answer a token request instead.
	tokenHook func(w http.ResponseWriter, r *http.Request) bool
	// registerHook may answer a registration instead.
	registerHook func(w http.ResponseWriter, body map[string]any) bool
	// extra goes into token answers; nil values leave members out.
	extra   map[string]any
	rotates bool

	clients  map[string]map[string]any // by client id
	codes    map[string]*grantState
	tokens   map[string]*grantState // access tokens
	refresh  map[string]*grantState
	spent    map[string]*grantState
	seen     []string // "METHOD path"
	forms    []url.Values
	auths    []string // Authorization of token requests
	asked    []url.Values
	bodies   []map[string]any // registrations
	revoked  []string
	sequence int
}

type grantState struct {
	client, resource, challenge, redirect string
	scope                                 string
	dead                                  bool
}

func newIssuer(t *testing.T) *fakeIssuer {
	f := &fakeIssuer{
		t: t, paths: []string{"/.well-known/oauth-authorization-server"}, rotates: true,
		clients: map[string]map[string]any{}, codes: map[string]*grantState{}, tokens: map[string]*grantState{},
		refresh: map[string]*grantState{}, spent: map[string]*grantState{}, extra: map[string]any{"expires_in": 3600},
	}
	f.srv = httptest.NewServer(f)
	t.Cleanup(f.srv.Close)
	return f
}

func (f *fakeIssuer) url() string { return f.srv.URL }

func (f *fakeIssuer) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fakeIssuer) metadata() map[string]any {
	m := map[string]any{
		"issuer": f.url(), "authorization_endpoint": f.url() + "/authorize", "token_endpoint": f.url() + "/token",
		"registration_endpoint": f.url() + "/register", "revocation_endpoint": f.url() + "/revoke",
		"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
		"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic", "client_secret_post"},
	}
	if f.alter != nil {
		f.alter(m)
	}
	for k, v := range m {
		if v == nil {
			delete(m, k)
		}
	}
	return m
}

func (f *fakeIssuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, r.Method+" "+r.URL.Path)
	switch {
	case slices.Contains(f.paths, r.URL.Path):
		writeJSON(w, 200, f.metadata())
	case r.URL.Path == "/authorize":
		f.authorize(w, r)
	case r.URL.Path == "/token":
		f.token(w, r)
	case r.URL.Path == "/register":
		f.register(w, r)
	case r.URL.Path == "/revoke":
		_ = r.ParseForm()
		f.revoked = append(f.revoked, r.PostForm.Get("token"))
		for _, set := range []map[string]*grantState{f.refresh, f.tokens} {
			if g := set[r.PostForm.Get("token")]; g != nil {
				g.dead = true
			}
		}
	default:
		http.NotFound(w, r)
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func oauthError(w http.ResponseWriter, status int, code, description string) {
	writeJSON(w, status, map[string]any{"error": code, "error_description": description})
}

func (f *fakeIssuer) next(kind string) string {
	f.sequence++
	return fmt.Sprintf("%s-%s-%d", canary, kind, f.sequence)
}

func (f *fakeIssuer) register(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	f.bodies = append(f.bodies, body)
	if f.registerHook != nil && f.registerHook(w, body) {
		return
	}
	f.sequence++
	id := fmt.Sprintf("client-%d", f.sequence)
	body["client_id"] = id
	if body["token_endpoint_auth_method"] != "none" {
		body["client_secret"] = f.next("client-secret")
	}
	f.clients[id] = body
	writeJSON(w, 201, body)
}

func (f *fakeIssuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f.asked = append(f.asked, q)
	c := f.clients[q.Get("client_id")]
	if c == nil {
		http.Error(w, "unknown client", 400)
		return
	}
	back := url.Values{"state": {q.Get("state")}, "iss": {f.url()}}
	code := f.next("code")
	f.codes[code] = &grantState{client: q.Get("client_id"), resource: q.Get("resource"), challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri"), scope: q.Get("scope")}
	back.Set("code", code)
	if f.answer != nil {
		f.answer(back)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// authenticated is the client that a request proves to be.
func (f *fakeIssuer) authenticated(r *http.Request) (string, bool) {
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	method := "none"
	if secret != "" {
		method = "client_secret_post"
	}
	if u, p, ok := r.BasicAuth(); ok {
		id, _ = url.QueryUnescape(u)
		secret, _ = url.QueryUnescape(p)
		method = "client_secret_basic"
	}
	c := f.clients[id]
	if c == nil {
		return id, false
	}
	want, _ := c["token_endpoint_auth_method"].(string)
	have, _ := c["client_secret"].(string)
	return id, want == method && have == secret
}

func (f *fakeIssuer) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f.forms = append(f.forms, r.PostForm)
	f.auths = append(f.auths, r.Header.Get("Authorization"))
	if f.tokenHook != nil && f.tokenHook(w, r) {
		return
	}
	id, ok := f.authenticated(r)
	if !ok {
		oauthError(w, 401, "invalid_client", "who is "+id+"?")
		return
	}
	var g *grantState
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		code := r.PostForm.Get("code")
		g = f.codes[code]
		delete(f.codes, code)
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if g == nil || base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge || r.PostForm.Get("redirect_uri") != g.redirect {
			oauthError(w, 400, "invalid_grant", "bad code "+code)
			return
		}
	case "refresh_token":
		token := r.PostForm.Get("refresh_token")
		if old := f.spent[token]; old != nil {
			old.dead = true
		}
		if g = f.refresh[token]; g == nil || g.dead {
			oauthError(w, 400, "invalid_grant", "refresh token "+token+" is not valid")
			return
		}
		if f.rotates {
			delete(f.refresh, token)
			f.spent[token] = g
		}
	default:
		oauthError(w, 400, "unsupported_grant_type", "")
		return
	}
	if g.client != id || r.PostForm.Get("resource") != g.resource {
		oauthError(w, 400, "invalid_target", "")
		return
	}
	f.give(w, g)
}

// give answers with a new token of a grant.
func (f *fakeIssuer) give(w http.ResponseWriter, g *grantState) {
	access := f.next("access")
	f.tokens[access] = g
	answer := map[string]any{"access_token": access, "token_type": "Bearer"}
	if f.rotates {
		answer["refresh_token"] = f.next("refresh")
		f.refresh[answer["refresh_token"].(string)] = g
	}
	if g.scope != "" {
		answer["scope"] = g.scope
	}
	for k, v := range f.extra {
		if answer[k] = v; v == nil {
			delete(answer, k)
		}
	}
	writeJSON(w, 200, answer)
}

// valid tells whether an access token is good, and for what.
func (f *fakeIssuer) valid(access string) (scope string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.tokens[access]
	if g == nil || g.dead {
		return "", false
	}
	return g.scope, true
}

// expire makes all access tokens useless.
func (f *fakeIssuer) expire() { f.set(func() { clear(f.tokens) }) }

// count is how many token requests of a grant there were.
func (f *fakeIssuer) count(grant string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, form := range f.forms {
		if form.Get("grant_type") == grant {
			n++
		}
	}
	return n
}

func (f *fakeIssuer) saw(request string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.seen, func(s string) bool { return strings.HasPrefix(s, request) })
}
