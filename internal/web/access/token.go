package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
)

// tokenPrefix lets scanners for leaked secrets know a token by sight.
const tokenPrefix = "kt_"

// shownPrefix is how much of a token is kept readable, to recognise it by.
const shownPrefix = len(tokenPrefix) + 6

// CreateToken makes an API token. value is the token itself, which nobody can
// read again. A zero expires means never.
func (s *Service) CreateToken(ctx context.Context, name string, scope model.Scope, expires time.Time) (value string, t model.Token, err error) {
	switch scope {
	case model.ScopeFull, model.ScopeRead, model.ScopeGateway:
	default:
		return "", t, model.Errorf(model.CodeInvalid, "scope %q is unknown: use full, read or gateway", scope)
	}
	if name = strings.TrimSpace(name); name == "" {
		return "", t, model.Errorf(model.CodeInvalid, "a token needs a name, to tell it from others later")
	}
	value = tokenPrefix + rand.Text() + rand.Text()
	hash := sha256.Sum256([]byte(value))
	t = model.Token{
		ID: uuid.Must(uuid.NewV7()).String(), Name: name, Scope: scope, Prefix: value[:shownPrefix],
		Hash: hash[:], CreatedAt: time.Now().UTC(), ExpiresAt: expires,
	}
	if err := s.o.Store.InsertToken(ctx, t); err != nil {
		return "", model.Token{}, err
	}
	s.o.Changed()
	return value, t, nil
}

// Tokens lists the API tokens.
func (s *Service) Tokens(ctx context.Context) ([]model.Token, error) {
	return s.o.Store.ListTokens(ctx)
}

// RevokeToken ends a token, and its connections.
func (s *Service) RevokeToken(ctx context.Context, id string) error {
	if err := s.o.Store.RevokeToken(ctx, id); err != nil {
		return err
	}
	s.forget(id)
	s.o.Changed()
	return nil
}
