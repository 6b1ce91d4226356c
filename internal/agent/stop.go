package agent

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Stop ends a chat's turn and all that it began: the model's answer, the calls, the
// sub-agents, what waits for the person. It returns when they have ended; without a
// turn there is nothing to do.
func (s *Service) Stop(ctx context.Context, id string) error {
	t := s.turn(id)
	if t == nil {
		return s.heal(ctx, id)
	}
	t.cancel(errStopped)
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// heal ends a turn that nobody runs any more: its end could not be recorded.
func (s *Service) heal(ctx context.Context, id string) error {
	_, root, err := s.root(ctx, id)
	if err != nil {
		return err
	}
	defer s.lock(id)()
	chat, err := s.o.Store.Chat(ctx, id)
	if err == nil && chat.TurnID != "" && s.turn(id) == nil {
		s.ended(root, model.TurnEnded{SessionID: id, TurnID: chat.TurnID, State: turnStopped})
	}
	return err
}

// hold locks a chat and returns its turn. One that is being stopped takes nothing any
// more: its end is waited for.
func (s *Service) hold(ctx context.Context, id string) (*turn, func(), error) {
	for {
		unlock := s.lock(id)
		t := s.turn(id)
		if t == nil || t.ctx.Err() == nil {
			return t, unlock, nil
		}
		unlock()
		select {
		case <-t.done:
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}
