package oauth

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor.dev/kontor/internal/model"
)

// revokeTimeout bounds the wait for an authorization server that is told of a
// sign-out: the person has signed out, whatever it does.
const revokeTimeout = 10 * time.Second

// SignOut revokes a server's tokens where the authorization server offers that,
// and deletes them: what stays is that the person has signed out. It fails only when
// they can't be deleted.
func (s *Service) SignOut(ctx context.Context, server Server) error {
	a := s.account(server.Name)
	note, err := s.end(ctx, a, server, &record{Server: server.URL, Grant: server.Settings.Grant, Obtained: s.now(), SignedOut: true})
	if err != nil {
		return err
	}
	s.update(a, func() {
		a.know(server)
		a.settled()
		a.asked, a.note, a.failed = 0, note, ""
	})
	return nil
}

// Forget is SignOut for a server that was deleted: nothing is left of it.
func (s *Service) Forget(ctx context.Context, server string) error {
	a := s.account(server)
	a.mu.Lock()
	known := a.server
	a.mu.Unlock()
	known.Name = server
	if _, err := s.end(ctx, a, known, nil); err != nil && model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	s.mu.Lock()
	delete(s.accounts, server)
	s.mu.Unlock()
	s.o.Hide(a.owner(), nil)
	return nil
}

// end gives up a flow, revokes tokens and puts what is left in the record's place. The
// note says what the authorization server doesn't know.
func (s *Service) end(ctx context.Context, a *account, server Server, left *record) (note string, err error) {
	s.Cancel(a.name)
	if err := a.enter(ctx); err != nil {
		return "", err
	}
	defer a.leave()
	ctx, cancel := detached(ctx)
	defer cancel()
	if _, revision, unreadable := s.read(ctx, a.name); unreadable != nil && revision > 0 {
		_, err := s.swap(ctx, a, revision, left)
		return "what was kept couldn't be read, so it was deleted without being revoked", err
	}
	revoked := ""
	err = s.change(ctx, a, func(r *record) *record {
		if r != nil && r.Access+r.Refresh != revoked { // again only for what somebody else stored
			revoked = r.Access + r.Refresh
			if err := s.revoke(ctx, server, r); err != nil {
				note = err.Error()
				s.o.Log.Warn("tokens are deleted but couldn't be revoked", "server", a.name, "reason", err.Error())
			}
		}
		return left
	})
	return note, err
}

// oust revokes what another sign-in has replaced. Nobody waits for it.
func (s *Service) oust(a *account, server Server, before *record) {
	if !s.begin() {
		s.o.Log.Warn("the sign-in of before isn't revoked: Kontor stops", "server", a.name)
		return
	}
	go func() {
		defer s.running.Done()
		err := s.revoke(s.ctx, server, before)
		if err == nil {
			return
		}
		s.o.Log.Warn("the sign-in of before couldn't be revoked", "server", a.name, "reason", err.Error())
		s.update(a, func() { a.note = "Your sign-in of before may still be good: " + err.Error() + "." })
	}()
}

// revoke tells the authorization server that tokens are no longer wanted (RFC
// 7009): the refresh token first, with which the whole grant goes.
func (s *Service) revoke(ctx context.Context, server Server, r *record) error {
	if r.RevocationEndpoint == "" || r.Access == "" && r.Refresh == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, revokeTimeout)
	defer cancel()
	h, err := s.client(r.Server)
	if err != nil {
		return err
	}
	for _, t := range []struct{ token, hint string }{{r.Refresh, "refresh_token"}, {r.Access, "access_token"}} {
		if t.token == "" {
			continue
		}
		form := url.Values{"token": {t.token}, "token_type_hint": {t.hint}}
		if err := s.post(ctx, h, r, r.Client.current(server.Settings), form); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) post(ctx context.Context, h *http.Client, r *record, c client, form url.Values) error {
	host := hostOf(r.RevocationEndpoint)
	switch c.Method {
	case model.ClientAuthBasic:
	case model.ClientAuthPrivateKeyJWT:
		assertion, err := clientAssertion(c, r.Issuer, s.now())
		if err != nil {
			return err
		}
		form = with(form, "client_id", c.ID, "client_assertion_type", assertionType, "client_assertion", assertion)
	case model.ClientAuthPost:
		form = with(form, "client_id", c.ID, "client_secret", c.Secret)
	default:
		form = with(form, "client_id", c.ID)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.RevocationEndpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("%s has no revocation endpoint that can be used", host)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	if c.Method == model.ClientAuthBasic { // RFC 6749 §2.3.1
		req.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret))
	}
	resp, err := h.Do(req)
	if err != nil {
		return fmt.Errorf("%s doesn't know of the sign-out: it can't be reached: %w", host, reason(err))
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s didn't take the sign-out: HTTP %d. The token may be good there until it expires", host, resp.StatusCode)
	}
	return nil
}
