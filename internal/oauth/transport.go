package oauth

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// maxNonces is how often one request is sent again for a DPoP nonce.
const maxNonces = 2

// Transport wraps a connection's transport: requests to the origin of the server's
// URL, and no others, get the token. It is renewed before its end and once after a
// 401, and then the request is sent again (Request.GetBody must be set); so it is
// after a 403 for rights that somebody has got meanwhile.
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
		case resp.StatusCode == http.StatusForbidden && c != nil:
			next := t.short(req.Context(), resp, c)
			if next == nil || !again || renewed {
				return resp, nil
			}
			c, renewed = next, true
		default:
			t.settle(resp, c)
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

// settle takes back that a token was refused, when the server has changed its mind.
func (t *transport) settle(resp *http.Response, c *credential) {
	if c == nil || resp.StatusCode/100 != 2 {
		return
	}
	t.a.mu.Lock()
	back := t.a.refused == c.access
	t.a.mu.Unlock()
	if back {
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
