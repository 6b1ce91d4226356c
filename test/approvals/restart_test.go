package approvals

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

// turn has the chat be in the middle of a turn.
func (w *world) turn(t *testing.T) {
	t.Helper()
	s := storetest.Open(t, w.path)
	err := s.InsertChat(t.Context(), model.ChatSession{ID: "chat", TurnID: "t"}, model.Frame{ID: "f", SessionID: "chat", State: model.FrameOpen})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAStopLeavesWhatWaitsAndTheNextStartTakesItUp(t *testing.T) {
	t.Parallel()
	for name, answered := range map[string]bool{"answered while it runs": false, "answered before it is taken up": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.turn(t)
			h := w.start(t)
			done := h.run(t.Context(), ask(callID(1)))
			item := h.shown(t)
			h.stop(t)
			if got := ended(t, done); !errors.Is(got.err, model.ErrStopping) || !errors.Is(got.err, context.Canceled) || got.call.State != model.CallWaitingApproval {
				t.Errorf("at the stop: %s, %v", got.call.State, got.err)
			}
			if row := h.row(t, callID(1)); row.State != model.CallWaitingApproval {
				t.Errorf("the row is %s", row.State)
			}
			h = w.start(t)
			if open := h.inbox.Open(); len(open) != 1 || open[0].ID != item.ID || open[0].Approval.Notes[0] != "n was text" {
				t.Fatalf("after the start there is %+v", open)
			}
			if answered {
				h.answer(t, item, approve(model.ScopeOnce))
			}
			var takers sync.WaitGroup
			results := make(chan outcome, 4)
			for range 4 {
				takers.Go(func() { results <- ended(t, h.resume(t.Context(), callID(1))) })
			}
			if !answered {
				h.answer(t, item, approve(model.ScopeOnce))
			}
			takers.Wait()
			for range 4 {
				if got := <-results; got.err != nil || got.call.State != model.CallDone || got.call.Result.Text != "ran" {
					t.Errorf("taken up: %s, %+v, %v", got.call.State, got.call.Error, got.err)
				}
			}
			if n := len(h.received()); n != 1 || outcomes(h.audited(t)) != " approved" {
				t.Errorf("%d were sent, audit:%s", n, outcomes(h.audited(t)))
			}
			if len(h.added) != 0 {
				t.Error("the person was asked again")
			}
		})
	}
}

// Each point at which the process may die: what the row and the item say then, and
// what comes of the call at the next start.
func TestEveryCrashPoint(t *testing.T) {
	t.Parallel()
	accepted := &model.Resolution{Action: model.ActionAccept, By: "you", Scope: model.ScopeOnce, At: time.Now()}
	always := &model.Resolution{Action: model.ActionAccept, By: "you", Scope: model.ScopeAlways, At: time.Now()}
	declined := &model.Resolution{Action: model.ActionDecline, By: "you", Note: "no", At: time.Now()}
	cancelled := &model.Resolution{Action: model.ActionCancel, By: "call ended", At: time.Now()}
	for _, tc := range []struct {
		name   string
		row    model.CallState // empty: there is none
		item   bool
		ended  *model.Resolution
		answer *model.Answer // given after the start, to whichever item is open
		state  model.CallState
		code   model.Code
		sent   int
		audit  string
		rules  int
	}{
		{name: "before the row", code: model.CodeNotFound},
		{name: "before the item", row: model.CallWaitingApproval, answer: new(approve(model.ScopeOnce)), state: model.CallDone, sent: 1, audit: " approved"},
		{name: "before the item, then rejected", row: model.CallWaitingApproval, answer: new(reject("")), state: model.CallRejected, code: model.CodeRejected, audit: " rejected"},
		{name: "before the answer", row: model.CallWaitingApproval, item: true, answer: new(approve(model.ScopeOnce)), state: model.CallDone, sent: 1, audit: " approved"},
		{name: "before the answer, then rejected", row: model.CallWaitingApproval, item: true, answer: new(reject("")), state: model.CallRejected, code: model.CodeRejected, audit: " rejected"},
		{name: "after an approval", row: model.CallWaitingApproval, item: true, ended: accepted, state: model.CallDone, sent: 1, audit: " approved"},
		{name: "after an approval for good", row: model.CallWaitingApproval, item: true, ended: always, state: model.CallDone, sent: 1, audit: " approved", rules: 1},
		{name: "after a rejection", row: model.CallWaitingApproval, item: true, ended: declined, state: model.CallRejected, code: model.CodeRejected, audit: " rejected"},
		{name: "after a stop", row: model.CallWaitingApproval, item: true, ended: cancelled, state: model.CallCancelled, code: model.CodeNotSent, audit: " cancelled"},
		{name: "before it was sent, or after", row: model.CallRunning, item: true, ended: accepted, state: model.CallUnknown, code: model.CodeOutcomeUnknown},
		{name: "after its end", row: model.CallDone, item: true, ended: accepted, state: model.CallDone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.turn(t)
			w.leave(t, tc.row, tc.item, tc.ended)
			h := w.start(t)
			done := h.resume(t.Context(), callID(1))
			if tc.answer != nil {
				item := func() model.Item {
					if tc.item {
						return h.inbox.Open()[0]
					}
					return h.shown(t)
				}()
				h.answer(t, item, *tc.answer)
			}
			got := ended(t, done)
			if got.err == nil && got.call.Error != nil {
				got.err = got.call.Error
			}
			if got.call.State != tc.state || (got.err != nil) != (tc.code != "") || got.err != nil && model.CodeOf(got.err) != tc.code {
				t.Errorf("it is %q, %v, want %q, %s", got.call.State, got.err, tc.state, tc.code)
			}
			if n := len(h.received()); n != tc.sent || outcomes(h.audited(t)) != tc.audit {
				t.Errorf("%d were sent, want %d; audit:%s, want%s", n, tc.sent, outcomes(h.audited(t)), tc.audit)
			}
			if rules, _ := h.policy.Rules(t.Context()); len(rules) != tc.rules {
				t.Errorf("%d rules, want %d", len(rules), tc.rules)
			}
			if open := h.inbox.Open(); len(open) != 0 {
				t.Errorf("%d items are left open", len(open))
			}
			again, _ := h.calls.Resume(t.Context(), callID(1))
			if again.State != tc.state || len(h.received()) != tc.sent {
				t.Errorf("taken up twice it is %q, %d were sent", again.State, len(h.received()))
			}
		})
	}
}

