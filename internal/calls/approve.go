package calls

import (
	"context"
	"fmt"

	"kontor.dev/kontor/internal/model"
)

// clearance is how far a call of somebody else than the person may go. Only the
// goroutine that runs the call uses it.
type clearance struct {
	// notes say how the arguments were mended.
	notes []string
	// resumed says that the person may have been asked before this start.
	resumed bool
	// approved is what the person saw and approved last; nil before.
	approved *model.Approval
	// entry is a decision that goes to the store with the call's next step.
	entry *model.AuditEntry
}

// pending is the decision that is to be stored with the call's end, or nil.
func (c *clearance) pending() *model.AuditEntry {
	if c == nil {
		return nil
	}
	return c.entry
}

// admit decides about a new call and commits its row: to run, to wait for approval,
// or, denied, at its end. The clearance is nil for the person's own.
func (s *Service) admit(ctx context.Context, call *model.Call, t target, notes []string) (*clearance, error) {
	if t.unlisted && !call.Asker.Own() {
		// What the tool is will be known once its server is connected.
		call.State = model.CallWaitingApproval
		return &clearance{notes: notes}, s.o.Store.InsertCall(ctx, *call)
	}
	d := s.o.Policy.Decide(ctx, s.subject(*call, t))
	switch {
	case d.Action == model.PolicyDeny:
		call.State, call.Error = verdict(nil, errDenied(t.tool, d))
		call.EndedAt = call.StartedAt
		return nil, s.o.Store.InsertDecidedCall(ctx, *call, decided(*call, d, model.OutcomeDenied))
	case call.Asker.Own():
		return nil, s.o.Store.InsertCall(ctx, *call)
	case d.Action == model.PolicyAllow:
		return &clearance{notes: notes}, s.o.Store.InsertDecidedCall(ctx, *call, decided(*call, d, model.OutcomeAllowed))
	}
	call.State = model.CallWaitingApproval
	return &clearance{notes: notes}, s.o.Store.InsertCall(ctx, *call)
}

// subject is a call as the policy sees it.
func (s *Service) subject(call model.Call, t target) model.PolicySubject {
	p := model.PolicySubject{Tool: t.tool, Arguments: call.Arguments, Asker: call.Asker, Agent: call.Agent,
		SessionID: call.SessionID, Trusted: t.local(), AlwaysAsk: t.alwaysAsk}
	if !p.Trusted && !call.Asker.Own() {
		server, err := s.o.Server(t.tool.Server)
		p.Trusted = err == nil && server.Trusted
	}
	return p
}

// clear holds a call against the policy, right before it is sent, as its tool is
// now. asked says that the person was asked, and approved it.
func (s *Service) clear(ctx context.Context, o *openCall, t target, c *clearance) (asked bool, _ error) {
	call := o.snapshot()
	if c.approved != nil && s.gone(call) {
		return false, model.Errorf(model.CodeNotFound, "server %s is another one than when this was approved: it was not run", call.Server)
	}
	p := s.subject(call, t)
	d := s.o.Policy.Decide(ctx, p)
	switch d.Action {
	case model.PolicyAllow:
		return false, s.letRun(ctx, o, c, decided(call, d, model.OutcomeAllowed))
	case model.PolicyDeny:
		s.note(c)
		c.entry = new(decided(call, d, model.OutcomeDenied))
		return false, errDenied(t.tool, d)
	}
	shown := approvalOf(p, d, c.notes)
	if c.approved != nil && sameTool(*c.approved, shown) {
		return false, s.letRun(ctx, o, c, decided(call, d, model.OutcomeApproved))
	}
	s.note(c)
	if err := s.hold(ctx, o, call); err != nil {
		return false, err
	}
	answer, err := s.o.Approvals.Ask(ctx, model.Item{
		Kind: model.ItemApproval, Server: call.Server, Tool: call.Tool, CallID: call.ID, CallIDs: []string{call.ID},
		SessionID: call.SessionID, Asker: call.Asker, Approval: &shown,
		Message: fmt.Sprintf("Run %s of %s?", call.Tool, call.Server),
	})
	return true, s.heed(ctx, call, c, shown, answer, err)
}

