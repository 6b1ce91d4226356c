package store_test

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func newEntry(c model.Call, outcome string) model.AuditEntry {
	return model.AuditEntry{ID: uuid.Must(uuid.NewV7()).String(), At: start, CallID: c.ID, SessionID: c.SessionID, Asker: c.Asker,
		Agent: "main", Server: c.Server, Tool: c.Tool, Arguments: c.Arguments, Decision: model.PolicyAsk, Outcome: outcome,
		RuleID: "r1", Reason: "Rule 1 asks.", Scope: model.ScopeOnce, Note: "fine", By: "you"}
}

func audited(t *testing.T, s *store.Store) []model.AuditEntry {
	t.Helper()
	entries, _, err := s.ListAudit(t.Context(), 100, "")
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestAWaitingCallIsApprovedOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	call.State = model.CallWaitingApproval
	insert(t, s, call)
	var wins atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			switch err := s.ApproveCall(t.Context(), call.ID, newEntry(call, model.OutcomeApproved)); {
			case err == nil:
				wins.Add(1)
			case model.CodeOf(err) != model.CodeConflict:
				t.Error(err)
			}
		})
	}
	group.Wait()
	got, err := s.Call(t.Context(), call.ID)
	if err != nil || wins.Load() != 1 || got.State != model.CallRunning || len(audited(t, s)) != 1 {
		t.Errorf("%d approvals won, the call is %s, %d entries, %v", wins.Load(), got.State, len(audited(t, s)), err)
	}
}

func TestTheStateOfACallMovesOnlyFromTheRightOne(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	approve := func(id string) error {
		return s.ApproveCall(t.Context(), id, newEntry(model.Call{ID: id, Arguments: []byte("{}")}, model.OutcomeApproved))
	}
	hold := func(id string) error { return s.HoldCall(t.Context(), id) }
	for _, tc := range []struct {
		name string
		from model.CallState
		move func(string) error
		want model.CallState // empty: refused
	}{
		{"approve", model.CallWaitingApproval, approve, model.CallRunning},
		{"approve", model.CallRunning, approve, ""},
		{"approve", model.CallCancelled, approve, ""},
		{"hold", model.CallRunning, hold, model.CallWaitingApproval},
		{"hold", model.CallWaitingApproval, hold, ""},
		{"hold", model.CallDone, hold, ""},
	} {
		call := newCall()
		call.State = tc.from
		insert(t, s, call)
		err := tc.move(call.ID)
		got, _ := s.Call(t.Context(), call.ID)
		if tc.want == "" {
			wantCode(t, err, model.CodeConflict)
			tc.want = tc.from
		} else if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if got.State != tc.want {
			t.Errorf("%s of a %s call: it is %s, want %s", tc.name, tc.from, got.State, tc.want)
		}
	}
	if n := len(audited(t, s)); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

func TestADecidedCallAndItsEntryComeBack(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	call.Agent = "main"
	entry := newEntry(call, model.OutcomeAllowed)
	if err := s.InsertDecidedCall(t.Context(), call, entry); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.InsertDecidedCall(t.Context(), call, newEntry(call, model.OutcomeAllowed)), model.CodeConflict)
	if got, err := s.Call(t.Context(), call.ID); err != nil || !reflect.DeepEqual(got, call) {
		t.Errorf("call:\n got %+v, %v\nwant %+v", got, err, call)
	}
	if got := audited(t, s); !reflect.DeepEqual(got, []model.AuditEntry{entry}) {
		t.Errorf("audit:\n got %+v\nwant %+v", got, entry)
	}
}

func TestADeniedCallIsFinalAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	call.State, call.EndedAt, call.Error = model.CallFailed, start, model.Errorf(model.CodeDenied, "no")
	if err := s.InsertDecidedCall(t.Context(), call, newEntry(call, model.OutcomeDenied)); err != nil {
		t.Fatal(err)
	}
	got, err := s.Call(t.Context(), call.ID)
	if err != nil || got.State != model.CallFailed || got.Error == nil || got.Error.Code != model.CodeDenied || !got.EndedAt.Equal(start) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestADecisionThatEndsACallIsKeptOnlyWithTheEnd(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	call.State = model.CallWaitingApproval
	insert(t, s, call)
	call.State, call.EndedAt, call.Error = model.CallRejected, start, model.Errorf(model.CodeRejected, "no")
	if err := s.FinishDecidedCall(t.Context(), call, newEntry(call, model.OutcomeRejected)); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.FinishDecidedCall(t.Context(), call, newEntry(call, model.OutcomeApproved)), model.CodeConflict)
	if got := audited(t, s); len(got) != 1 || got[0].Outcome != model.OutcomeRejected {
		t.Errorf("audit: %+v", got)
	}
}

func TestTheAuditIsReadPageByPage(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var want []string
	for range 5 {
		e := newEntry(newCall(), model.OutcomeAllowed)
		want = append([]string{e.ID}, want...)
		if err := s.InsertAudit(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for cursor := ""; ; {
		entries, next, err := s.ListAudit(t.Context(), 2, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.ID)
		}
		if cursor = next; next == "" {
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	_, _, err := s.ListAudit(t.Context(), 2, "mine")
	wantCode(t, err, model.CodeInvalid)
}

func TestRulesAreReplacedAsAWhole(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	rules := []model.Rule{
		{ID: "a", Position: 0, Server: "demo", Tool: "*", Action: model.PolicyAllow, Note: "fine", CreatedAt: start},
		{ID: "b", Position: 1, Agent: "main", Asker: "agent", Action: model.PolicyDeny, CreatedAt: start,
			Argument: &model.ArgumentPattern{Path: "/a~1b", Pattern: `{"n":1.0,"h":"<&>"}`, Exact: true}},
	}
	for _, want := range [][]model.Rule{rules, {rules[1]}, {}} {
		for i := range want {
			want[i].Position = i
		}
		if err := s.SetRules(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Rules(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Rules:\n got %+v, %v\nwant %+v", got, err, want)
		}
	}
	if err := s.SetRules(t.Context(), []model.Rule{rules[0], {ID: "c", Position: 1, Action: "perhaps"}}); err == nil {
		t.Error("an action that is none was kept")
	}
	if got, err := s.Rules(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("half of it was kept: %+v, %v", got, err)
	}
}

func TestAnApprovalForAChatEndsWithItsServer(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if err := s.InsertServer(t.Context(), model.Server{Name: "demo", Transport: model.TransportStdio, Command: "x"}); err != nil {
		t.Fatal(err)
	}
	want := model.SessionGrant{SessionID: "s1", Server: "demo", Tool: "run"}
	if err := s.PutSessionGrant(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	want.ChangedAt = start
	if err := s.PutSessionGrant(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.SessionGrant(t.Context(), "s1", "demo", "run"); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	_, err := s.SessionGrant(t.Context(), "s2", "demo", "run")
	wantCode(t, err, model.CodeNotFound)
	if err := s.DeleteServer(t.Context(), "demo"); err != nil {
		t.Fatal(err)
	}
	_, err = s.SessionGrant(t.Context(), "s1", "demo", "run")
	wantCode(t, err, model.CodeNotFound)
}
