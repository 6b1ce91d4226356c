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

// forwards moves the Service's clock.
func (r *rig) forwards(by time.Duration) {
	now := r.s.now().Add(by)
	r.s.now = func() time.Time { return now }
}

// together makes n requests at a time, all of which must be answered with want.
func (r *rig) together(c *http.Client, n, want int) {
	r.t.Helper()
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range n {
		wg.Go(func() {
			<-start
			if got, err := r.call(c, "/mcp"); got != want || err != nil {
				r.t.Errorf("a request of many = %d, %v, want %d", got, err, want)
			}
		})
	}
	close(start)
	wg.Wait()
}

func TestManyRequestsAfterTheTokensEndShareOneRefresh(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.forwards(2 * time.Hour)
	r.together(c, 20, 200)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes for 20 requests with an expired token", n)
	}
}

func TestManyRefusedRequestsShareOneRefresh(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	r.together(c, 20, 200)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes for 20 requests that were refused", n)
	}
	if got := r.status().State; got != model.AuthSignedIn {
		t.Errorf("State = %s", got)
	}
	for i, body := range r.server.bodies {
		if body != "body" && r.server.seen[i].Method == http.MethodPost {
			t.Errorf("the server got %q", body)
		}
	}
}

func TestATokenIsRenewedAMinuteBeforeItsEndOrAFifthOfAShortLife(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for life, early := range map[time.Duration]time.Duration{time.Hour: time.Minute, 5 * time.Minute: time.Minute, 5 * time.Second: time.Second} {
		rec := record{Obtained: now, Expires: now.Add(life)}
		if rec.due(now.Add(life-early-time.Millisecond)) || !rec.due(now.Add(life-early)) {
			t.Errorf("a token for %v isn't renewed %v before its end", life, early)
		}
	}
	if (&record{Obtained: now}).due(now.Add(1000 * time.Hour)) {
		t.Error("a token without an end is due")
	}
}

// O-73
func TestATokenWithoutAnEndIsUsedUntilItIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() { r.issuer.rotates, r.issuer.extra = false, map[string]any{"expires_in": nil} })
	r.signIn(r.docs())
	if auth := r.status(); !auth.ExpiresAt.IsZero() || auth.Renewable {
		t.Errorf("Status = %+v", auth)
	}
	c := r.client(r.docs())
	r.forwards(10000 * time.Hour)
	r.wantCall(c, "/mcp", 200)
	r.issuer.expire()
	before := r.changed
	r.together(c, 5, 401)
	r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
	if r.changed != before+1 {
		t.Errorf("the change was told %d times", r.changed-before)
	}
	if r.issuer.count("refresh_token") != 0 {
		t.Error("there was a refresh without a refresh token")
	}
}

// O-74
func TestATokenThatEndedWhileStoppedIsRenewed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	if err := r.s.Close(); err != nil {
		t.Fatal(err)
	}
	r.s = r.service()
	r.forwards(3 * time.Hour)
	if err := r.s.Load(t.Context(), []Server{r.docs()}); err != nil {
		t.Fatal(err)
	}
	if auth := r.wantState(model.AuthSignedIn, ""); !auth.Renewable {
		t.Errorf("Status = %+v", auth)
	}
	r.wantCall(r.client(r.docs()), "/mcp", 200)
}

func TestATokenThatEndedWhileStoppedAndCantBeRenewedIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() { r.issuer.rotates = false })
	r.signIn(r.docs())
	r.s = r.service()
	r.forwards(3 * time.Hour)
	if err := r.s.Load(t.Context(), []Server{r.docs()}); err != nil {
		t.Fatal(err)
	}
	r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
}

func TestARefusedRefreshAsksForASignInOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	r.issuer.set(func() { clear(r.issuer.refresh) })
	before := r.changed
	r.together(c, 10, 401)
	auth := r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
	if !strings.Contains(auth.Message, "invalid_grant") || !strings.Contains(auth.Message, hostOf(r.issuer.url())) || strings.Contains(auth.Message, "never finished") {
		t.Errorf("Message = %q", auth.Message)
	}
	if n := r.issuer.count("refresh_token"); n != 1 || r.changed != before+1 {
		t.Errorf("%d refreshes, %d changes", n, r.changed-before)
	}
	// The next process knows, and a sign-in mends it.
	r.s = r.service()
	if err := r.s.Load(t.Context(), []Server{r.docs()}); err != nil {
		t.Fatal(err)
	}
	r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
	if p := r.start(r.docs()); p.Reason != model.ReasonExpired {
		t.Errorf("Reason = %q", p.Reason)
	}
	r.signIn(r.docs())
	r.wantState(model.AuthSignedIn, "")
}

func TestAnAuthorizationServerInTroubleSignsNobodyOut(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request) bool{
		"503": func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(503); return true },
		"429": func(w http.ResponseWriter, _ *http.Request) bool { oauthError(w, 429, "slow_down", ""); return true },
		"web page": func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte("<html>" + canary))
			return true
		},
		"404": func(w http.ResponseWriter, r *http.Request) bool { http.NotFound(w, r); return true },
		"its error": func(w http.ResponseWriter, _ *http.Request) bool {
			oauthError(w, 400, "temporarily_unavailable", "")
			return true
		},
		"cut off": func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.signIn(r.docs())
			c := r.client(r.docs())
			r.issuer.set(func() { r.issuer.tokenHook = answer })

			// About to end: it is used as long as it is good.
			r.forwards(time.Hour - 30*time.Second)
			r.wantCall(c, "/mcp", 200)
			// Refused: the answer is passed on, and the next request asks first.
			r.issuer.expire()
			r.wantCall(c, "/mcp", 401)
			sent := r.server.requests()
			_, err := r.call(c, "/mcp")
			if we := (*model.Error)(nil); !errors.As(err, &we) || we.Code != model.CodeServerUnavailable || r.server.requests() != sent {
				t.Errorf("with a token that can't be renewed: %v, %d requests", err, r.server.requests()-sent)
			}
			if auth := r.status(); auth.State != model.AuthSignedIn || auth.Message == "" {
				t.Errorf("Status = %+v", auth)
			}
			r.issuer.set(func() { r.issuer.tokenHook = nil })
			r.wantCall(c, "/mcp", 200)
			if auth := r.wantState(model.AuthSignedIn, ""); auth.Message != "" {
				t.Errorf("Message = %q after all is well", auth.Message)
			}
		})
	}
}

func TestOddTokenTypesAreBearerTokens(t *testing.T) {
	t.Parallel()
	for _, kind := range []any{"bearer", "BEARER", "Bearer", nil, ""} {
		r := newRig(t)
		r.issuer.set(func() { r.issuer.extra["token_type"] = kind })
		r.signIn(r.docs())
		r.wantCall(r.client(r.docs()), "/mcp", 200)
	}
	r := newRig(t)
	r.issuer.set(func() { r.issuer.extra["token_type"] = "mac" })
	_, err := r.s.Finish(t.Context(), r.browse(r.start(r.docs()).URL), "mine")
	if err == nil || !strings.Contains(err.Error(), "mac") {
		t.Errorf("an unknown type: %v", err)
	}
}

func TestARefreshedTokenThatIsRefusedTooAsksForASignIn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	broken := true
	r.server.set(func() {
		r.server.check = func(w http.ResponseWriter, _ *http.Request) bool {
			if broken {
				w.WriteHeader(401)
			}
			return broken
		}
	})
	for range 3 {
		r.wantCall(c, "/mcp", 401)
	}
	r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
	if n := r.issuer.count("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	r.server.set(func() { broken = false })
	r.wantCall(c, "/mcp", 200)
	r.wantState(model.AuthSignedIn, "")
}
