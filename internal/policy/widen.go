package policy

import (
	"context"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Widen keeps an approval for longer than once: for the chat, or, as a rule, from
// now on. The tool's change in p is the one that the person saw. To do it twice is
// to do it once, so that a call that is taken up after a crash may.
func (s *Service) Widen(ctx context.Context, p model.PolicySubject, scope model.ApprovalScope, forArguments bool) error {
	switch {
	case p.AlwaysAsk || scope == model.ScopeOnce:
		return nil
	case scope == model.ScopeSession:
		g := model.SessionGrant{SessionID: p.SessionID, Server: p.Tool.Server, Tool: p.Tool.Name}
		if p.Tool.Change != nil {
			g.ChangedAt = p.Tool.Change.At
		}
		return s.o.Store.PutSessionGrant(ctx, g)
	}
	if strings.Contains(p.Tool.Name, "*") {
		return model.Errorf(model.CodeInvalid, "the name of tool %q holds a *, which would stand for others too in a rule", p.Tool.Name)
	}
	// The definition is the one that they know, from now on.
	p.Tool.Change = nil
	noGrant := func() *model.SessionGrant { return nil }
	if decide(s.rules.Load(), p, noGrant).Action != model.PolicyAsk {
		return nil // a rule says so already, or denies it by now
	}
	_, err := s.change(ctx, func(rules []model.Rule) ([]model.Rule, error) {
		d := decide(newSet(rules, nil), p, noGrant)
		if d.Action != model.PolicyAsk {
			return rules, nil
		}
		if len(rules) >= maxRules {
			return nil, model.Errorf(model.CodeTooLarge, "there are %d rules already: delete one first", maxRules)
		}
		position := len(rules)
		if d.Rule != nil {
			position = slices.IndexFunc(rules, func(r model.Rule) bool { return r.ID == d.Rule.ID })
		}
		r := allowing(p, d.Rule, forArguments)
		if !fits(r, p) {
			return nil, model.Errorf(model.CodeInvalid, "its arguments can be read in more than one way, or are nested deeper than %d levels, which no rule allows", maxNesting)
		}
		return insert(rules, r, position), nil
	})
	return err
}

// Forget removes what was allowed to a server that is deleted: one of its name that
// comes later is another. What asks and what denies stays.
func (s *Service) Forget(server string) {
	allows := func(r model.Rule) bool { return r.Server == server && r.Action == model.PolicyAllow }
	if !slices.ContainsFunc(s.rules.Load().rules, allows) {
		return
	}
	_, err := s.change(context.Background(), func(rules []model.Rule) ([]model.Rule, error) {
		return slices.DeleteFunc(rules, allows), nil
	})
	if err != nil {
		s.o.Log.Error("what was allowed to a deleted server is still allowed to one of its name", "server", server, "err", err)
	}
}

// allowing is a rule that allows exactly one tool, or one tool with exactly these
// arguments. It goes as far as the rule that asked, if one did, and no further: what
// comes behind that one may deny what it doesn't fit.
func allowing(p model.PolicySubject, asked *model.Rule, forArguments bool) model.Rule {
	r := model.Rule{ID: newID(), Server: p.Tool.Server, Tool: p.Tool.Name, Action: model.PolicyAllow,
		Note: "Always allowed from an approval", CreatedAt: now()}
	if asked != nil {
		r.Agent, r.Asker, r.Argument = asked.Agent, asked.Asker, asked.Argument
	}
	if forArguments {
		r.Argument = &model.ArgumentPattern{Pattern: string(canonical(nil, p.Arguments)), Exact: true}
	}
	return r
}
