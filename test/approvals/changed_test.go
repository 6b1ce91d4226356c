package approvals

import (
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

// What the person saw isn't what would run: they are asked about that, or it ends.
func TestTheToolChangesWhileThePersonThinks(t *testing.T) {
	t.Parallel()
	const other = `{"name":"run","description":"Runs it and tells everyone","inputSchema":{"type":"object"}}`
	for _, tc := range []struct {
		name   string
		change func(*testing.T, *house)
		again  bool // asked again, with the difference
		state  model.CallState
		code   model.Code
		audit  string
	}{
		{"its description", func(_ *testing.T, h *house) { h.offer(other) }, true, model.CallDone, "", " approved approved"},
		{"its schema only", func(_ *testing.T, h *house) {
			h.offer(`{"name":"run","description":"Runs it","inputSchema":{"type":"object","required":["all"]}}`)
		}, true, model.CallDone, "", " approved approved"},
		{"and back", func(_ *testing.T, h *house) { h.offer(other); h.offer(plainTool) }, false, model.CallDone, "", " approved"},
		{"it is gone", func(_ *testing.T, h *house) { h.offer(`{"name":"else"}`) }, false, model.CallFailed, model.CodeNotFound, " approved"},
		{"it is switched off", func(_ *testing.T, h *house) {
			h.shelf.Configure(model.Server{Name: "s", Enabled: true, DisabledTools: []string{"run"}})
		}, false, model.CallFailed, model.CodeDisabled, " approved"},
		{"its server is deleted", func(_ *testing.T, h *house) {
			h.mu.Lock()
			h.deleted = true
			h.mu.Unlock()
			h.shelf.Remove("s")
		}, false, model.CallFailed, model.CodeNotFound, " approved"},
		{"its server is another", func(_ *testing.T, h *house) {
			h.mu.Lock()
			h.created = time.Now().Add(time.Second)
			h.mu.Unlock()
		}, false, model.CallFailed, model.CodeNotFound, " approved"},
		{"a rule denies it", func(t *testing.T, h *house) { h.rule(t, model.Rule{Tool: "run", Action: model.PolicyDeny}) },
			false, model.CallFailed, model.CodeDenied, " approved denied"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newWorld(t).start(t)
			done := h.run(t.Context(), ask(callID(1)))
			item := h.shown(t)
			tc.change(t, h)
			h.answer(t, item, approve(model.ScopeOnce))
			if tc.again {
				second := h.shown(t)
				if c := second.Approval.Change; c == nil || !strings.Contains(string(c.Old), `"Runs it"`) || string(c.Old) == string(c.New) {
					t.Errorf("the second time it shows %+v", c)
				}
				if n := len(h.received()); n != 0 {
					t.Errorf("%d were sent", n)
				}
				h.answer(t, second, approve(model.ScopeOnce))
			}
			got := ended(t, done)
			if got.err != nil || got.call.State != tc.state || tc.code != "" && model.CodeOf(got.call.Error) != tc.code {
				t.Errorf("%s, %+v, %v", got.call.State, got.call.Error, got.err)
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

// A definition that changed asks in spite of every rule; to approve it always makes
// it the one that the person knows.
func TestAChangedDefinitionAsks(t *testing.T) {
	t.Parallel()
	for scope, asked := range map[model.ApprovalScope]bool{model.ScopeOnce: true, model.ScopeSession: false, model.ScopeAlways: false} {
		t.Run(string(scope), func(t *testing.T) {
			t.Parallel()
			h := newWorld(t).start(t)
			h.rule(t, model.Rule{Server: "s", Action: model.PolicyAllow})
			h.offer(`{"name":"run","description":"Runs more","inputSchema":{"type":"object"}}`)
			done := h.run(t.Context(), ask(""))
			item := h.shown(t)
			if item.Approval.Change == nil {
				t.Error("it doesn't show the change")
			}
			h.answer(t, item, approve(scope))
			if got := ended(t, done); got.call.State != model.CallDone {
				t.Errorf("it is %s, %+v", got.call.State, got.call.Error)
			}
			again := h.run(t.Context(), ask(""))
			if asked {
				h.answer(t, h.shown(t), approve(model.ScopeOnce))
			}
			if got := ended(t, again); got.call.State != model.CallDone {
				t.Errorf("the next is %s", got.call.State)
			}
			tool, _ := h.shelf.Resolve("mcp__s__run")
			if rules, _ := h.policy.Rules(t.Context()); (tool.Change == nil) != (scope == model.ScopeAlways) || len(rules) != 1 {
				t.Errorf("the change is %+v, the rules are %+v", tool.Change, rules)
			}
		})
	}
}

func TestAToolThatIsntListedYetIsAskedAboutOnceItIs(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	h.shelf.Remove("s")
	h.shelf.Configure(model.Server{Name: "s", Enabled: true})
	h.calls = h.withConnect(t, h.list)
	done := h.run(t.Context(), ask(""))
	item := h.shown(t)
	if item.Approval.Description != "Runs it" {
		t.Errorf("the person sees %+v", item.Approval)
	}
	h.answer(t, item, approve(model.ScopeOnce))
	if got := ended(t, done); got.call.State != model.CallDone || len(h.received()) != 1 {
		t.Errorf("%s, %+v", got.call.State, got.call.Error)
	}
}

// An allowed call whose tool turns out to be another once its server is connected.
func TestAnAllowedCallWaitsWhenItsToolIsAnother(t *testing.T) {
	t.Parallel()
	h := newWorld(t).start(t)
	h.rule(t, model.Rule{Server: "s", Action: model.PolicyAllow})
	h.calls = h.withConnect(t, func() { h.offer(`{"name":"run","description":"Else","inputSchema":{"type":"object"}}`) })
	done := h.run(t.Context(), ask(callID(1)))
	item := h.shown(t)
	if row := h.row(t, callID(1)); row.State != model.CallWaitingApproval || item.Approval.Change == nil {
		t.Errorf("the row is %s, the change %+v", row.State, item.Approval.Change)
	}
	h.answer(t, item, approve(model.ScopeOnce))
	if got := ended(t, done); got.call.State != model.CallDone || outcomes(h.audited(t)) != " allowed approved" {
		t.Errorf("%s, audit:%s", got.call.State, outcomes(h.audited(t)))
	}
}

// What is approved for longer is never kept for another server of the same name.
func TestNothingIsKeptForAServerThatIsGone(t *testing.T) {
	t.Parallel()
	for _, scope := range []model.ApprovalScope{model.ScopeSession, model.ScopeAlways} {
		for name, change := range map[string]func(*world){
			"deleted": func(w *world) { w.deleted = true },
			"another": func(w *world) { w.created = time.Now().Add(time.Second) },
		} {
			t.Run(string(scope)+" "+name, func(t *testing.T) {
				t.Parallel()
				h := newWorld(t).start(t)
				done := h.run(t.Context(), ask(callID(1)))
				item := h.shown(t)
				h.mu.Lock()
				change(h.world)
				h.mu.Unlock()
				h.answer(t, item, approve(scope))
				ended(t, done)
				h.mu.Lock()
				h.deleted = false
				h.mu.Unlock()
				again := h.run(t.Context(), ask(callID(2)))
				h.answer(t, h.shown(t), reject(""))
				ended(t, again)
				if e := h.audited(t)[0]; !strings.Contains(e.Reason, "holds for this once: the server isn’t there any more") {
					t.Errorf("the audit says %q", e.Reason)
				}
			})
		}
	}
}
