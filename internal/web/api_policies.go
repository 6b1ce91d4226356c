package web

import (
	"cmp"
	"context"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

type rulesOutput struct{ Body wire.List[wire.Rule] }

type ruleOutput struct{ Body wire.Rule }

type newRuleInput struct{ Body wire.RuleConfig }

type replaceRuleInput struct {
	ID   string `path:"id"`
	Body wire.RuleConfig
}

type orderInput struct{ Body wire.RuleOrder }

type simulateInput struct{ Body wire.Simulation }

type decisionOutput struct{ Body wire.Decision }

type pageInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor"`
}

type auditOutput struct{ Body wire.List[wire.AuditEntry] }

func (s *Server) listRules(ctx context.Context, _ *struct{}) (*rulesOutput, error) {
	return ruled(s.o.Policies.Rules(ctx))
}

func (s *Server) addRule(ctx context.Context, in *newRuleInput) (*ruleOutput, error) {
	return oneRule(s.o.Policies.Add(ctx, in.Body.Model("")))
}

func (s *Server) replaceRule(ctx context.Context, in *replaceRuleInput) (*ruleOutput, error) {
	return oneRule(s.o.Policies.Replace(ctx, in.Body.Model(in.ID)))
}

func (s *Server) deleteRule(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, s.o.Policies.Delete(ctx, in.ID)
}

func (s *Server) orderRules(ctx context.Context, in *orderInput) (*rulesOutput, error) {
	return ruled(s.o.Policies.Order(ctx, in.Body.IDs))
}

// simulatePolicy says what would happen with a call. The tool need not exist: a
// rule may be for one that comes later.
func (s *Server) simulatePolicy(ctx context.Context, in *simulateInput) (*decisionOutput, error) {
	subject, err := s.o.Calls.Subject(model.CallRequest{
		Name: in.Body.Name, Arguments: in.Body.Arguments, Asker: model.Asker{Kind: cmp.Or(in.Body.Asker, "agent")},
		Agent: in.Body.Agent, SessionID: in.Body.SessionID,
	})
	if err != nil {
		return nil, err
	}
	return &decisionOutput{wire.DecisionOf(s.o.Policies.Decide(ctx, subject))}, nil
}

func (s *Server) listAudit(ctx context.Context, in *pageInput) (*auditOutput, error) {
	entries, next, err := s.o.Policies.Audit(ctx, in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	items := make([]wire.AuditEntry, len(entries))
	for i, e := range entries {
		items[i] = wire.AuditEntryOf(e)
	}
	return &auditOutput{wire.ListOf(items, next)}, nil
}

func ruled(rules []model.Rule, err error) (*rulesOutput, error) {
	if err != nil {
		return nil, err
	}
	items := make([]wire.Rule, len(rules))
	for i, r := range rules {
		items[i] = wire.RuleOf(r)
	}
	return &rulesOutput{wire.ListOf(items, "")}, nil
}

func oneRule(r model.Rule, err error) (*ruleOutput, error) {
	if err != nil {
		return nil, err
	}
	return &ruleOutput{wire.RuleOf(r)}, nil
}
