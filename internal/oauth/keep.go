package oauth

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// keep stores a new token before anybody uses it. Where somebody else has stored
// another one meanwhile, theirs counts. What can't be stored is kept in memory and
// stored later: the old refresh token is worth nothing any more.
func (s *Service) keep(ctx context.Context, a *account, revision int64, old, fresh *record) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	s.update(a, func() { a.unsaved = fresh })
	for range maxSwaps {
		_, err := s.swap(ctx, a, revision, fresh)
		if err == nil {
			s.settle(a, fresh.Server)
			return nil
		}
		if model.CodeOf(err) != model.CodeConflict {
			return model.Errorf(model.CodeStorage, "the token for %s was renewed, but can't be stored: %w", hostOf(fresh.Server), err)
		}
		var theirs *record
		if theirs, revision, err = s.read(ctx, a.name); err != nil {
			return err
		}
		if theirs == nil || theirs.Access != old.Access {
			s.update(a, func() { a.take(theirs) })
			return nil
		}
		merged := *fresh
		merged.StepUp = theirs.StepUp
		fresh = &merged
	}
	return model.Errorf(model.CodeStorage, "what is stored of the sign-in to %s changes too fast", a.name)
}

// saveUnsaved stores what couldn't be stored before.
func (s *Service) saveUnsaved(ctx context.Context, a *account) error {
	a.mu.Lock()
	fresh, old := a.unsaved, a.record
	a.mu.Unlock()
	if fresh == nil {
		return nil
	}
	if old == nil {
		old = &record{}
	}
	_, revision, err := s.read(ctx, a.name)
	if err != nil {
		return err
	}
	return s.keep(ctx, a, revision, old, fresh)
}
