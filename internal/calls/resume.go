package calls

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Resume takes up a call that the last run left waiting for approval, and returns it
// settled, as Run does. One that has ended is returned as it is. The person's answer
// counts whenever it came; whoever wasn't asked yet is asked now.
func (s *Service) Resume(ctx context.Context, id string) (model.Call, error) {
	if o := s.o.Open.get(id); o != nil {
		return settled(ctx, o)
	}
	call, err := s.o.Store.Call(ctx, id)
	if err == nil && call.State.Open() && call.State != model.CallWaitingApproval {
		// Another has taken it up since, and may have ended it by now.
		if o := s.o.Open.get(id); o != nil {
			return settled(ctx, o)
		}
		call, err = s.o.Store.Call(ctx, id)
	}
	if err != nil || call.State != model.CallWaitingApproval {
		return call, err
	}
	if !s.enter() {
		return call, model.ErrStopping
	}
	running, cancel := context.WithCancelCause(s.base)
	o, ours := s.o.Open.addOnce(newOpenCall(call, s.o.Publish, cancel, s.limits(call.Server)))
	if !ours {
		s.running.Done()
		cancel(nil)
		return settled(ctx, o)
	}
	// Only now it is certain that nobody has taken it up and ended it meanwhile.
	if call, err = s.o.Store.Call(ctx, id); err != nil || call.State != model.CallWaitingApproval {
		s.o.Open.remove(id)
		s.running.Done()
		cancel(nil)
		o.become(call)
		return call, err
	}
	t := target{tool: model.Tool{Server: call.Server, Name: call.Tool}, unlisted: true}
	s.begin(running, o, t, &clearance{resumed: true})
	return settled(ctx, o)
}

// takeUp waits for the answer to the approval that the last run asked for, if it did.
func (s *Service) takeUp(ctx context.Context, o *openCall, c *clearance) error {
	if c == nil || !c.resumed {
		return nil
	}
	c.resumed = false
	call := o.snapshot()
	item, err := s.o.Approvals.Find(ctx, model.ItemApproval, call.ID)
	switch {
	case model.CodeOf(err) == model.CodeNotFound && err != nil:
		return nil
	case err != nil:
		return err
	case item.Approval == nil:
		return model.Errorf(model.CodeStorage, "what was to be approved is not in the record: the call is not run")
	}
	c.notes = item.Approval.Notes
	answer, err := s.o.Approvals.Wait(ctx, item.ID)
	return s.heed(ctx, call, c, *item.Approval, answer, err)
}
