package policy

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

const (
	reads    = `{"readOnlyHint":true}`
	destroys = `{"readOnlyHint":true,"destructiveHint":true}`
)

func rule(action model.PolicyAction, server, tool string) model.Rule {
	return model.Rule{ID: string(action) + server + tool, Server: server, Tool: tool, Action: action}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	const allow, ask, deny = model.PolicyAllow, model.PolicyAsk, model.PolicyDeny
	changed := &model.DefinitionChange{At: time.UnixMilli(1000)}
	changedSince := time.UnixMilli(999)
	agent, person, token := model.Asker{Kind: "agent"}, model.Asker{Kind: "person"}, model.Asker{Kind: "token"}
	for _, tc := range []struct {
		name    string
		asker   model.Asker
		rules   []model.Rule
		err     error
		grant   *model.SessionGrant
		trusted bool
		hints   string
		change  *model.DefinitionChange
		always  bool
		want    model.PolicyAction
		rule    string
		reason  string
	}{
		{name: "no rule", asker: agent, want: ask, reason: reasonNoRule},
		{name: "no rule fits", asker: agent, rules: []model.Rule{rule(allow, "other", "")}, want: ask, reason: reasonNoRule},
		{name: "allowed", asker: agent, rules: []model.Rule{rule(allow, "s", "run")}, want: allow, rule: "allowsrun"},
		{name: "the first wins", asker: agent, rules: []model.Rule{rule(ask, "s", ""), rule(allow, "s", "run")}, want: ask, rule: "asks"},
		{name: "an exception before a denial", asker: agent, rules: []model.Rule{rule(allow, "s", "run"), rule(deny, "s", "")}, want: allow, rule: "allowsrun"},
		{name: "denied", asker: agent, rules: []model.Rule{rule(deny, "s", ""), rule(allow, "s", "run")}, want: deny, rule: "denys"},
		{name: "a denial is not bypassed by the chat's approval", asker: agent, rules: []model.Rule{rule(deny, "s", "")}, grant: &model.SessionGrant{}, want: deny, rule: "denys"},
		{name: "nor by trust", asker: agent, rules: []model.Rule{rule(deny, "s", "")}, trusted: true, hints: reads, want: deny, rule: "denys"},
		{name: "nor by being always asked about", asker: agent, rules: []model.Rule{rule(deny, "s", "")}, always: true, want: deny, rule: "denys"},
		{name: "nor by the person", asker: person, rules: []model.Rule{rule(deny, "s", "")}, want: deny, rule: "denys"},
		{name: "nor by a script", asker: token, rules: []model.Rule{rule(deny, "s", "")}, want: deny, rule: "denys"},
		{name: "the person isn't asked", asker: person, rules: []model.Rule{rule(ask, "s", ""), rule(deny, "s", "")}, want: allow, reason: reasonOwn},
		{name: "nor about what always asks", asker: person, always: true, want: allow, reason: reasonOwn},
		{name: "nor about a change", asker: person, change: changed, want: allow, reason: reasonOwn},
		{name: "a trusted server's reading tool", asker: agent, trusted: true, hints: reads, want: allow, reason: reasonReads},
		{name: "a reading tool of one that isn't", asker: agent, hints: reads, want: ask, reason: reasonNoRule},
		{name: "it reads and destroys", asker: agent, trusted: true, hints: destroys, want: ask, reason: reasonNoRule},
		{name: "its hint is no boolean", asker: agent, trusted: true, hints: `{"readOnlyHint":"true"}`, want: ask, reason: reasonNoRule},
		{name: "no hint", asker: agent, trusted: true, want: ask, reason: reasonNoRule},
		{name: "a rule counts more than trust", asker: agent, rules: []model.Rule{rule(ask, "s", "")}, trusted: true, hints: reads, want: ask, rule: "asks"},
		{name: "approved for the chat", asker: agent, grant: &model.SessionGrant{}, want: allow, reason: reasonSession},
		{name: "although a rule asks", asker: agent, rules: []model.Rule{rule(ask, "s", "")}, grant: &model.SessionGrant{}, want: allow, reason: reasonSession},
		{name: "changed, although a rule allows", asker: agent, rules: []model.Rule{rule(allow, "s", "")}, change: changed, want: ask, reason: reasonChanged},
		{name: "changed, although it was approved for the chat", asker: agent, grant: &model.SessionGrant{}, change: changed, want: ask, reason: reasonChanged},
		{name: "changed again since it was", asker: agent, grant: &model.SessionGrant{ChangedAt: changedSince}, change: changed, want: ask, reason: reasonChanged},
		{name: "the change was seen when it was", asker: agent, grant: &model.SessionGrant{ChangedAt: changed.At}, change: changed, want: allow, reason: reasonSession},
		{name: "it changed back", asker: agent, grant: &model.SessionGrant{ChangedAt: changedSince}, want: allow, reason: reasonSession},
		{name: "changed, of a trusted server", asker: agent, trusted: true, hints: reads, change: changed, want: ask, reason: reasonChanged},
		{name: "always asked about, although a rule allows", asker: agent, rules: []model.Rule{rule(allow, "", "")}, always: true, want: ask, reason: reasonAlwaysAsk},
		{name: "and although it was approved for the chat", asker: agent, grant: &model.SessionGrant{}, always: true, want: ask, reason: reasonAlwaysAsk},
		{name: "the rules can't be read", asker: agent, err: errors.New("disk"), grant: &model.SessionGrant{}, trusted: true, hints: reads, want: ask, reason: "Your rules can’t be read: disk"},
		{name: "nor for the person", asker: person, err: errors.New("disk"), want: allow, reason: reasonOwn},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			set := newSet(tc.rules, tc.err)
			got := decide(set, model.PolicySubject{
				Tool:  model.Tool{Server: "s", Name: "run", Annotations: json.RawMessage(tc.hints), Change: tc.change},
				Asker: tc.asker, Trusted: tc.trusted, AlwaysAsk: tc.always, SessionID: "chat", Arguments: json.RawMessage(`{}`),
			}, func() *model.SessionGrant { return tc.grant })
			if got.Action != tc.want {
				t.Errorf("it is %s (%s), want %s", got.Action, got.Reason, tc.want)
			}
			if id := ruleID(got.Rule); id != tc.rule {
				t.Errorf("by rule %q, want %q", id, tc.rule)
			}
			if got.Reason == "" || tc.reason != "" && got.Reason != tc.reason {
				t.Errorf("because %q, want %q", got.Reason, tc.reason)
			}
		})
	}
}

func ruleID(r *model.Rule) string {
	if r == nil {
		return ""
	}
	return r.ID
}

func TestAReasonNamesTheRuleAsThePersonSeesIt(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]model.Rule{
		"Rule 1 allows it.":                   {Action: model.PolicyAllow},
		"Rule 3 denies it: “not on Sundays”.": {Position: 2, Action: model.PolicyDeny, Note: "not on Sundays"},
		"Rule 2 has you asked.":               {Position: 1, Action: model.PolicyAsk},
	} {
		if got := reasonOf(&r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
