package oauth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"kontor.dev/kontor/internal/model"
)

// maxNonces is how often one request is sent again for a DPoP nonce.
const maxNonces = 2

// Transport wraps a connection's transport: requests to the origin of the server's
// URL, and no others, get the token. It is renewed before its end and once after a
// 401, and then the request is sent again (Request.GetBody must be set).
//
// It never waits for a person. A 401 or 403 that it can't solve comes as it is,
// after Changed; a 401 while Status says signed_in means that the authorization
// server couldn't be asked just now, and that the next request asks it first. When
// a token has ended and can't be renewed just now, nothing is sent, and the error
// is a *model.Error with model.CodeServerUnavailable.
//
// Where the person set an Authorization header or a bearer token, theirs counts:
// then nothing must be wrapped.
func (s *Service) Transport(server Server, base http.RoundTripper) http.RoundTripper {
	a := s.account(server.Name)
	s.configured(a, server)
	return s.transport(a, server, base)
}

// Trial is Transport for a configuration that isn't saved: it uses and renews what
// is kept for the same address, but what it learns is nobody's Status, and the
// token of a machine is in memory only, for as long as the transport is.
func (s *Service) Trial(server Server, base http.RoundTripper) http.RoundTripper {
	a := newAccount(server.Name)
	a.trial, a.server = true, server
	return s.transport(a, server, base)
}

func (s *Service) transport(a *account, server Server, base http.RoundTripper) http.RoundTripper {
	t := &transport{s: s, server: server, base: base, a: a}
	if u, err := url.Parse(server.URL); err == nil {
		t.origin = origin(u)
	}
	return t
}

type transport struct {
	s      *Service
	a      *account
	server Server
	origin string
	base   http.RoundTripper
}

// CloseIdleConnections makes http.Client.CloseIdleConnections work.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// RoundTrip sends a request with the token.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if origin(req.URL) != t.origin {
		return t.base.RoundTrip(req)
	}
	c, err := t.ready(req.Context())
	if err != nil {
		closeBody(req.Body)
		return nil, err
	}
	renewed := false
	for sent, proofs := 0, 0; ; sent++ {
		resp, err := t.send(req, c, sent > 0)
		if err != nil {
			return nil, err
		}
		again := req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
		switch {
		case c != nil && c.prover != nil && c.prover.wantsNonce(resp) && again && proofs < maxNonces:
			proofs++
		case resp.StatusCode == http.StatusUnauthorized:
			next := t.refused(req.Context(), resp, c, renewed)
			if next == nil || !again {
				return resp, nil
			}
			c, renewed = next, true
		default:
			t.settle(req.Context(), resp, c)
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
		_ = resp.Body.Close()
	}
}

// ready is the token to send, nil for none. One that is about to end is renewed
// first; while it can't be, it is used to its end.
func (t *transport) ready(ctx context.Context) (*credential, error) {
	if err := t.s.ensure(ctx, t.a); err != nil {
		return nil, err
	}
	now := t.s.now()
	t.a.mu.Lock()
	c, r := t.a.credential(t.server), t.a.recordFor(t.server)
	renewable := r != nil && (r.Refresh != "" || t.server.Settings.Machine() && !t.a.denied)
	stale := c != nil && c.access == t.a.stale
	t.a.mu.Unlock()
	if c == nil || !renewable || !stale && !r.due(now) {
		return c, nil
	}
	next, err := t.s.renew(ctx, t.a, t.server, c.access)
	if err != nil && !stale && !r.expired(now) {
		t.s.o.Log.Warn("a token is about to end and can't be renewed", "server", t.a.name, "reason", err.Error())
		return c, nil
	}
	return next, err
}

// send sends a copy of the request, with the token and a proof where it has one.
func (t *transport) send(req *http.Request, c *credential, again bool) (*http.Response, error) {
	sent := req.Clone(req.Context())
	if again && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		sent.Body = body
	}
	if c != nil {
		sent.Header.Set("Authorization", c.scheme+" "+c.access)
		if c.prover != nil {
			if err := c.prover.sign(sent, c.access); err != nil {
				closeBody(sent.Body)
				return nil, err
			}
		}
	}
	return t.base.RoundTrip(sent)
}

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
	machine := t.server.Settings.Machine() && !t.a.denied && !t.a.signedOut
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
		case t.a.signedOut, t.a.denied, current != used, t.a.server.URL != t.server.URL:
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

// settle reads what else an answer says about the token.
func (t *transport) settle(ctx context.Context, resp *http.Response, c *credential) {
	if c == nil {
		return
	}
	if resp.StatusCode == http.StatusForbidden {
		if ch, ours := parseChallenge(resp.Header); ours && ch.Error == "insufficient_scope" {
			t.a.mu.Lock()
			if ch.Metadata != "" {
				t.a.challenge.Metadata = ch.Metadata
			}
			t.a.mu.Unlock()
			if !t.a.trial {
				t.s.stepUp(ctx, t.a, t.server, ch)
			}
		}
		return
	}
	t.a.mu.Lock()
	back := resp.StatusCode/100 == 2 && t.a.refused == c.access
	t.a.mu.Unlock()
	if back { // the server has changed its mind
		t.s.update(t.a, func() {
			if t.a.refused == c.access {
				t.a.refused, t.a.need = "", nil
			}
		})
	}
}

func closeBody(body io.ReadCloser) {
	if body != nil {
		_ = body.Close()
	}
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
