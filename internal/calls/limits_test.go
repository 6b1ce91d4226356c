package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestTimeLimitCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, answering(untilCancelled))
		start := time.Now()
		got, err := r.Run(context.Background(), runTool)
		if err != nil || got.State != model.CallFailed || got.Error.Code != model.CodeTimeout {
			t.Errorf("got %s, %+v, %v", got.State, got.Error, err)
		}
		if took := time.Since(start); took != model.DefaultCallTimeout {
			t.Errorf("took %v, want %v", took, model.DefaultCallTimeout)
		}
	})
}

func TestConnectingIsNotTheCallsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		conn := fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) { return json.RawMessage(text), nil })
		r := newRig(t, func(context.Context, string) (Conn, error) {
			time.Sleep(2 * model.DefaultCallTimeout)
			return conn, nil
		})
		if got, err := r.Run(context.Background(), runTool); err != nil || got.State != model.CallDone {
			t.Errorf("got %s, %+v, %v", got.State, got.Error, err)
		}
	})
}

func TestProgressIsNewsTenTimesASecondAndTheLastIsToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := newRig(t, answering(func(_ context.Context, call client.ToolCall) (json.RawMessage, error) {
			for i := range 1000 {
				call.OnProgress(client.Progress{Progress: json.Number(fmt.Sprint(i + 1)), Total: "1000"})
				time.Sleep(time.Millisecond)
			}
			<-release
			return json.RawMessage(text), nil
		}))
		call, err := r.Start(context.Background(), runTool)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		var got []string
		for _, e := range r.told() {
			if p, ok := e.(model.CallProgressed); ok {
				got = append(got, p.Call.Progress.Progress.String())
			}
		}
		if len(got) < 10 || len(got) > 11 || got[0] != "1" || got[len(got)-1] != "1000" {
			t.Errorf("news of progress: %q", got)
		}
		close(release)
		if end, err := r.Wait(context.Background(), call.ID); err != nil || end.Progress.Progress != "1000" {
			t.Errorf("the end keeps %+v, %v", end.Progress, err)
		}
	})
}

// Nobody's time runs while the person thinks about an approval.
func TestWaitingForApprovalIsNotTheCallsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, answering(func(context.Context, client.ToolCall) (json.RawMessage, error) { return json.RawMessage(text), nil }))
		r.o.Policy, r.o.Approvals = askAlways{}, thinking(2*model.DefaultCallMax)
		agent := runTool
		agent.Asker = model.Asker{Kind: "agent"}
		if got, err := r.Run(t.Context(), agent); err != nil || got.State != model.CallDone {
			t.Errorf("got %s, %+v, %v", got.State, got.Error, err)
		} else if got.Waited != 2*model.DefaultCallMax {
			t.Errorf("it waited for %s, want %s", got.Waited, 2*model.DefaultCallMax)
		}
		want := []string{"started waiting_approval", "progressed running", "ended done"}
		if got := states(r.told()); !slices.Equal(got, want) {
			t.Errorf("news = %q, want %q", got, want)
		}
	})
}

// A call that the last run left waiting has waited since it began, also while Kontor
// was down.
func TestACallThatIsResumedHasWaitedSinceItBegan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const before, after = 24 * time.Hour, time.Minute
		r := newRig(t, answering(func(context.Context, client.ToolCall) (json.RawMessage, error) {
			time.Sleep(time.Second)
			return json.RawMessage(text), nil
		}))
		r.o.Policy, r.o.Approvals = askAlways{}, thinking(after)
		r.store.put(model.Call{ID: "c", Server: "s", Tool: "run", State: model.CallWaitingApproval,
			Asker: model.Asker{Kind: "agent"}, StartedAt: time.Now().Add(-before)})
		got, err := r.Resume(t.Context(), "c")
		if err != nil || got.State != model.CallDone {
			t.Fatalf("got %s, %+v, %v", got.State, got.Error, err)
		}
		if want := before + after; got.Waited != want {
			t.Errorf("it waited for %s, want %s", got.Waited, want)
		}
	})
}

func TestACallCancelledWhileItWaitsForApprovalWasNotSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, answering(untilCancelled))
		r.o.Policy, r.o.Approvals = askAlways{}, nobody{}
		agent := runTool
		agent.Asker = model.Asker{Kind: "agent"}
		call, err := r.Start(t.Context(), agent)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		got, err := r.Cancel(t.Context(), call.ID, "you")
		if err != nil || got.State != model.CallCancelled || got.Error.Code != model.CodeNotSent || got.Error.Message != "cancelled by you" {
			t.Errorf("got %s, %+v, %v", got.State, got.Error, err)
		}
	})
}

// nobody is a person who never answers.
type nobody struct{ thinking }

func (nobody) Ask(ctx context.Context, _ model.Item) (model.Answer, error) {
	<-ctx.Done()
	return model.Answer{}, context.Cause(ctx)
}

// askAlways is a policy that asks about everything.
type askAlways struct{ freely }

func (askAlways) Decide(context.Context, model.PolicySubject) model.PolicyDecision {
	return model.PolicyDecision{Action: model.PolicyAsk}
}

// thinking is a person who approves after a while.
type thinking time.Duration

func (d thinking) Ask(context.Context, model.Item) (model.Answer, error) {
	time.Sleep(time.Duration(d))
	return model.Answer{Action: model.ActionAccept, Scope: model.ScopeOnce}, nil
}

func (thinking) Wait(context.Context, string) (model.Answer, error) { return model.Answer{}, nil }

func (thinking) Find(context.Context, model.ItemKind, string) (model.Item, error) {
	return model.Item{}, model.Errorf(model.CodeNotFound, "nothing was asked")
}