// letRun commits that a call which waited runs. What was allowed at first runs
// already.
func (s *Service) letRun(ctx context.Context, o *openCall, c *clearance, entry model.AuditEntry) error {
	if o.snapshot().State == model.CallRunning {
		return nil
	}
	if c.entry != nil {
		entry = *c.entry
	}
	if err := s.o.Store.ApproveCall(ctx, o.id, entry); err != nil {
		return err
	}
	c.entry = nil
	o.move(model.CallRunning)
	return nil
}

// hold commits that a call waits for the person: it may have been allowed before its
// server was connected, and its tool be another now.
func (s *Service) hold(ctx context.Context, o *openCall, call model.Call) error {
	if call.State != model.CallRunning {
		return nil
	}
	if err := s.o.Store.HoldCall(ctx, call.ID); err != nil {
		return err
	}
	o.move(model.CallWaitingApproval)
	return nil
}

// heed does what the person answered to an approval, or what its end without an
// answer means.
func (s *Service) heed(ctx context.Context, call model.Call, c *clearance, shown model.Approval, a model.Answer, err error) error {
	entry := asked(call, shown, a)
	switch {
	case err != nil && ctx.Err() == nil:
		return err // it wasn't asked
	case err != nil || a.Action == model.ActionCancel:
		entry.Outcome = model.OutcomeCancelled
		c.entry = &entry
		if err == nil {
			return model.Errorf(model.CodeCancelled, "cancelled: nobody approved it (%s)", a.By)
		}
		entry.By = "call ended"
		return err
	case a.Action == model.ActionDecline:
		entry.Outcome = model.OutcomeRejected
		c.entry = &entry
		return errRejected(a.Note)
	}
	entry.Outcome = model.OutcomeApproved
	c.approved, c.entry = &shown, &entry
	s.widen(ctx, call, c, a)
	return nil
}

// widen keeps an approval for longer than once. Where that fails it holds for this
// call all the same, and the audit says so.
func (s *Service) widen(ctx context.Context, call model.Call, c *clearance, a model.Answer) {
	if s.gone(call) {
		c.entry.Reason += " The approval holds for this once: the server isn’t there any more."
		return
	}
	ctx = context.WithoutCancel(ctx)
	p := shownSubject(call, *c.approved)
	if a.Scope == model.ScopeAlways && p.Tool.Change != nil {
		if _, err := s.o.Catalogue.Accept(ctx, call.Server, call.Tool, p.Tool.Change.At); err == nil {
			c.approved.Change = nil // what they saw is what they know
		}
	}
	if err := s.o.Policy.Widen(ctx, p, a.Scope, a.ForArguments); err != nil {
		s.o.Log.Error("an approval couldn't be kept for longer than once", "call", call.ID, "err", err)
		c.entry.Reason += fmt.Sprintf(" The approval holds for this once: it couldn’t be kept (%v).", err)
	}
}

// gone tells whether the server that a call was asked about is deleted, also where
// there is another of its name by now: nothing that is kept may be for that one.
func (s *Service) gone(call model.Call) bool {
	if call.Server == model.GroupConfig {
		return false
	}
	server, err := s.o.Server(call.Server)
	return err != nil || server.CreatedAt.After(call.StartedAt)
}

// note stores a decision that came to nothing: what was approved isn't what the tool
// is by now.
func (s *Service) note(c *clearance) {
	if c.entry == nil {
		return
	}
	if err := s.o.Store.InsertAudit(context.Background(), *c.entry); err != nil {
		s.o.Log.Error("a decision can't be recorded", "call", c.entry.CallID, "outcome", c.entry.Outcome, "err", err)
	}
	c.entry, c.approved = nil, nil
}
