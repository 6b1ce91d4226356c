package approvals

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestTwoTabsAnswerAtOnce(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	done := h.run(t.Context(), ask(callID(1)))
	item := h.shown(t)
	var wins atomic.Int32
	var tabs sync.WaitGroup
	for range 16 {
		tabs.Go(func() {
			switch err := h.inbox.Resolve(context.Background(), item.ID, approve(model.ScopeOnce), "you"); {
			case err == nil:
				wins.Add(1)
			case model.CodeOf(err) != model.CodeGone:
				t.Error(err)
			}
		})
	}
	tabs.Wait()
	if got := ended(t, done); got.call.State != model.CallDone || wins.Load() != 1 || len(h.received()) != 1 {
		t.Errorf("%s, %d answers won, %d were sent", got.call.State, wins.Load(), len(h.received()))
	}
	if e := h.audited(t); outcomes(e) != " approved" {
		t.Errorf("audit:%s", outcomes(e))
	}
}

func TestACallOfOneIdRunsOnce(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	h.rule(t, model.Rule{Action: model.PolicyAllow})
	if got, err := h.calls.Run(t.Context(), ask(callID(1))); err != nil || got.ID != callID(1) {
		t.Fatal(got.ID, err)
	}
	if _, err := h.calls.Run(t.Context(), ask(callID(1))); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("the second: %v", err)
	}
	if n := len(h.received()); n != 1 || outcomes(h.audited(t)) != " allowed" {
		t.Errorf("%d were sent, audit:%s", n, outcomes(h.audited(t)))
	}
}

func TestStopWhileThePersonThinks(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*house, context.CancelFunc){
		"its asker leaves":      func(_ *house, leave context.CancelFunc) { leave() },
		"the person cancels it": func(h *house, _ context.CancelFunc) { _, _ = h.calls.Cancel(context.Background(), callID(1), "you") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newWorld(t).start(t)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			done := h.run(ctx, ask(callID(1)))
			item := h.shown(t)
			stop(h, leave)
			got := ended(t, done)
			if got.err != nil || got.call.State != model.CallCancelled || h.row(t, callID(1)).State != model.CallCancelled {
				t.Errorf("%s, %v", got.call.State, got.err)
			}
			if err := h.inbox.Resolve(t.Context(), item.ID, approve(""), "you"); model.CodeOf(err) != model.CodeGone {
				t.Errorf("an answer after the end: %v", err)
			}
			if n := len(h.received()); n != 0 || outcomes(h.audited(t)) != " cancelled" {
				t.Errorf("%d were sent, audit:%s", n, outcomes(h.audited(t)))
			}
		})
	}
}

// Whoever is first, the call either ran once and says so, or didn't.
func TestApproveAgainstStop(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	for i := range 50 {
		before := len(h.received())
		done := h.run(t.Context(), ask(callID(i)))
		item := h.shown(t)
		var both sync.WaitGroup
		both.Go(func() { _ = h.inbox.Resolve(context.Background(), item.ID, approve(""), "you") })
		both.Go(func() { _, _ = h.calls.Cancel(context.Background(), callID(i), "you") })
		both.Wait()
		got := ended(t, done)
		sent := len(h.received()) - before
		if row := h.row(t, callID(i)); row.State != got.call.State {
			t.Errorf("the row is %s, the call %s", row.State, got.call.State)
		}
		switch got.call.State {
		case model.CallDone:
			if sent != 1 {
				t.Errorf("done, and %d were sent", sent)
			}
		case model.CallCancelled:
			if sent > 1 {
				t.Errorf("cancelled, and %d were sent", sent)
			}
		default:
			t.Errorf("it is %s, %+v", got.call.State, got.call.Error)
		}
	}
	if n := len(h.audited(t)); n != 50 {
		t.Errorf("%d decisions are in the audit, want one for each call", n)
	}
	if open := h.inbox.Open(); len(open) != 0 {
		t.Errorf("%d items are open", len(open))
	}
}
