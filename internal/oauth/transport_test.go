package oauth

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func contextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

func TestATokenGoesToTheServersOriginOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	got := make(chan string, 1)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { got <- req.Header.Get("Authorization") }))
	t.Cleanup(other.Close)
	c := r.client(r.docs())
	resp, err := c.Get(other.URL + "/mcp")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if header := <-got; header != "" {
		t.Errorf("another origin got %q", header)
	}
	r.wantCall(c, "/messages", 200) // where the older transport posts
}

func TestAChangedAddressIsNoRecord(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	old := r.client(r.docs())
	moved := Server{Name: "docs", URL: r.server.srv.URL + "/other"}
	r.wantCall(r.client(moved), "/other", 401)
	r.wantState(model.AuthNeedsSignIn, model.ReasonFirstTime)
	if got := r.server.seen[len(r.server.seen)-1].Header.Get("Authorization"); got != "" {
		t.Errorf("the other address got %q", got)
	}
	if r.issuer.count("refresh_token") != 0 {
		t.Error("there was a refresh for another address")
	}
	r.wantCall(old, "/mcp", 200) // a connection that is about to close
	r.wantState(model.AuthNeedsSignIn, model.ReasonFirstTime)
}

func TestARequestThatCantBeRepeatedIsPassedOn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, r.server.url(), io.NopCloser(strings.NewReader("once")))
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("status %d", resp.StatusCode)
	}
	r.wantCall(c, "/mcp", 200) // with the token that was got meanwhile
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

func TestA401ForSomethingElseIsNoMatterOfOAuth(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() { r.server.challenge = `Basic realm="x"` })
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.wantState(model.AuthNone, "")
}

func TestARequestFromBeforeASignInIsRepeatedWithItsToken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	answer := r.browse(r.start(r.docs()).URL)
	c := r.client(r.docs())
	first := true
	r.server.set(func() {
		r.server.check = func(w http.ResponseWriter, req *http.Request) bool {
			if !first || req.Method != http.MethodPost {
				return false
			}
			first = false
			if _, err := r.s.Finish(t.Context(), answer, "mine"); err != nil { // while the request is under way
				t.Error(err)
			}
			w.WriteHeader(401)
			return true
		}
	})
	r.wantCall(c, "/mcp", 200)
	r.wantState(model.AuthSignedIn, "")
}

// O-75
func TestAStepUpAsksForAllRightsTogether(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() {
		r.server.challenge += `, scope="files:read"`
		r.server.needs["/write"] = "files:write"
	})
	c := r.client(r.docs())
	r.wantCall(c, "/mcp", 401)
	r.signIn(r.docs())
	r.wantCall(c, "/mcp", 200)
	r.wantCall(c, "/write", 403)
	auth := r.wantState(model.AuthSignedIn, model.ReasonMoreRights)
	if !slices.Equal(auth.StepUp, []string{"files:read", "files:write"}) || !strings.Contains(auth.Message, "files:write") {
		t.Errorf("Status = %+v", auth)
	}
	r.wantCall(c, "/mcp", 200) // the token stays
	// It survives a restart.
	r.s = r.service()
	if err := r.s.Load(t.Context(), []Server{r.docs()}); err != nil {
		t.Fatal(err)
	}
	r.wantState(model.AuthSignedIn, model.ReasonMoreRights)
	p := r.start(r.docs())
	if p.Reason != model.ReasonMoreRights || !slices.Equal(p.Scopes, auth.StepUp) {
		t.Errorf("Start = %+v", p)
	}
	r.signIn(r.docs())
	if got := r.asked().Get("scope"); got != "files:read files:write" {
		t.Errorf("scope = %q", got)
	}
	auth = r.wantState(model.AuthSignedIn, "")
	if auth.StepUp != nil || !slices.Equal(auth.Scopes, []string{"files:read", "files:write"}) {
		t.Errorf("Status = %+v", auth)
	}
	r.wantCall(r.client(r.docs()), "/write", 200)
	// After it has ended, nothing that was granted is left out.
	r.issuer.expire()
	r.issuer.set(func() { clear(r.issuer.refresh) })
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.signIn(r.docs())
	if got := r.asked().Get("scope"); got != "files:read files:write" {
		t.Errorf("after the end scope = %q", got)
	}
}

func TestA403ThatNeverEndsAsksThreeTimesInAll(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() {
		r.server.challenge += `, scope="admin"`
		r.server.check = func(w http.ResponseWriter, req *http.Request) bool {
			if req.URL.Path != "/never" || req.Header.Get("Authorization") == "" {
				return false
			}
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="admin"`)
			w.WriteHeader(403)
			return true
		}
	})
	c := r.client(r.docs())
	r.wantCall(c, "/never", 401)
	asked := 0
	for range 10 {
		if auth := r.status(); auth.State == model.AuthSignedIn && auth.StepUp == nil {
			break
		}
		r.signIn(r.docs())
		asked++
		r.wantCall(c, "/mcp", 200) // other requests go well in between
		r.wantCall(c, "/never", 403)
	}
	auth := r.wantState(model.AuthSignedIn, "")
	if asked != maxAsked || !strings.Contains(auth.Message, "three times") {
		t.Errorf("%d authorizations, then %q", asked, auth.Message)
	}
	// A right that was never asked for is another matter.
	r.server.set(func() { r.server.needs["/write"] = "write" })
	r.wantCall(c, "/write", 403)
	r.wantState(model.AuthSignedIn, model.ReasonMoreRights)
	// And the person may always try again.
	r.signIn(r.docs())
	r.wantState(model.AuthSignedIn, "")
}

func TestA403ForAnotherReasonIsNoStepUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	for _, header := range []string{"", `Bearer error="invalid_token", scope="x"`, `Basic error="insufficient_scope", scope="x"`} {
		r.server.set(func() {
			r.server.check = func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("WWW-Authenticate", header)
				w.WriteHeader(403)
				return true
			}
		})
		r.wantCall(r.client(r.docs()), "/mcp", 403)
		r.wantState(model.AuthSignedIn, "")
	}
}

func TestACallThatWasRefusedBeforeAStepUpIsSentAgainWithItsRights(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.server.set(func() {
		r.server.challenge += `, scope="a"`
		r.server.needs["/write"] = "b"
	})
	c := r.client(r.docs())
	r.wantCall(c, "/mcp", 401)
	r.signIn(r.docs())
	r.wantCall(c, "/write", 403)
	answer := r.browse(r.start(r.docs()).URL)
	first := true
	r.server.set(func() {
		r.server.check = func(w http.ResponseWriter, _ *http.Request) bool {
			if !first {
				return false
			}
			first = false
			if _, err := r.s.Finish(t.Context(), answer, "mine"); err != nil { // while another call is under way
				t.Error(err)
			}
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="b"`)
			w.WriteHeader(403)
			return true
		}
	})
	r.wantCall(c, "/write", 200)
	r.wantState(model.AuthSignedIn, "")
}
