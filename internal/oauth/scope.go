package oauth

import "slices"

const offlineAccess = "offline_access"

// scopeSources are what may say which scopes to ask for.
type scopeSources struct {
	Settings  []string // the person's
	StepUp    []string // what a call was refused for, with all that there was before
	Challenge []string
	Before    []string // what was asked for the last time
	Site      []string // the server's scopes_supported
	Issuer    []string // the authorization server's scopes_supported
}

// scopes chooses: what the person wants, else the step-up, else the challenge with
// what was asked for before, so that no right is lost (specification, "Step-Up
// Authorization Flow"), else all that the server names. offline_access is for a
// refresh token and goes along where the authorization server lists it; alone it
// would turn "whatever is usual" into "nothing else".
func (s scopeSources) scopes() []string {
	chosen := s.Site
	switch {
	case len(s.Settings) > 0:
		return union(s.Settings, s.StepUp)
	case len(s.StepUp) > 0:
		chosen = s.StepUp
	case len(s.Challenge) > 0:
		chosen = union(s.Before, s.Challenge)
	}
	offline := slices.Contains(s.Issuer, offlineAccess)
	chosen = slices.DeleteFunc(slices.Clone(chosen), func(x string) bool {
		return x == offlineAccess && len(s.Issuer) > 0 && !offline
	})
	if offline && len(chosen) > 0 {
		return union(chosen, []string{offlineAccess})
	}
	return cleanScopes(chosen)
}

// union is a and then what only b has.
func union(a, b []string) []string { return cleanScopes(slices.Concat(a, b)) }

// within tells whether all of a are in b.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
