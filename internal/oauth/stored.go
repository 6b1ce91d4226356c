package oauth

import (
	"context"
	"encoding/json"
	"errors"

	"kontor.dev/kontor/internal/model"
)

// read gets a server's record from the store; nil when there is none. The revision
// is right also where the record can't be opened.
func (s *Service) read(ctx context.Context, name string) (*record, int64, error) {
	data, revision, err := s.o.Store.OAuthRecord(ctx, name)
	if model.CodeOf(err) == model.CodeNotFound && err != nil {
		return nil, 0, nil
	}
	if err != nil {
		return nil, revision, err
	}
	r := &record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, revision, model.Errorf(model.CodeStorage, "what is stored of the sign-in to %s can't be read", name)
	}
	return r, revision, nil
}

// swap writes a record, nil to delete it. What was written is what the account
// knows from then on.
func (s *Service) swap(ctx context.Context, a *account, revision int64, r *record) (int64, error) {
	var data []byte
	if r != nil {
		var err error
		if data, err = json.Marshal(r); err != nil {
			return 0, err
		}
	}
	next, err := s.o.Store.SwapOAuthRecord(ctx, a.name, revision, data)
	if err != nil {
		return 0, err
	}
	s.update(a, func() { a.take(r) })
	return next, nil
}

// maxSwaps is how often a write that another one overtook is tried again.
const maxSwaps = 16

// change reads a record, changes it and writes it, again while others write too.
// A change that returns its argument writes nothing.
func (s *Service) change(ctx context.Context, a *account, change func(*record) *record) error {
	for range maxSwaps {
		r, revision, err := s.read(ctx, a.name)
		if err != nil {
			return err
		}
		next := change(r)
		if next == r {
			s.update(a, func() { a.take(r) })
			return nil
		}
		if _, err = s.swap(ctx, a, revision, next); err == nil || model.CodeOf(err) != model.CodeConflict {
			return err
		}
	}
	return model.Errorf(model.CodeStorage, "what is stored of the sign-in to %s changes too fast", a.name)
}

// load takes what is configured of a server now, and reads its record once.
func (s *Service) load(ctx context.Context, server Server) (*account, error) {
	a := s.account(server.Name)
	s.configured(a, server)
	return a, s.ensure(ctx, a)
}

// ensure reads an account's record once.
func (s *Service) ensure(ctx context.Context, a *account) error {
	a.mu.Lock()
	loaded := a.loaded
	a.mu.Unlock()
	if loaded {
		return nil
	}
	r, _, err := s.read(ctx, a.name)
	if err != nil {
		return err
	}
	s.update(a, func() {
		if !a.loaded {
			a.take(r)
		}
	})
	return nil
}

// Load reads what is kept of servers, at start: their Status is right from then
// on, and their secrets are hidden. It goes on after an error and returns all.
func (s *Service) Load(ctx context.Context, servers []Server) error {
	var errs []error
	for _, server := range servers {
		a, err := s.load(ctx, server)
		if err != nil {
			errs = append(errs, model.Errorf(model.CodeOf(err), "the sign-in to %s: %w", server.Name, err))
			continue
		}
		s.update(a, func() {
			r := a.usable()
			if r != nil && r.Access != "" && r.Refresh == "" && !server.Settings.Machine() && r.expired(s.now()) {
				a.need = &need{model.ReasonExpired, "The sign-in to " + hostOf(server.URL) + " has expired, and can't be renewed without you."}
			}
		})
	}
	return errors.Join(errs...)
}
