package calls

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestQuestionStopsTheClocksOfAllWhoMayAsk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, answering(untilCancelled))
		var ids []string
		for range 3 {
			c, err := r.Start(context.Background(), runTool)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, c.ID)
		}
		synctest.Wait()
		r.told()
		asking, calls, end := r.o.Open.Begin(context.Background(), ids[:2])
		if len(calls) != 2 || calls[0].State != model.CallWaitingInput {
			t.Errorf("asked for %+v", calls)
		}
		time.Sleep(24 * time.Hour)
		if asking.Err() != nil {
			t.Errorf("the question ended: %v", context.Cause(asking))
		}
		end()
		end() // once is enough
		if got, want := states(r.told()), []string{
			"progressed waiting_input", "progressed waiting_input", "ended failed", "progressed running", "progressed running",
		}; !slices.Equal(got, want) {
			t.Errorf("news = %q, want %q", got, want)
		}
		time.Sleep(model.DefaultCallTimeout - time.Second)
		if got, _ := r.Get(context.Background(), ids[0]); got.State != model.CallRunning {
			t.Errorf("a second before its limit the call is %s", got.State)
		}
		time.Sleep(2 * time.Second)
		if got, _ := r.Get(context.Background(), ids[0]); got.State != model.CallFailed || got.Waited != 24*time.Hour {
			t.Errorf("a second after its limit the call is %s and waited %s", got.State, got.Waited)
		}
	})
}

func TestQuestionEndsWithTheLastCallThatMayAsk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, answering(untilCancelled))
		first, err := r.Start(context.Background(), runTool)
		if err != nil {
			t.Fatal(err)
		}
		second, err := r.Start(context.Background(), runTool)
		if err != nil {
			t.Fatal(err)
		}
		asking, _, end := r.o.Open.Begin(context.Background(), []string{first.ID, second.ID, "gone"})
		defer end()
		for i, c := range []model.Call{first, second} {
			if _, err := r.Cancel(context.Background(), c.ID, "you"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if ended := asking.Err() != nil; ended != (i == 1) {
				t.Errorf("after %d calls ended the question is over: %v", i+1, ended)
			}
		}
		if !errors.Is(context.Cause(asking), errCallOver) {
			t.Errorf("cause = %v", context.Cause(asking))
		}
	})
}

func TestQuestionWithoutACallEndsWithItsConnection(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	asking, calls, end := NewRegistry(func(model.Event) {}).Begin(ctx, nil)
	defer end()
	if len(calls) > 0 || asking.Err() != nil {
		t.Errorf("calls %+v, %v", calls, asking.Err())
	}
	lost := errors.New("lost")
	cancel(lost)
	if !errors.Is(context.Cause(asking), lost) {
		t.Errorf("cause = %v, want %v", context.Cause(asking), lost)
	}
}

func TestQuestionWhileConnectingDoesNotStartTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		connected := make(chan struct{})
		conn := fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) { return json.RawMessage(text), nil })
		r := newRig(t, func(context.Context, string) (Conn, error) {
			<-connected
			return conn, nil
		})
		c, err := r.Start(context.Background(), runTool)
		if err != nil {
			t.Fatal(err)
		}
		_, _, end := r.o.Open.Begin(context.Background(), []string{c.ID})
		end()
		time.Sleep(24 * time.Hour)
		close(connected)
		if got, err := r.Wait(context.Background(), c.ID); err != nil || got.State != model.CallDone {
			t.Errorf("got %s, %v", got.State, err)
		}
	})
}
