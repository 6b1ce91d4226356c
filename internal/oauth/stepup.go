package oauth

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// stepUp notes what a call was refused for (RFC 6750 §3.1, insufficient_scope): all
// that was asked for before and what the server wants now. The token stays.
//
// A server may want a right that was just granted, for ever. After three
// authorizations in a row, the one that led here among them, nobody is asked any
// more; a right that was never asked for begins a new row.
func (s *Service) stepUp(ctx context.Context, a *account, server Server, ch challenge) {
	ctx, cancel := detached(ctx)
	defer cancel()
	enough := false
	err := s.change(ctx, a, func(r *record) *record {
		if r == nil || !r.belongs(server) || r.Access == "" {
			return r
		}
		a.mu.Lock()
		if len(r.StepUp) == 0 && !within(ch.Scopes, r.Requested) {
			a.asked = min(a.asked, 1) // the authorization that left it out is the first
		}
		enough = a.asked >= maxAsked
		a.mu.Unlock()
		wanted := union(union(r.Requested, r.Scopes), union(r.StepUp, ch.Scopes))
		if enough || len(wanted) == 0 || server.Settings.Machine() || len(r.StepUp) == len(wanted) {
			return r
		}
		next := *r
		next.StepUp = wanted
		return &next
	})
	if err != nil {
		s.o.Log.Warn("what a call lacks can't be kept", "server", a.name, "error", err)
	}
	s.update(a, func() {
		host := hostOf(server.URL)
		switch {
		case enough:
			a.note = host + " has refused a call for lack of rights after it was signed in to three times for them: nobody is asked again. Sign in again to try once more."
		case server.Settings.Machine():
			a.note = host + " refused a call: the " + grantWords(server.Settings.Grant) + " gives too few rights" + says(host, ch.Description)
		case len(ch.Scopes) == 0 && len(a.stepUpOf()) == 0:
			a.note = host + " refused a call for lack of rights, without saying which" + says(host, ch.Description)
		}
	})
}

func (a *account) stepUpOf() []string {
	if r := a.usable(); r != nil {
		return r.StepUp
	}
	return nil
}

// grantWords are what a grant is called.
func grantWords(g model.OAuthGrant) string {
	switch g {
	case model.GrantClientCredentials:
		return "client credentials grant"
	case model.GrantEnterprise:
		return "enterprise-managed grant"
	case model.GrantWorkloadIdentity:
		return "workload identity grant"
	}
	return "sign-in"
}
