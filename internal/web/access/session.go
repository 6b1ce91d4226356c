package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
)

// SessionLife is how long a browser stays signed in after it was last seen.
const SessionLife = 30 * 24 * time.Hour

// ErrLink is the answer to a sign-in code that was used, is too old or never was.
var ErrLink = model.Errorf(model.CodeDenied, "this sign-in link has been used, or is older than 10 minutes")

// SignInByLink uses a code up and starts a session. cookie is its secret.
func (s *Service) SignInByLink(ctx context.Context, code, userAgent string) (cookie string, err error) {
	if !s.links.redeem(code, time.Now()) {
		return "", ErrLink
	}
	return s.startSession(ctx, userAgent)
}

// SignInByPassword starts a session. client tells who tries, for the slow-down:
// a *WaitError says how long to wait.
func (s *Service) SignInByPassword(ctx context.Context, client, password, userAgent string) (cookie string, err error) {
	if err := s.checkPassword(ctx, client, password); err != nil {
		return "", err
	}
	return s.startSession(ctx, userAgent)
}

func (s *Service) startSession(ctx context.Context, userAgent string) (string, error) {
	if len(userAgent) > maxUserAgent {
		userAgent = userAgent[:maxUserAgent]
	}
	cookie := rand.Text() + rand.Text()
	hash := sha256.Sum256([]byte(cookie))
	now := time.Now().UTC()
	err := s.o.Store.InsertWebSession(ctx, model.WebSession{
		ID: uuid.Must(uuid.NewV7()).String(), Hash: hash[:], UserAgent: userAgent,
		CreatedAt: now, LastSeenAt: now, ExpiresAt: now.Add(SessionLife),
	})
	if err != nil {
		return "", err
	}
	s.o.Changed()
	return cookie, nil
}

const maxUserAgent = 400

// Session returns who a cookie belongs to, and false for one that is unknown,
// expired or revoked. Being seen prolongs it: renewed tells that the browser's
// cookie is to be set again.
func (s *Service) Session(ctx context.Context, cookie string) (id Identity, renewed, ok bool) {
	if cookie == "" || len(cookie) > maxSecret {
		return Identity{}, false, false
	}
	hash := sha256.Sum256([]byte(cookie))
	e, ok := s.lookUp(hash, func() (entry, error) {
		w, err := s.o.Store.WebSessionByHash(ctx, hash[:])
		return entry{
			identity: Identity{Kind: KindSession, Scope: model.ScopeFull, ID: w.ID},
			expires:  w.ExpiresAt, seen: w.LastSeenAt,
		}, err
	})
	if !ok {
		return Identity{}, false, false
	}
	now := time.Now()
	if now.Sub(e.seen) <= touchEvery {
		return e.identity, false, true
	}
	if s.o.Store.TouchWebSession(ctx, e.identity.ID, now.UTC(), now.Add(SessionLife).UTC()) != nil {
		return e.identity, false, true // not prolonged this time
	}
	e.seen, e.expires = now, now.Add(SessionLife)
	s.mu.Lock()
	if _, still := s.known[hash]; still { // not revoked in between
		s.known[hash] = e
	}
	s.mu.Unlock()
	return e.identity, true, true
}

// Sessions lists the signed-in browsers.
func (s *Service) Sessions(ctx context.Context) ([]model.WebSession, error) {
	all, err := s.o.Store.ListWebSessions(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	var alive []model.WebSession
	for _, w := range all {
		if now.Before(w.ExpiresAt) {
			alive = append(alive, w)
		}
	}
	return alive, nil
}

// EndSession signs one browser out, and ends its connections.
func (s *Service) EndSession(ctx context.Context, id string) error {
	if err := s.o.Store.DeleteWebSession(ctx, id); err != nil {
		return err
	}
	s.forget(id)
	s.o.Changed()
	return nil
}

// endOtherSessions signs out every browser but one.
func (s *Service) endOtherSessions(ctx context.Context, keep string) error {
	all, err := s.o.Store.ListWebSessions(ctx)
	if err != nil {
		return err
	}
	for _, w := range all {
		if w.ID != keep {
			err = errors.Join(err, s.EndSession(ctx, w.ID))
		}
	}
	return err
}
