package policy

import (
	"context"
	"encoding/json"
	"fmt"

	"kontor.dev/kontor/internal/model"
)

// Reasons that no rule is behind.
const (
	reasonOwn       = "You run it yourself."
	reasonAlwaysAsk = "It changes what this machine runs: you are asked each time."
	reasonSession   = "You approved this tool for this chat."
	reasonChanged   = "Its definition isn’t the one that you know."
	reasonReads     = "It says that it only reads, and you trust its server."
	reasonNoRule    = "No rule allows it."
)

// Decide says what happens with a call. It never fails: whatever can't be read is
// a reason to ask.
func (s *Service) Decide(ctx context.Context, p model.PolicySubject) model.PolicyDecision {
	set := s.rules.Load()
	if p.Asker.Own() && !set.denies {
		return model.PolicyDecision{Action: model.PolicyAllow, Reason: reasonOwn}
	}
	return decide(set, p, func() *model.SessionGrant { return s.grant(ctx, p) })
}

// grant is the approval of a subject's tool for its chat, or nil.
func (s *Service) grant(ctx context.Context, p model.PolicySubject) *model.SessionGrant {
	if p.SessionID == "" {
		return nil
	}
	g, err := s.o.Store.SessionGrant(ctx, p.SessionID, p.Tool.Server, p.Tool.Name)
	if err != nil {
		if model.CodeOf(err) != model.CodeNotFound && ctx.Err() == nil {
			s.o.Log.Error("what was approved for a chat can't be read: it is asked about again", "err", err)
		}
		return nil
	}
	return &g
}

// decide is the policy itself. grant is called where it counts only.
func decide(set *ruleSet, p model.PolicySubject, grant func() *model.SessionGrant) model.PolicyDecision {
	rule := first(set.rules, p)
	switch {
	case rule != nil && rule.Action == model.PolicyDeny:
		return model.PolicyDecision{Action: model.PolicyDeny, Rule: rule, Reason: reasonOf(rule)}
	case p.Asker.Own():
		return model.PolicyDecision{Action: model.PolicyAllow, Reason: reasonOwn}
	case set.err != nil:
		return model.PolicyDecision{Action: model.PolicyAsk, Reason: fmt.Sprintf("Your rules can’t be read: %v", set.err)}
	case p.AlwaysAsk:
		return model.PolicyDecision{Action: model.PolicyAsk, Reason: reasonAlwaysAsk}
	}
	d := byRule(rule, p)
	if d.Action == model.PolicyAllow && p.Tool.Change == nil {
		return d
	}
	if covers(grant(), p.Tool) {
		return model.PolicyDecision{Action: model.PolicyAllow, Reason: reasonSession}
	}
	if p.Tool.Change != nil {
		return model.PolicyDecision{Action: model.PolicyAsk, Reason: reasonChanged}
	}
	return d
}

// byRule is what the rule that fits says, or what holds where none does.
func byRule(rule *model.Rule, p model.PolicySubject) model.PolicyDecision {
	switch {
	case rule != nil:
		return model.PolicyDecision{Action: rule.Action, Rule: rule, Reason: reasonOf(rule)}
	case p.Trusted && onlyReads(p.Tool.Annotations):
		return model.PolicyDecision{Action: model.PolicyAllow, Reason: reasonReads}
	}
	return model.PolicyDecision{Action: model.PolicyAsk, Reason: reasonNoRule}
}

// covers tells whether an approval for a chat holds for the tool as it is now: the
// person saw then how its definition differs from the one they know.
func covers(g *model.SessionGrant, t model.Tool) bool {
	return g != nil && (t.Change == nil || t.Change.At.Equal(g.ChangedAt))
}

// onlyReads tells whether a tool claims that it changes nothing. One that claims to
// destroy as well claims neither (2025-11-25, ToolAnnotations: destructiveHint has a
// meaning only where readOnlyHint is false).
func onlyReads(annotations json.RawMessage) bool {
	var a struct {
		ReadOnly    bool `json:"readOnlyHint"`
		Destructive bool `json:"destructiveHint"`
	}
	return len(annotations) > 0 && json.Unmarshal(annotations, &a) == nil && a.ReadOnly && !a.Destructive
}

// first is the rule that decides, or nil.
func first(rules []model.Rule, p model.PolicySubject) *model.Rule {
	for i := range rules {
		if fits(rules[i], p) {
			return &rules[i]
		}
	}
	return nil
}

func fits(r model.Rule, p model.PolicySubject) bool {
	return field(r.Agent, p.Agent) && field(r.Asker, p.Asker.Kind) &&
		field(r.Server, p.Tool.Server) && field(r.Tool, p.Tool.Name) &&
		(r.Argument == nil || fitsArguments(*r.Argument, r.Action, p.Arguments))
}

func reasonOf(r *model.Rule) string {
	does := map[model.PolicyAction]string{
		model.PolicyAllow: "allows it", model.PolicyAsk: "has you asked", model.PolicyDeny: "denies it",
	}[r.Action]
	if r.Note == "" {
		return fmt.Sprintf("Rule %d %s.", r.Position+1, does)
	}
	return fmt.Sprintf("Rule %d %s: “%s”.", r.Position+1, does, r.Note)
}
