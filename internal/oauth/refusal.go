package oauth

import (
	"context"
	"net/http"

	"kontor.dev/kontor/internal/model"
)

// refused handles a 401: it returns the token to try again with, or nil.
func (t *transport) refused(ctx context.Context, resp *http.Response, c *credential, renewed bool) *credential {
	ch, ours := parseChallenge(resp.Header)
	if !ours {
		return nil
	}
	used := ""
	if c != nil {
		used = c.access
	}
	t.a.mu.Lock()
	t.a.challenge = ch
	current := t.a.credential(t.server)
	machine := t.server.Settings.Machine() && !t.a.denied && !t.a.signedOut()
	hopeless := renewed || used != "" && used == t.a.refused
	t.a.mu.Unlock()
	switch {
	case hopeless:
		t.s.update(t.a, func() { t.a.refused = used })
	case c != nil || machine || current != nil: // somebody may have signed in meanwhile
		next, err := t.s.renew(ctx, t.a, t.server, used)
		if next != nil && next.access != used {
			return next
		}
		if err != nil {
			if ctx.Err() == nil {
				t.later(used, err)
			}
			return nil
		}
	}
	t.need(used, ch)
	return nil
}

// later notes that a refused token couldn't be renewed just now.
func (t *transport) later(used string, err error) {
	t.s.o.Log.Warn("a refused token can't be renewed just now", "server", t.a.name, "reason", err.Error())
	t.s.update(t.a, func() {
		if used != "" {
			t.a.stale = used
		}
		t.a.note = err.Error()
	})
}

// need notes that a person has to sign in, unless somebody has while the request
// was under way.
func (t *transport) need(used string, ch challenge) {
	t.s.update(t.a, func() {
		current, host := "", hostOf(t.server.URL)
		r := t.a.recordFor(t.server)
		if r != nil {
			current = r.Access
		}
		switch {
		case t.a.signedOut(), t.a.denied, current != used, t.a.server.URL != t.server.URL:
		case r != nil && r.Ended != "": // which says more
		case used == "":
			t.a.need = &need{model.ReasonFirstTime, host + " asks for a sign-in." + says(host, ch.Description)}
		case r.expired(t.s.now()):
			t.a.need = &need{model.ReasonExpired, "The sign-in to " + host + " has expired, and can't be renewed without you."}
		default:
			t.a.need = &need{model.ReasonExpired, host + " doesn't take the sign-in any more." + says(host, ch.Description)}
		}
	})
}

// short handles a 403: it notes what the token is short of. Where somebody has got a
// token meanwhile that isn't, it returns that.
func (t *transport) short(ctx context.Context, resp *http.Response, c *credential) *credential {
	ch, ours := parseChallenge(resp.Header)
	if !ours || ch.Error != "insufficient_scope" {
		return nil
	}
	t.a.mu.Lock()
	if ch.Metadata != "" {
		t.a.challenge.Metadata = ch.Metadata
	}
	current, r := t.a.credential(t.server), t.a.recordFor(t.server)
	t.a.mu.Unlock()
	if current != nil && current.access != c.access && within(ch.Scopes, r.Scopes) {
		return current
	}
	if !t.a.trial {
		t.s.stepUp(ctx, t.a, t.server, ch)
	}
	return nil
}
