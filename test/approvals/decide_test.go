package approvals

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/model"
)

func TestWhatIsApprovedIsWhatRuns(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	done := h.run(t.Context(), ask(callID(1)))
	item := h.shown(t)
	want := &model.Approval{Name: "mcp__s__run", Description: "Runs it", Agent: "main", Notes: []string{"n was text"},
		Arguments: json.RawMessage(`{"command":"ls","n":1.0}`), Reason: "No rule allows it."}
	if item.Kind != model.ItemApproval || item.CallID != callID(1) || item.SessionID != "chat" || !reflect.DeepEqual(item.Approval, want) {
		t.Errorf("the person sees %+v", item)
	}
	if row := h.row(t, callID(1)); row.State != model.CallWaitingApproval || row.Agent != "main" {
		t.Errorf("the row is %+v", row)
	}
	if got, _ := h.calls.Get(t.Context(), callID(1)); got.State != model.CallWaitingApproval || len(h.received()) != 0 {
		t.Errorf("meanwhile it is %s, %d were sent", got.State, len(h.received()))
	}
	h.answer(t, item, approve(""))
	got := ended(t, done)
	if got.err != nil || got.call.State != model.CallDone || got.call.Result.Text != "ran" {
		t.Errorf("%s, %v", got.call.State, got.err)
	}
	sent := h.received()
	if len(sent) != 1 || string(sent[0].Arguments) != string(want.Arguments) || sent[0].CallID != callID(1) {
		t.Errorf("sent: %+v", sent)
	}
	entries := h.audited(t)
	if len(entries) != 1 {
		t.Fatalf("audit:%s", outcomes(entries))
	}
	e := entries[0]
	if e.Outcome != model.OutcomeApproved || e.Decision != model.PolicyAsk || e.By != "you" || e.Scope != model.ScopeOnce ||
		e.CallID != callID(1) || string(e.Arguments) != string(want.Arguments) || e.Agent != "main" || e.Reason != want.Reason {
		t.Errorf("audit: %+v", e)
	}
}

func TestWhoIsAsked(t *testing.T) {
	t.Parallel()
	person := ask("")
	person.Asker, person.Agent = model.Asker{Kind: "person"}, ""
	for _, tc := range []struct {
		name    string
		request model.CallRequest
		rule    model.PolicyAction
		state   model.CallState
		code    model.Code
		audit   string
	}{
		{"an agent that a rule allows", ask(""), model.PolicyAllow, model.CallDone, "", " allowed"},
		{"an agent that a rule denies", ask(""), model.PolicyDeny, model.CallFailed, model.CodeDenied, " denied"},
		{"the person", person, "", model.CallDone, "", ""},
		{"the person, although a rule asks", person, model.PolicyAsk, model.CallDone, "", ""},
		{"the person, denied", person, model.PolicyDeny, model.CallFailed, model.CodeDenied, " denied"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newWorld(t).start(t)
			if tc.rule != "" {
				h.rule(t, model.Rule{Server: "s", Action: tc.rule, Note: "so be it"})
			}
			got, err := h.calls.Run(t.Context(), tc.request)
			if err != nil || got.State != tc.state || (got.Error != nil) != (tc.code != "") {
				t.Fatalf("%s, %+v, %v", got.State, got.Error, err)
			}
			if got.Error != nil && (got.Error.Code != tc.code || !strings.Contains(got.Error.Message, "Rule 1 denies it: “so be it”.")) {
				t.Errorf("because %+v", got.Error)
			}
			if row := h.row(t, got.ID); row.State != tc.state || row.EndedAt.IsZero() {
				t.Errorf("the row is %s, ended %v", row.State, row.EndedAt)
			}
			if n := len(h.received()); (n == 1) != (tc.state == model.CallDone) {
				t.Errorf("%d were sent", n)
			}
			if entries := h.audited(t); outcomes(entries) != tc.audit {
				t.Errorf("audit:%s, want%s", outcomes(entries), tc.audit)
			}
		})
	}
}

