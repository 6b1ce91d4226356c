package servers

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

func TestLostConnectionComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clients := make(chan *fakeClient, 10)
		r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
			c := newFakeClient()
			clients <- c
			return c, nil
		}, config("a"))
		synctest.Wait()
		r.told("a")
		time.Sleep(time.Hour)
		(<-clients).die(&stdio.ExitError{Command: "run", ExitCode: 3, StderrTail: []string{"oops"}})
		synctest.Wait()
		st := r.state(t, "a")
		if want := `stopped unexpectedly: command "run" exited with code 3; the last that it wrote to stderr: oops`; st.State != model.ServerFailed ||
			st.LastError.Message != want || st.LastError.Code != codeExited {
			t.Errorf("status = %s, %+v", st.State, st.LastError)
		}
		if wait := time.Until(st.NextAttemptAt); wait < model.DefaultReconnectInitial/2 || wait > model.DefaultReconnectInitial {
			t.Errorf("the next attempt is in %v", wait)
		}
		time.Sleep(model.DefaultReconnectInitial)
		synctest.Wait()
		if got, want := r.told("a"), []string{"failed", "connecting", "ready"}; !slices.Equal(got, want) {
			t.Errorf("news = %q, want %q", got, want)
		}
		if st := r.state(t, "a"); st.Attempts != 0 || !st.NextAttemptAt.IsZero() || st.LastError == nil {
			t.Errorf("status = %+v", st)
		}
	})
}

func TestLostSessionIsReplacedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clients := make(chan *fakeClient, 10)
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			c := newFakeClient()
			clients <- c
			return c, nil
		}, config("a"))
		synctest.Wait()
		time.Sleep(time.Hour)
		start := time.Now()
		(<-clients).die(wire.ErrSessionLost)
		synctest.Wait()
		if st := r.state(t, "a"); st.State != model.ServerReady || time.Since(start) > 0 {
			t.Errorf("state = %s after %v", st.State, time.Since(start))
		}
	})
}

func TestFailingServerIsGivenUpAndSaysEachErrorOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) { return nil, errors.New("no good") }, config("a"))
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(r.dialled()); n != model.DefaultReconnectAttempts+1 {
			t.Errorf("dialled %d times, want the first and %d more", n, model.DefaultReconnectAttempts)
		}
		st := r.state(t, "a")
		if st.State != model.ServerFailed || !st.NextAttemptAt.IsZero() || st.Attempts != model.DefaultReconnectAttempts+1 {
			t.Errorf("status = %+v", st)
		}
		if n := r.log.count("lifecycle failed: no good"); n != 1 {
			t.Errorf("the log says it %d times", n)
		}
		if _, err := r.Reconnect("a"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if st := r.state(t, "a"); st.NextAttemptAt.IsZero() {
			t.Error("a reconnect by hand doesn't begin anew")
		}
	})
}

func TestErrorsOfThePersonAreNotRetried(t *testing.T) {
	t.Parallel()
	for state, err := range map[model.ServerState]error{
		model.ServerNeedsSignIn: &wire.HTTPError{Status: 401},
		model.ServerFailed:      &stdio.NotFoundError{Command: "npx", Path: "/bin"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) { return nil, err }, config("a"))
			time.Sleep(time.Hour)
			if st := r.state(t, "a"); st.State != state || !st.NextAttemptAt.IsZero() || len(r.dialled()) != 1 {
				t.Errorf("status = %+v, want %s", st, state)
			}
		})
	}
}

func TestConnDialsAtOnceAndShares(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mended atomic.Bool
		release := make(chan struct{})
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			if !mended.Load() {
				return nil, errors.New("no good")
			}
			<-release
			return newFakeClient(), nil
		}, config("a"))
		time.Sleep(time.Hour) // given up
		synctest.Wait()
		mended.Store(true)
		r.dialled()
		got := make(chan *Conn)
		for range 5 {
			go func() {
				c, err := r.Conn(ctx, "a")
				if err != nil {
					t.Error(err)
				}
				got <- c
			}()
		}
		synctest.Wait()
		if n := len(r.dialled()); n != 1 {
			t.Errorf("dialled %d times", n)
		}
		start := time.Now()
		close(release)
		first := <-got
		for range 4 {
			if c := <-got; c != first {
				t.Error("they don't share a connection")
			}
		}
		if time.Since(start) > 0 {
			t.Error("they waited on")
		}
	})
}

func TestConnFailsWithItsDial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			time.Sleep(time.Second)
			return nil, errors.New("no good")
		}, config("a"))
		if _, err := r.Conn(ctx, "a"); err == nil || err.Error() != "no good" {
			t.Errorf("err = %v", err)
		}
	})
}

func TestConnGivesUpWithItsAsker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(ctx context.Context, _ model.Server) (*fakeClient, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}, config("a"))
		cause := errors.New("asker left")
		leaving, cancel := context.WithCancelCause(ctx)
		cancel(cause)
		if _, err := r.Conn(leaving, "a"); !errors.Is(err, cause) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestCloseEndsDialsAndConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
			if s.Name == "slow" {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}
			return newFakeClient(), nil
		}, config("a"), config("slow"))
		conn, err := r.Conn(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		waiting := make(chan error)
		go func() { waiting <- second(r.Conn(ctx, "slow")) }()
		synctest.Wait()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if !conn.client.(*fakeClient).isClosed() {
			t.Error("a connection stays open")
		}
		if err := <-waiting; model.CodeOf(err) != model.CodeServerUnavailable {
			t.Errorf("who waited got %v", err)
		}
	})
}
