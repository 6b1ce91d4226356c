package store_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestSettlingMakesSentCallsUnknown(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	addTurn(t, s, "s1")
	want := map[model.CallState]model.CallState{
		model.CallRunning: model.CallUnknown, model.CallWaitingInput: model.CallUnknown,
		model.CallWaitingApproval: model.CallWaitingApproval, model.CallDone: model.CallDone}
	ids := map[model.CallState]string{}
	for state := range want {
		call := newCall()
		call.State = state
		insert(t, s, call)
		ids[state] = call.ID
	}
	n, err := s.SettleOpenCalls(t.Context(), start)
	if err != nil || n != 2 {
		t.Errorf("SettleOpenCalls: %d, %v, want 2", n, err)
	}
	for state, settled := range want {
		got, err := s.Call(t.Context(), ids[state])
		if err != nil || got.State != settled {
			t.Errorf("%s became %q, %v, want %q", state, got.State, err, settled)
		}
		if settled == model.CallUnknown && (got.Error == nil || got.Error.Code != model.CodeOutcomeUnknown || !got.EndedAt.Equal(start)) {
			t.Errorf("%s: error %v, ended %v", state, got.Error, got.EndedAt)
		}
	}
}

// A call that waits for approval is cancelled, and audited, where its turn is over.
func TestSettlingCancelsWhatWaitsForNobody(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	addTurn(t, s, "s1")
	lost, kept := newCall(), newCall()
	lost.State, lost.SessionID, lost.Agent = model.CallWaitingApproval, "gone", "main"
	kept.State = model.CallWaitingApproval
	insert(t, s, lost, kept)
	if n, err := s.SettleOpenCalls(t.Context(), start); err != nil || n != 0 {
		t.Errorf("SettleOpenCalls: %d, %v, want 0 unknown", n, err)
	}
	for id, want := range map[string]model.CallState{lost.ID: model.CallCancelled, kept.ID: model.CallWaitingApproval} {
		if got, err := s.Call(t.Context(), id); err != nil || got.State != want {
			t.Errorf("it is %s, %v, want %s", got.State, err, want)
		}
	}
	audit, _, err := s.ListAudit(t.Context(), 10, "")
	if err != nil || len(audit) != 1 || audit[0].CallID != lost.ID || audit[0].Outcome != model.OutcomeCancelled || audit[0].Agent != "main" {
		t.Errorf("audit: %+v, %v", audit, err)
	}
}

func TestSettlingFindsWhatEachRunLeftOpen(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	addTurn(t, s, "s1")
	begun := time.Now()
	at := func(minutes int) time.Time { return begun.Add(time.Duration(minutes) * time.Minute) }
	call := func(minutes int, state model.CallState) string {
		c := newCall()
		c.ID, c.State = fmt.Sprintf("%08x-%04x-%s", at(minutes).UnixMilli()>>16, at(minutes).UnixMilli()&0xffff, state), state
		insert(t, s, c)
		return c.ID
	}
	settle := func(minutes, want int) {
		t.Helper()
		if n, err := s.SettleOpenCalls(t.Context(), at(minutes)); err != nil || n != want {
			t.Errorf("after %d minutes: %d settled, %v, want %d", minutes, n, err, want)
		}
	}
	waiting := call(0, model.CallWaitingApproval)
	call(1, model.CallRunning)
	settle(2, 1)
	call(3, model.CallRunning)
	settle(4, 1)
	settle(5, 0)
	// What waited for approval from the first run on is approved now, and cut off.
	db, err := sql.Open("sqlite", s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE tool_calls SET state = 'running' WHERE id = ?`, waiting); err != nil {
		t.Fatal(err)
	}
	settle(6, 1)
	// The clock was set back by hours.
	settle(-200, 0)
	call(-199, model.CallWaitingInput)
	settle(-198, 1)
}