// leave is what a Kontor that was killed left in the database.
func (w *world) leave(t *testing.T, row model.CallState, item bool, ended *model.Resolution) {
	t.Helper()
	s := storetest.Open(t, w.path)
	r := ask(callID(1))
	if row != "" {
		call := model.Call{ID: r.ID, Server: "s", Tool: "run", Arguments: r.Arguments, State: row, Asker: r.Asker, Agent: r.Agent, SessionID: r.SessionID}
		if err := s.InsertCall(t.Context(), call); err != nil {
			t.Fatal(err)
		}
	}
	if !item {
		return
	}
	i := model.Item{ID: "i1", Kind: model.ItemApproval, Server: "s", Tool: "run", CallID: r.ID, SessionID: r.SessionID, Asker: r.Asker,
		Approval: &model.Approval{Name: r.Name, Description: "Runs it", Arguments: json.RawMessage(r.Arguments), Agent: "main", Reason: "No rule allows it."}}
	if err := s.InsertItem(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	if ended != nil {
		if _, err := s.ResolveItem(t.Context(), "i1", *ended); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatChangedWhileKontorWasDownIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.turn(t)
	first := w.start(t)
	done := first.run(t.Context(), ask(callID(1)))
	item := first.shown(t)
	first.answerLater(t, item)
	ended(t, done)
	w.offers = `{"name":"run","description":"Runs it elsewhere","inputSchema":{"type":"object"}}`
	h := w.start(t)
	resumed := h.resume(t.Context(), callID(1))
	second := h.shown(t)
	if second.Approval.Change == nil || len(h.received()) != 0 {
		t.Errorf("it shows %+v, %d were sent", second.Approval.Change, len(h.received()))
	}
	h.answer(t, second, reject("what is this?"))
	if got := ended(t, resumed); got.call.State != model.CallRejected || outcomes(h.audited(t)) != " approved rejected" {
		t.Errorf("%s, audit:%s", got.call.State, outcomes(h.audited(t)))
	}
}

func TestWhatNobodyComesBackForIsCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.start(t)
	done := h.run(t.Context(), ask(callID(1)))
	item := h.shown(t)
	h.stop(t)
	ended(t, done)
	h = w.start(t)
	if row := h.row(t, callID(1)); row.State != model.CallCancelled || outcomes(h.audited(t)) != " cancelled" {
		t.Errorf("the row is %s, audit:%s", row.State, outcomes(h.audited(t)))
	}
	if err := h.inbox.Resolve(t.Context(), item.ID, approve(""), "you"); model.CodeOf(err) != model.CodeGone {
		t.Errorf("the item: %v", err)
	}
	if got, err := h.calls.Resume(t.Context(), callID(1)); err != nil || got.State != model.CallCancelled || len(h.received()) != 0 {
		t.Errorf("taken up: %s, %v", got.State, err)
	}
}
