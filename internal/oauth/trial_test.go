package oauth

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func (r *rig) trial(server Server) *http.Client {
	return &http.Client{Transport: r.s.Trial(server, r.plain.Transport)}
}

func TestATrialIsNobodysState(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	before := r.changed
	moved := Server{Name: "docs", URL: r.server.srv.URL + "/other"}
	r.wantCall(r.trial(moved), "/other", 401)
	r.wantState(model.AuthSignedIn, "")
	if r.changed != before {
		t.Error("the trial's 401 was told")
	}
	// At the same address it uses and renews what is kept.
	r.issuer.expire()
	r.wantCall(r.trial(r.docs()), "/mcp", 200)
	r.wantCall(r.client(r.docs()), "/mcp", 200)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	r.server.set(func() { r.server.needs["/write"] = "w" })
	r.wantCall(r.trial(r.docs()), "/write", 403)
	r.wantState(model.AuthSignedIn, "")
}

func TestATrialOfAMachineKeepsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.machine(func(*http.Request, url.Values) string { return "" })
	c := r.trial(r.docs(credentials))
	r.wantCall(c, "/mcp", 200)
	r.wantCall(c, "/mcp", 200)
	if n := r.issuer.count("client_credentials"); n != 1 || len(r.store.records) != 0 {
		t.Errorf("%d grants, %d records", n, len(r.store.records))
	}
	r.wantState(model.AuthNone, "")
	if len(r.hidden["oauth trial/docs"]) == 0 || len(r.hidden["oauth/docs"]) != 0 {
		t.Errorf("hidden %q", r.hidden)
	}
}

func TestABrowserOnItsWayForAnotherAddressIsGivenUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	answer := r.browse(r.start(r.docs()).URL)
	r.client(Server{Name: "docs", URL: r.server.url() + "/new"})
	_, err := r.s.Finish(t.Context(), answer, "mine")
	wantCode(t, err, model.CodeNotFound)
}

// meanwhile has something done while the authorization server is asked for a token.
func (r *rig) meanwhile(do func()) {
	r.issuer.set(func() {
		r.issuer.tokenHook = func(http.ResponseWriter, *http.Request) bool {
			r.issuer.mu.Unlock()
			defer r.issuer.mu.Lock()
			do()
			return false
		}
	})
}

// A server at another address has needs of its own, which a token for the one before
// doesn't meet.
func TestATokenForTheAddressBeforeSettlesNothing(t *testing.T) {
	t.Parallel()
	moved := func(r *rig) {
		next := Server{Name: "docs", URL: r.server.url() + "/new"}
		r.wantCall(r.client(next), "/mcp/new", 401)
	}
	for name, ask := range map[string]func(*testing.T, *rig){
		"a sign-in": func(t *testing.T, r *rig) {
			answer := r.browse(r.start(r.docs()).URL)
			r.meanwhile(func() { moved(r) })
			_, err := r.s.Finish(t.Context(), answer, "mine")
			wantCode(t, err, model.CodeConflict)
		},
		"a renewal": func(_ *testing.T, r *rig) {
			r.signIn(r.docs())
			c := r.client(r.docs())
			r.issuer.set(func() { clear(r.issuer.tokens) })
			r.meanwhile(func() { moved(r) })
			_, _ = r.call(c, "/mcp")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			ask(t, r)
			r.wantState(model.AuthNeedsSignIn, model.ReasonFirstTime)
		})
	}
}

func TestASignOutDuringASignInIsTheLastWord(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	answer := r.browse(r.start(r.docs()).URL)
	out := make(chan struct{})
	r.meanwhile(func() {
		go func() {
			defer close(out)
			if err := r.s.SignOut(t.Context(), r.docs()); err != nil {
				t.Error(err)
			}
		}()
		select {
		case <-out:
			t.Error("the sign-out didn't wait for the token")
		case <-time.After(50 * time.Millisecond):
		}
	})
	if _, err := r.s.Finish(t.Context(), answer, "mine"); err != nil {
		t.Fatal(err)
	}
	<-out
	r.wantState(model.AuthSignedOut, model.ReasonSignedOut)
	if r.store.keeps(canary) {
		t.Error("the token is kept")
	}
}

func TestASignInToADeletedServerSaysSo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	answer := r.browse(r.start(r.docs()).URL)
	r.store.beforePut = func(server string, _ []byte) error {
		return model.Errorf(model.CodeNotFound, "There is no server %q.", server)
	}
	_, err := r.s.Finish(t.Context(), answer, "mine")
	wantCode(t, err, model.CodeNotFound)
}

func TestCloseEndsFlowsAndWaitsForARenewal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.base = "http://nas.lan:8787" // with a listener
	p := r.start(r.docs())
	r.issuer.expire()
	asked, closed := make(chan struct{}), make(chan struct{})
	r.issuer.set(func() {
		r.issuer.tokenHook = func(http.ResponseWriter, *http.Request) bool {
			close(asked)
			await(t, "Close", func() bool {
				r.s.mu.Lock()
				defer r.s.mu.Unlock()
				return r.s.closed
			})
			return false
		}
	})
	done := make(chan struct{})
	go func() { defer close(done); r.wantCall(c, "/mcp", 200) }()
	<-asked
	go func() { defer close(closed); _ = r.s.Close() }()
	<-done
	<-closed
	if _, err := r.plain.Get(p.RedirectURI); err == nil {
		t.Error("the listener is still there")
	}
	if _, err := r.s.Start(t.Context(), Start{Server: r.docs()}); err == nil {
		t.Error("a closed Service starts")
	}
	// Nothing got lost.
	r.issuer.set(func() { r.issuer.tokenHook = nil })
	r.s = r.service()
	r.wantCall(r.client(r.docs()), "/mcp", 200)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("%s didn't happen", what)
			return
		}
	}
}

func TestListenFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		redirect, base, address, path string
		ok                            bool
	}{
		{"http://127.0.0.1:7000/cb", "http://127.0.0.1:8787", "127.0.0.1:7000", "/cb", true},
		{"http://localhost:7000", "https://kontor.example", "localhost:7000", "/", true},
		{"http://[::1]:7000/{x}", "http://127.0.0.1:8787", "[::1]:7000", "/%7Bx%7D", true},
		{"http://localhost:8787/oauth/callback", "http://127.0.0.1:8787", "", "", false},
		{"http://localhost/cb", "http://127.0.0.1:8787", "", "", false},
		{"https://localhost:7000/cb", "http://127.0.0.1:8787", "", "", false},
		{"https://proxy.example/cb", "http://127.0.0.1:8787", "", "", false},
	} {
		address, path, ok := listenFor(c.redirect, c.base)
		if address != c.address || path != c.path || ok != c.ok {
			t.Errorf("listenFor(%s, %s) = %s, %s, %v", c.redirect, c.base, address, path, ok)
		}
	}
}
