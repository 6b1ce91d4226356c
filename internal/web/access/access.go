// Package access decides who gets in: browser sessions, one-time sign-in links,
// the password and how wrong ones are slowed down, and API tokens. It refuses to
// know HTTP: web carries the cookies and headers, the command line the links.
package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Store keeps what must survive a restart: hashes, never the secrets themselves.
type Store interface {
	// Setting answers CodeNotFound for a key that was never set.
	Setting(ctx context.Context, key string) (json.RawMessage, error)
	SetSetting(ctx context.Context, key string, value json.RawMessage) error

	InsertToken(ctx context.Context, t model.Token) error
	// TokenByHash and WebSessionByHash answer CodeNotFound when there is none.
	TokenByHash(ctx context.Context, hash []byte) (model.Token, error)
	ListTokens(ctx context.Context) ([]model.Token, error)
	RevokeToken(ctx context.Context, id string) error
	TouchToken(ctx context.Context, id string, at time.Time) error

	InsertWebSession(ctx context.Context, s model.WebSession) error
	WebSessionByHash(ctx context.Context, hash []byte) (model.WebSession, error)
	TouchWebSession(ctx context.Context, id string, seen, expires time.Time) error
	ListWebSessions(ctx context.Context) ([]model.WebSession, error)
	DeleteWebSession(ctx context.Context, id string) error
}

// Options of New.
type Options struct {
	Store Store
	// PasswordHash, when not empty, is the password for as long as the process
	// runs (KONTOR_PASSWORD_HASH); the stored one then doesn't count.
	PasswordHash string
	// APIToken, when not empty, is a full-access token (KONTOR_API_TOKEN).
	APIToken string
	// Changed is told when passwords, tokens or sessions changed; nil for nobody.
	Changed func()
}

// Kind is how someone got in.
type Kind string

// The kinds.
const (
	KindSession Kind = "session"
	KindToken   Kind = "token"
)

// Identity is who got in, and what they may do.
type Identity struct {
	Kind  Kind
	Scope model.Scope
	// ID is that of the session or token; "environment" for KONTOR_API_TOKEN.
	ID string
	// Label is what the person sees: the token's name.
	Label string
}

// Service is the one place that lets anybody in.
type Service struct {
	o     Options
	links links
	slow  slowdown

	// verify is held while a password is hashed: one at a time bounds the memory
	// that a flood of wrong ones takes.
	verify sync.Mutex

	mu    sync.Mutex
	known map[[sha256.Size]byte]entry
	// watched are the connections to end when their identity is revoked.
	watched map[string]map[*watch]struct{}
}

// New makes the service. A password hash in a form that it can't check is an
// error: silently ignoring it would leave the door open or shut.
func New(o Options) (*Service, error) {
	if o.PasswordHash != "" {
		if _, err := parsePHC(o.PasswordHash); err != nil {
			return nil, model.Errorf(model.CodeInvalid, "KONTOR_PASSWORD_HASH: %w", err)
		}
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return &Service{
		o:       o,
		slow:    slowdown{clients: map[string]failures{}},
		known:   map[[sha256.Size]byte]entry{},
		watched: map[string]map[*watch]struct{}{},
	}, nil
}

// TokenFromEnvironment tells whether KONTOR_API_TOKEN was set.
func (s *Service) TokenFromEnvironment() bool { return s.o.APIToken != "" }

// EnvironmentToken is the label of whoever comes with the token of the environment:
// the variable's name.
const EnvironmentToken = "KONTOR_API_TOKEN"

// environmentID stands for the token of the environment.
const environmentID = "environment"

// Token returns who a bearer token belongs to, and false for one that is
// unknown, expired or revoked.
func (s *Service) Token(ctx context.Context, value string) (Identity, bool) {
	if s.o.APIToken != "" {
		// Hashed first, so that the comparison takes the same time for any length.
		have, want := sha256.Sum256([]byte(value)), sha256.Sum256([]byte(s.o.APIToken))
		if subtle.ConstantTimeCompare(have[:], want[:]) == 1 {
			return Identity{Kind: KindToken, Scope: model.ScopeFull, ID: environmentID, Label: EnvironmentToken}, true
		}
	}
	if len(value) > maxSecret {
		return Identity{}, false
	}
	hash := sha256.Sum256([]byte(value))
	e, ok := s.lookUp(hash, func() (entry, error) {
		t, err := s.o.Store.TokenByHash(ctx, hash[:])
		return entry{
			identity: Identity{Kind: KindToken, Scope: t.Scope, ID: t.ID, Label: t.Name},
			expires:  t.ExpiresAt, seen: t.LastUsedAt,
		}, err
	})
	if !ok {
		return Identity{}, false
	}
	if now := time.Now(); now.Sub(e.seen) > touchEvery {
		s.saw(hash, now)
		// The last use is for the person's eyes; getting in doesn't hang on it.
		_ = s.o.Store.TouchToken(ctx, e.identity.ID, now.UTC())
	}
	return e.identity, true
}

// maxSecret is the length above which a cookie or token can't be one of ours.
const maxSecret = 256

// touchEvery bounds how often a use is written down.
const touchEvery = time.Minute