// Whoever isn't the person is held until somebody answers, and a refusal never
// reaches the server; an asker of a kind that nobody knows yet, too.
func TestEveryWayInIsHeld(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	for _, kind := range []string{"agent", "subagent", "gateway", "trigger", "schedule", "app", ""} {
		request := ask("")
		request.Asker.Kind, request.SessionID = kind, ""
		done := h.run(t.Context(), request)
		item := h.shown(t)
		if item.Asker.Kind != kind {
			t.Errorf("%q is shown as %q", kind, item.Asker.Kind)
		}
		h.answer(t, item, reject(""))
		if got := ended(t, done); got.call.State != model.CallRejected || len(h.received()) != 0 {
			t.Errorf("%q: %s, %d were sent", kind, got.call.State, len(h.received()))
		}
	}
}

func TestARejectionTellsTheModelWhy(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	done := h.run(t.Context(), ask(callID(1)))
	h.answer(t, h.shown(t), reject(" not on Sundays "))
	got := ended(t, done)
	if got.err != nil || got.call.State != model.CallRejected || got.call.Error.Code != model.CodeRejected ||
		!strings.HasSuffix(got.call.Error.Message, "with the note: not on Sundays") {
		t.Errorf("%s, %+v, %v", got.call.State, got.call.Error, got.err)
	}
	if row := h.row(t, callID(1)); row.State != model.CallRejected || len(h.received()) != 0 {
		t.Errorf("the row is %s, %d were sent", row.State, len(h.received()))
	}
	if e := h.audited(t); len(e) != 1 || e[0].Outcome != model.OutcomeRejected || e[0].Note != "not on Sundays" {
		t.Errorf("audit: %+v", e)
	}
}

func TestHowFarAnApprovalHolds(t *testing.T) {
	t.Parallel()
	other := ask("")
	other.Arguments = json.RawMessage(`{"command":"rm"}`)
	elsewhere := ask("")
	elsewhere.SessionID = "chat 2"
	for _, tc := range []struct {
		name    string
		answer  model.Answer
		request model.CallRequest
		asked   bool
	}{
		{"once", approve(model.ScopeOnce), ask(""), true},
		{"this chat", approve(model.ScopeSession), ask(""), false},
		{"this chat, other arguments", approve(model.ScopeSession), other, false},
		{"this chat, from another", approve(model.ScopeSession), elsewhere, true},
		{"always", approve(model.ScopeAlways), other, false},
		{"always, from another chat", approve(model.ScopeAlways), elsewhere, false},
		{"always, the same arguments", model.Answer{Action: model.ActionAccept, Scope: model.ScopeAlways, ForArguments: true}, elsewhere, false},
		{"always, others", model.Answer{Action: model.ActionAccept, Scope: model.ScopeAlways, ForArguments: true}, other, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newWorld(t).start(t)
			done := h.run(t.Context(), ask(""))
			h.answer(t, h.shown(t), tc.answer)
			ended(t, done)
			again := h.run(t.Context(), tc.request)
			if tc.asked {
				h.answer(t, h.shown(t), reject(""))
			}
			want := model.CallDone
			if tc.asked {
				want = model.CallRejected
			}
			if got := ended(t, again); got.call.State != want {
				t.Errorf("the next one is %s, want %s", got.call.State, want)
			}
		})
	}
}

