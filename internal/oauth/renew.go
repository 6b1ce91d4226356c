package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"kontor.dev/kontor/internal/model"
)

// renew gets a token in place of one that is used up ("" for none), or nil when
// only a person can. All who want one for a server at a time share one exchange,
// which goes on when they stop waiting: a rotated refresh token must not get lost.
func (s *Service) renew(ctx context.Context, a *account, server Server, used string) (*credential, error) {
	for range 2 { // who joins an exchange may get the very token that it has used
		c, err := s.share(ctx, a, server, used)
		if err != nil || c == nil || c.access != used {
			return c, err
		}
	}
	return nil, nil
}

func (s *Service) share(ctx context.Context, a *account, server Server, used string) (*credential, error) {
	done := s.flights.DoChan(fmt.Sprintf("%p", a), func() (any, error) {
		if !s.begin() {
			return nil, errClosed
		}
		defer s.running.Done()
		ctx, cancel := context.WithTimeout(s.ctx, 2*tokenTimeout)
		defer cancel()
		return nil, s.renewOnce(ctx, a, server, used)
	})
	select {
	case r := <-done:
		if r.Err != nil {
			return nil, r.Err
		}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.credential(server), nil
}

// renewOnce leaves the account with another token than used, or without one.
func (s *Service) renewOnce(ctx context.Context, a *account, server Server, used string) error {
	if err := a.enter(ctx); err != nil {
		return err
	}
	defer a.leave()
	if err := s.saveUnsaved(ctx, a); err != nil {
		return err
	}
	r, revision, err := s.claim(ctx, a, server, used)
	if err != nil || r == nil {
		return err
	}
	if server.Settings.Machine() {
		return s.granted(ctx, a, server, revision, r)
	}
	t, err := s.refresh(ctx, a, server, *r)
	if err != nil {
		return s.refreshFailed(ctx, a, revision, r, err)
	}
	return s.keep(ctx, a, revision, r, r.with(t, s.now()))
}

// claim reads the record and marks it as being renewed. It returns nil when there
// is nothing to do: another process has renewed it, or only a person can. Who
// loses the race for the mark waits for the winner: a refresh token that is used
// twice ends the whole sign-in (OAuth 2.1 §4.3.1).
//
// The record that it returns has the mark from before, of an exchange that was
// never finished, if there is one.
func (s *Service) claim(ctx context.Context, a *account, server Server, used string) (*record, int64, error) {
	machine := server.Settings.Machine()
	for {
		r, revision, err := s.read(ctx, a.name)
		if err != nil {
			return nil, 0, err
		}
		ours := r != nil && r.belongs(server)
		switch {
		case ours && r.Access != "" && r.Access != used && !r.due(s.now()), !machine && (!ours || r.Refresh == ""):
			s.update(a, func() { a.take(r) })
			return nil, 0, nil
		case machine && ours && !r.SignedOut:
			return r, revision, nil
		case machine:
			return &record{}, revision, nil
		}
		marked := *r
		marked.Renewing = s.now()
		next, err := s.swap(ctx, a, revision, &marked)
		if model.CodeOf(err) == model.CodeConflict && err != nil {
			err = s.awaitOther(ctx, a.name)
		} else if err == nil {
			return r, next, nil
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// How long to wait for another process that is renewing, and how often to look.
const (
	otherPatience = 10 * time.Second
	otherEvery    = 50 * time.Millisecond
)

// awaitOther waits for who has just marked the record: until they have written it
// again, or for as long as an exchange may take.
func (s *Service) awaitOther(ctx context.Context, name string) error {
	tick := time.NewTicker(otherEvery)
	defer tick.Stop()
	late := time.NewTimer(otherPatience)
	defer late.Stop()
	_, before, err := s.read(ctx, name)
	for err == nil {
		var r *record
		var now int64
		if r, now, err = s.read(ctx, name); err != nil || now != before || r == nil || r.Renewing.IsZero() {
			return err
		}
		select {
		case <-tick.C:
		case <-late.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}

// refresh sends the refresh token (OAuth 2.1 §4.3), for the resource that it is for
// (RFC 8707 §2.2).
func (s *Service) refresh(ctx context.Context, a *account, server Server, r record) (token, error) {
	h, err := s.client(server.URL)
	if err != nil {
		return token{}, err
	}
	request := tokenRequest{
		Endpoint: r.TokenEndpoint, Issuer: r.Issuer, Client: r.Client.current(server.Settings), HTTP: h,
		Form: url.Values{"grant_type": {"refresh_token"}, "refresh_token": {r.Refresh}, "resource": {r.Resource}},
	}
	if len(r.Key) > 0 {
		if request.Prover, err = proverOf(r.Key, a); err != nil {
			return token{}, err
		}
	}
	return request.send(ctx)
}

// refreshFailed ends a sign-in that was refused, and leaves one alone that could
// only not be asked for just now.
func (s *Service) refreshFailed(ctx context.Context, a *account, revision int64, r *record, err error) error {
	failed := (*tokenError)(nil)
	if !errors.As(err, &failed) {
		return err
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	if failed.Temporary {
		if failed.Answered { // the refresh token is as good as before
			if _, err := s.swap(ctx, a, revision, r); err != nil && model.CodeOf(err) != model.CodeConflict {
				return err
			}
		}
		return model.Errorf(model.CodeServerUnavailable, "the token for %s can't be renewed just now: %w", hostOf(r.Server), failed)
	}
	if failed.Code == "invalid_client" {
		s.disown(ctx, r.Issuer, r.Client)
	}
	words := "The sign-in to " + hostOf(r.Server) + " has ended: " + failed.Host + " refused to renew it: " + failed.Error() + "."
	if !r.Renewing.IsZero() {
		words += " A renewal that began at " + r.Renewing.UTC().Format(time.RFC3339) +
			" was never finished: Kontor was stopped in the middle of it, or the connection broke, and with its answer the next refresh token was lost."
	}
	if _, err := s.swap(ctx, a, revision, r.without(words)); model.CodeOf(err) == model.CodeConflict && err != nil {
		return s.adopt(ctx, a) // somebody else has another token: theirs counts
	} else if err != nil {
		return err
	}
	s.o.Log.Info("a sign-in has ended", "server", a.name, "at", failed.Host, "reason", failed.Error())
	return nil
}

// adopt takes what is stored.
func (s *Service) adopt(ctx context.Context, a *account) error {
	r, _, err := s.read(ctx, a.name)
	if err == nil {
		s.update(a, func() { a.take(r) })
	}
	return err
}
