package policy

import (
	"encoding/json"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func TestWidenAllowsThisToolFromNowOn(t *testing.T) {
	t.Parallel()
	asks := model.Rule{Action: model.PolicyAsk, Server: "s", Note: "asks"}
	other := model.Rule{Action: model.PolicyAllow, Server: "other", Note: "other"}
	const added = "Always allowed from an approval"
	for _, tc := range []struct {
		name  string
		rules []model.Rule
		want  string
	}{
		{"where no rule asked, last", []model.Rule{other}, "other " + added},
		{"where a rule asked, right before it", []model.Rule{other, asks, other}, "other " + added + " asks other"},
		{"where a rule allows, not at all", []model.Rule{{Action: model.PolicyAllow, Note: "all"}}, "all"},
		{"where a rule denies by now, not at all", []model.Rule{{Action: model.PolicyDeny, Note: "none"}}, "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.add(t, tc.rules...)
			p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run", Change: &model.DefinitionChange{At: time.Now()}},
				Asker: model.Asker{Kind: "agent"}, Agent: "main", SessionID: "chat", Arguments: json.RawMessage(`{}`)}
			for range 2 {
				if err := r.Widen(t.Context(), p, model.ScopeAlways, false); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.order(t); got != tc.want {
				t.Errorf("the rules are %q, want %q", got, tc.want)
			}
			p.Tool.Name = "delete"
			if d := r.Decide(t.Context(), p); ruleID(d.Rule) != "" && d.Rule.Note == added {
				t.Error("the rule allows another tool")
			}
		})
	}
}

// An approval lifts the rule that asked, and nothing that stands behind it.
func TestWidenGoesAsFarAsTheRuleThatAsked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add(t, model.Rule{Action: model.PolicyAsk, Server: "s", Agent: "main", Asker: "agent", Argument: &model.ArgumentPattern{Path: "/path", Pattern: "/tmp/*"}},
		model.Rule{Action: model.PolicyDeny, Server: "s"})
	p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: "agent"}, Agent: "main",
		Arguments: json.RawMessage(`{"path":"/tmp/a"}`)}
	for _, forArguments := range []bool{true, false} {
		if err := r.Widen(t.Context(), p, model.ScopeAlways, forArguments); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere, child, other, odd := p, p, p, p
	elsewhere.Arguments, child.Asker.Kind, other.Agent = json.RawMessage(`{"path":"/etc/a"}`), "subagent", "researcher"
	for name, tc := range map[string]struct {
		p    model.PolicySubject
		want model.PolicyAction
	}{
		"what was approved": {p, model.PolicyAllow},
		"other arguments":   {elsewhere, model.PolicyDeny},
		"another asker":     {child, model.PolicyDeny},
		"another agent":     {other, model.PolicyDeny},
	} {
		if d := r.Decide(t.Context(), tc.p); d.Action != tc.want {
			t.Errorf("%s: %s (%s), want %s", name, d.Action, d.Reason, tc.want)
		}
	}
	odd.Arguments = json.RawMessage(`{"Path":"/tmp/a"}`)
	if err := r.Widen(t.Context(), odd, model.ScopeAlways, false); model.CodeOf(err) != model.CodeInvalid || err == nil {
		t.Errorf("arguments that can be read in two ways: %v", err)
	}
}

func TestWidenForTheSameArguments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: "agent"},
		Arguments: json.RawMessage(`{"command":"ls *","n":1.0}`)}
	if err := r.Widen(t.Context(), p, model.ScopeAlways, true); err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]model.PolicyAction{
		`{"command":"ls *","n":1.0}`:                model.PolicyAllow,
		`{ "n": 1.0, "command": "ls \u002a" }`:      model.PolicyAllow,
		`{"command":"ls x; rm -rf /","n":1.0}`:      model.PolicyAsk,
		`{"command":"ls *","n":1}`:                  model.PolicyAsk,
		`{"command":"ls *","n":1.0,"x":1}`:          model.PolicyAsk,
		`{"command":"ls *","n":1.0,"command":"rm"}`: model.PolicyAsk,
		`{"command":"ls *","n":1.0,"Command":"rm"}`: model.PolicyAsk,
		`{"command":"rm","n":1.0,"command":"ls *"}`: model.PolicyAsk,
		`{"command":"ls *","n":1.0,"n":1.0}`:        model.PolicyAsk,
		`{"command":["ls *"],"n":1.0}`:              model.PolicyAsk,
	} {
		p.Arguments = json.RawMessage(arguments)
		if d := r.Decide(t.Context(), p); d.Action != want {
			t.Errorf("%s: %s (%s), want %s", arguments, d.Action, d.Reason, want)
		}
	}
}

func TestWhatWasAllowedToADeletedServerIsForgotten(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add(t, model.Rule{Server: "s", Tool: "run", Action: model.PolicyAllow, Note: "a"}, model.Rule{Server: "s", Action: model.PolicyDeny, Note: "b"},
		model.Rule{Server: "s*", Action: model.PolicyAllow, Note: "c"}, model.Rule{Server: "s", Action: model.PolicyAsk, Note: "d"},
		model.Rule{Server: "s2", Action: model.PolicyAllow, Note: "e"})
	r.Forget("s")
	if got := r.order(t); got != "b c d e" {
		t.Errorf("the rules are %q", got)
	}
	news := r.news
	if r.Forget("none"); r.news != news {
		t.Error("nothing was forgotten, and that is news")
	}
}

func TestWidenForAChat(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: "agent"}, SessionID: "chat"}
	if err := r.Widen(t.Context(), p, model.ScopeSession, false); err != nil {
		t.Fatal(err)
	}
	other, elsewhere, child := p, p, p
	other.Tool.Name, elsewhere.SessionID, child.Asker.Kind = "delete", "chat 2", "subagent"
	for name, tc := range map[string]struct {
		p    model.PolicySubject
		want model.PolicyAction
	}{
		"this tool here":        {p, model.PolicyAllow},
		"a sub-agent's":         {child, model.PolicyAllow},
		"another tool":          {other, model.PolicyAsk},
		"another chat":          {elsewhere, model.PolicyAsk},
		"outside of every chat": {model.PolicySubject{Tool: p.Tool, Asker: p.Asker}, model.PolicyAsk},
	} {
		if d := r.again(t).Decide(t.Context(), tc.p); d.Action != tc.want {
			t.Errorf("%s: %s", name, d.Action)
		}
	}
}

func TestWhatCantBeWidened(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: "agent"}, SessionID: "chat", AlwaysAsk: true}
	for _, scope := range []model.ApprovalScope{model.ScopeOnce, model.ScopeSession, model.ScopeAlways} {
		if err := r.Widen(t.Context(), p, scope, false); err != nil {
			t.Error(err)
		}
	}
	p.AlwaysAsk = false
	if d := r.Decide(t.Context(), p); d.Action != model.PolicyAsk {
		t.Errorf("what changes the machine was approved for longer: %s", d.Reason)
	}
	// A server may call its tool so that its name would be a pattern.
	p.Tool.Name = "*"
	if err := r.Widen(t.Context(), p, model.ScopeAlways, false); model.CodeOf(err) != model.CodeInvalid || err == nil {
		t.Errorf("a tool that is called *: %v", err)
	}
	if got := r.order(t); got != "" {
		t.Errorf("the rules are %q", got)
	}
}
