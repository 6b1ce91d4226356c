package oauth

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func TestTheTokenOfAnotherProcessIsTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	mine := r.client(r.docs())
	r.wantCall(mine, "/mcp", 200)
	other := r.service()
	theirs := &http.Client{Transport: other.Transport(r.docs(), r.plain.Transport)}
	r.issuer.expire()
	r.wantCall(theirs, "/mcp", 200) // rotates
	r.wantCall(mine, "/mcp", 200)   // finds it on disk
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

func TestTwoProcessesThatRenewAtATimeKeepTheGrant(t *testing.T) {
	t.Parallel()
	for range 5 {
		r := newRig(t)
		r.signIn(r.docs())
		other := r.service()
		theirs := &http.Client{Transport: other.Transport(r.docs(), r.plain.Transport)}
		mine := r.client(r.docs())
		r.wantCall(mine, "/mcp", 200)
		r.wantCall(theirs, "/mcp", 200)
		r.issuer.expire()
		// Both have read the record before either marks it.
		var both sync.WaitGroup
		both.Add(2)
		var once [2]sync.Once
		n := 0
		var mu sync.Mutex
		r.store.hook(func(string, []byte) error {
			mu.Lock()
			n++
			i := n
			mu.Unlock()
			if i <= 2 {
				once[i-1].Do(both.Done)
				both.Wait()
			}
			return nil
		})
		var wg sync.WaitGroup
		for _, c := range []*http.Client{mine, theirs} {
			wg.Go(func() { r.wantCall(c, "/mcp", 200) })
		}
		wg.Wait()
		if n := r.issuer.count("refresh_token"); n != 1 {
			t.Errorf("%d refreshes: a refresh token was used twice", n)
		}
		r.store.hook(nil)
		r.wantCall(mine, "/mcp", 200)
	}
}

func TestASwapThatIsRefusedAfterTheAnswerTakesTheOthersToken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	writes := 0
	r.store.hook(func(_ string, data []byte) error {
		if writes++; writes == 2 { // ours is on its way to the store: another one comes first
			r.store.hook(nil)
			return r.s.change(t.Context(), newAccount("docs"), func(rec *record) *record {
				next := *rec
				r.issuer.set(func() { r.issuer.tokens[canary+"-theirs"] = &grantState{} })
				next.Access, next.Refresh, next.Renewing = canary+"-theirs", canary+"-their-refresh", time.Time{}
				return &next
			})
		}
		return nil
	})
	r.wantCall(c, "/mcp", 200)
	if got := r.server.seen[len(r.server.seen)-1].Header.Get("Authorization"); got != "Bearer "+canary+"-theirs" {
		t.Errorf("the server got %q", got)
	}
}

func TestAKillBetweenTheAnswerAndTheStoreIsSaid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	writes := 0
	r.store.hook(func(string, []byte) error { // the mark is stored, and nothing after it
		if writes++; writes > 1 {
			return errors.New("killed")
		}
		return nil
	})
	r.wantCall(c, "/mcp", 401)
	r.store.hook(nil)
	r.s = r.service()
	c = r.client(r.docs())
	r.wantCall(c, "/mcp", 401)
	auth := r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
	if !strings.Contains(auth.Message, "never finished") {
		t.Errorf("Message = %q", auth.Message)
	}
}

func TestAKillBeforeTheAnswerLosesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	r.issuer.expire()
	r.issuer.set(func() {
		r.issuer.tokenHook = func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
	})
	r.wantCall(r.client(r.docs()), "/mcp", 401)
	r.issuer.set(func() { r.issuer.tokenHook = nil })
	r.s = r.service()
	r.wantCall(r.client(r.docs()), "/mcp", 200)
}

func TestATokenIsNotUsedBeforeItIsStoredAndNotLostWhenItCantBe(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.forwards(2 * time.Hour)
	full := model.Errorf(model.CodeStorage, "the disk is full")
	writes := 0
	r.store.hook(func(string, []byte) error {
		if writes++; writes > 1 {
			return full
		}
		return nil
	})
	sent := r.server.requests()
	if _, err := r.call(c, "/mcp"); err == nil || !strings.Contains(err.Error(), "the disk is full") || r.server.requests() != sent {
		t.Errorf("while the disk is full: %v, %d requests", err, r.server.requests()-sent)
	}
	r.store.hook(nil)
	r.wantCall(c, "/mcp", 200)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

func TestARenewalGoesOnWhenWhoWantedItStopsWaiting(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	ctx, cancel := contextWithCancel(t)
	r.issuer.set(func() {
		r.issuer.tokenHook = func(http.ResponseWriter, *http.Request) bool { cancel(); return false }
	})
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, r.server.url(), strings.NewReader("body"))
	if resp, err := c.Do(req); err == nil {
		_ = resp.Body.Close()
	}
	r.wantCall(c, "/mcp", 200)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes: the answer to one was thrown away", n)
	}
}
