package oauth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// fakeServer is an MCP server as OAuth sees it: it takes a token or refuses it.
type fakeServer struct {
	srv    *httptest.Server
	issuer *fakeIssuer

	mu        sync.Mutex
	resource  string // of its metadata; "" for its own address
	metadata  []string
	challenge string // WWW-Authenticate of a 401; %s is its base URL
	issuers   []string
	scopes    []string
	needs     map[string]string // scope by path
	seen      []*http.Request
	bodies    []string
	check     func(w http.ResponseWriter, r *http.Request) bool
}

const prmPath = "/.well-known/oauth-protected-resource/mcp"

func (f *fakeServer) url() string { return f.srv.URL + "/mcp" }

func (f *fakeServer) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, at := range f.metadata {
		if r.URL.Path == at {
			doc := map[string]any{"resource": f.resource, "authorization_servers": f.issuers}
			if f.resource == "" {
				doc["resource"] = f.srv.URL + "/mcp"
			}
			if f.scopes != nil {
				doc["scopes_supported"] = f.scopes
			}
			writeJSON(w, 200, doc)
			return
		}
	}
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		http.NotFound(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	f.seen, f.bodies = append(f.seen, r), append(f.bodies, string(body))
	if f.check != nil && f.check(w, r) {
		return
	}
	scheme, access, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	scope, ok := f.issuer.valid(access)
	switch {
	case scheme != "Bearer" || !ok:
		w.Header().Set("WWW-Authenticate", strings.ReplaceAll(f.challenge, "%s", f.srv.URL))
		w.WriteHeader(401)
	case f.needs[r.URL.Path] != "" && !strings.Contains(" "+scope+" ", " "+f.needs[r.URL.Path]+" "):
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope=%q`, f.needs[r.URL.Path]))
		w.WriteHeader(403)
	default:
		_, _ = io.WriteString(w, "hello")
	}
}

// requests is how many requests came that weren't for metadata.
func (f *fakeServer) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.seen)
}

// rig is a Service with a server, an authorization server and all that they say.
type rig struct {
	t       *testing.T
	s       *Service
	store   *memoryStore
	issuer  *fakeIssuer
	server  *fakeServer
	base    string
	plain   *http.Client
	mu      sync.Mutex
	log     bytes.Buffer
	changed int
	hidden  map[string][]string
}

func (r *rig) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(p)
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, store: newStore(), issuer: newIssuer(t), base: "http://127.0.0.1:8787", hidden: map[string][]string{}}
	r.server = &fakeServer{
		issuer: r.issuer, metadata: []string{prmPath}, issuers: []string{r.issuer.url()},
		challenge: `Bearer resource_metadata="%s` + prmPath + `"`, needs: map[string]string{},
	}
	r.server.srv = httptest.NewServer(r.server)
	t.Cleanup(r.server.srv.Close)
	r.plain = &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(r.plain.CloseIdleConnections)
	r.s = r.service()
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.clean("the log", r.log.String())
	})
	return r
}

// service makes another Service over the same store: the next process.
func (r *rig) service() *Service {
	guarded := &http.Client{Transport: r.plain.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("a redirect is refused")
	}}
	s := New(Options{
		Store: r.store, Client: func(string) (*http.Client, error) { return guarded, nil }, BaseURL: func() string { return r.base },
		Changed: func(string) { r.mu.Lock(); defer r.mu.Unlock(); r.changed++ },
		Hide:    func(owner string, v []string) { r.mu.Lock(); defer r.mu.Unlock(); r.hidden[owner] = v },
		Log:     slog.New(slog.NewTextHandler(r, nil)),
	})
	r.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (r *rig) docs(change ...func(*model.OAuth)) Server {
	s := Server{Name: "docs", URL: r.server.url()}
	for _, c := range change {
		c(&s.Settings)
	}
	return s
}

// clean fails when a secret is in a text that people see.
func (r *rig) clean(what, text string) {
	r.t.Helper()
	if strings.Contains(text, canary) {
		r.t.Errorf("%s holds a secret: %s", what, text)
	}
}

// status is the Auth of docs, in which no secret may be.
func (r *rig) status() model.Auth {
	r.t.Helper()
	auth := r.s.Status("docs")
	data, err := json.Marshal(auth)
	if err != nil {
		r.t.Fatal(err)
	}
	r.clean("Status", string(data))
	return auth
}

func (r *rig) wantState(want model.AuthState, reason string) model.Auth {
	r.t.Helper()
	auth := r.status()
	if auth.State != want || auth.Reason != reason {
		r.t.Fatalf("Status = %s %q (%s), want %s %q", auth.State, auth.Reason, auth.Message, want, reason)
	}
	return auth
}

// client makes requests as the connection to a server does.
func (r *rig) client(server Server) *http.Client {
	return &http.Client{Transport: r.s.Transport(server, r.plain.Transport), CheckRedirect: r.plain.CheckRedirect}
}

// call makes one request to a path of the server and returns its status, 0 for an
// error.
func (r *rig) call(c *http.Client, path string) (int, error) {
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.server.srv.URL+path, strings.NewReader("body"))
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		r.clean("an error", err.Error())
		return 0, err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode, nil
}

func (r *rig) wantCall(c *http.Client, path string, want int) {
	r.t.Helper()
	if got, err := r.call(c, path); got != want || err != nil {
		r.t.Fatalf("request to %s = %d, %v, want %d", path, got, err, want)
	}
}

// start begins a sign-in that must work.
func (r *rig) start(server Server) Pending {
	r.t.Helper()
	p, err := r.s.Start(r.t.Context(), Start{Server: server, Session: "mine"})
	if err != nil {
		r.clean("an error", err.Error())
		r.t.Fatalf("Start: %v", err)
	}
	return p
}

// wantNoStart begins a sign-in that mustn't; the words hold each of wants.
func (r *rig) wantNoStart(server Server, wants ...string) error {
	r.t.Helper()
	p, err := r.s.Start(r.t.Context(), Start{Server: server, Session: "mine"})
	if err == nil {
		r.t.Fatalf("Start made the address %s", p.URL)
	}
	r.clean("an error", err.Error())
	if p.URL != "" {
		r.t.Errorf("an address was made in spite of %v", err)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			r.t.Errorf("Start = %v, want %q in it", err, want)
		}
	}
	return err
}

// browse follows an address as a browser does, to where it would come back.
func (r *rig) browse(address string) url.Values {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := r.plain.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		r.t.Fatalf("the authorization server didn't redirect: %d %s", resp.StatusCode, body)
	}
	return back.Query()
}

// signIn goes the whole way.
func (r *rig) signIn(server Server) Finished {
	r.t.Helper()
	done, err := r.s.Finish(r.t.Context(), r.browse(r.start(server).URL), "mine")
	if err != nil {
		r.clean("an error", err.Error())
		r.t.Fatalf("Finish: %v", err)
	}
	return done
}

// asked is the last authorization request.
func (r *rig) asked() url.Values {
	r.issuer.mu.Lock()
	defer r.issuer.mu.Unlock()
	if len(r.issuer.asked) == 0 {
		r.t.Fatal("there was no authorization request")
	}
	return r.issuer.asked[len(r.issuer.asked)-1]
}

// form is the last token request.
func (r *rig) form() url.Values {
	r.issuer.mu.Lock()
	defer r.issuer.mu.Unlock()
	if len(r.issuer.forms) == 0 {
		r.t.Fatal("there was no token request")
	}
	return r.issuer.forms[len(r.issuer.forms)-1]
}