func TestOwnToolsThatChangeTheMachineAlwaysAsk(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	h.rule(t, model.Rule{Action: model.PolicyAllow})
	request := ask("")
	request.Name = "mcp__config__register"
	for range 2 {
		done := h.run(t.Context(), request)
		item := h.shown(t)
		if !item.Approval.OnceOnly {
			t.Error("it may be approved for longer")
		}
		for _, scope := range []model.ApprovalScope{model.ScopeSession, model.ScopeAlways} {
			if err := h.inbox.Resolve(t.Context(), item.ID, approve(scope), "you"); model.CodeOf(err) != model.CodeInvalid || err == nil {
				t.Errorf("%s: %v", scope, err)
			}
		}
		h.answer(t, item, approve(model.ScopeOnce))
		if got := ended(t, done); got.call.State != model.CallDone || got.call.Result.Text != "changed" {
			t.Errorf("%s, %+v", got.call.State, got.call.Error)
		}
	}
	h.policy.Delete(t.Context(), func() string { rules, _ := h.policy.Rules(t.Context()); return rules[0].ID }())
	request.Name = "mcp__config__list"
	if got, err := h.calls.Run(context.Background(), request); err != nil || got.State != model.CallDone {
		t.Errorf("one that reads is %s, %v", got.State, err)
	}
	request.Name = "mcp__config__nothing"
	if _, err := h.calls.Run(context.Background(), request); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("an unknown one: %v", err)
	}
	if ran := strings.Join(h.local.ran, " "); ran != "register register list" {
		t.Errorf("ran: %s", ran)
	}
}

// To think a call through goes the same way as the call, and leaves nothing.
func TestThinkingACallThroughDecidesAsTheCallDoes(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	h.rule(t, model.Rule{Server: "s", Action: model.PolicyAllow})
	for name, want := range map[string]string{
		"mcp__s__run":            "allow Rule 1 allows it.",
		"mcp__s__later":          "allow Rule 1 allows it.",
		"mcp__other__tool":       "ask No rule allows it.",
		"mcp__config__register":  "ask It changes what this machine runs: you are asked each time.",
		"mcp__config__list":      "allow It says that it only reads, and you trust its server.",
		"mcp__config__something": "ask No rule allows it.",
	} {
		request := ask("")
		request.Name = name
		p, err := h.calls.Subject(request)
		if err != nil {
			t.Fatal(err)
		}
		if d := h.policy.Decide(t.Context(), p); string(d.Action)+" "+d.Reason != want {
			t.Errorf("%s: %s %s, want %s", name, d.Action, d.Reason, want)
		}
	}
	for _, wrong := range []model.CallRequest{{Name: "run"}, {Name: "mcp__s__run", Arguments: json.RawMessage(`[]`)}} {
		if _, err := h.calls.Subject(wrong); model.CodeOf(err) != model.CodeInvalid || err == nil {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if items, _, _ := h.calls.List(t.Context(), calls.Filter{}); len(items) != 0 || len(h.audited(t)) != 0 {
		t.Error("it left a trace")
	}
}

func TestTrustAllowsWhatOnlyReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offers = `{"name":"run","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}`
	w.trusted = true
	h := w.start(t)
	if got, err := h.calls.Run(t.Context(), ask("")); err != nil || got.State != model.CallDone {
		t.Errorf("%s, %v", got.State, err)
	}
	h.mu.Lock()
	h.trusted = false
	h.mu.Unlock()
	done := h.run(t.Context(), ask(""))
	h.answer(t, h.shown(t), reject(""))
	ended(t, done)
}

// What the person is shown must be what the server reads.
func TestAmbiguousArgumentsAreAskedAboutByNobody(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	h.rule(t, model.Rule{Server: "s", Action: model.PolicyAllow})
	r := ask("")
	r.Arguments = json.RawMessage(`{"command":"ls","in":{"n":1,"n":2}}`)
	if _, err := h.calls.Run(t.Context(), r); model.CodeOf(err) != model.CodeInvalid || !strings.Contains(err.Error(), "twice") {
		t.Errorf("an agent's: %v", err)
	}
	r.Asker = model.Asker{Kind: "person"}
	if call, err := h.calls.Run(t.Context(), r); err != nil || call.State != model.CallDone {
		t.Errorf("the person's own: %s, %v", call.State, err)
	}
}
