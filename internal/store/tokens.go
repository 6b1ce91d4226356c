package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// tokenRow is a row of api_tokens.
type tokenRow struct {
	ID         string      `db:"id"`
	Name       string      `db:"name"`
	Scope      model.Scope `db:"scope"`
	Prefix     string      `db:"prefix"`
	Hash       []byte      `db:"hash"`
	CreatedAt  moment      `db:"created_at"`
	ExpiresAt  moment      `db:"expires_at"`
	LastUsedAt moment      `db:"last_used_at"`
}

func (r tokenRow) token() model.Token {
	return model.Token{ID: r.ID, Name: r.Name, Scope: r.Scope, Prefix: r.Prefix, Hash: r.Hash,
		CreatedAt: r.CreatedAt.Time, ExpiresAt: r.ExpiresAt.Time, LastUsedAt: r.LastUsedAt.Time}
}

// InsertToken stores a new API token.
func (s *Store) InsertToken(ctx context.Context, t model.Token) error {
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO api_tokens
			(id, name, scope, prefix, hash, created_at, expires_at, last_used_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, t.ID, t.Name, t.Scope, t.Prefix, t.Hash,
			orNow(t.CreatedAt), moment{t.ExpiresAt}, moment{t.LastUsedAt})
		return err
	})
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is a token %q: %w", t.ID, err)
	}
	return err
}

// TokenByHash finds a token by the SHA-256 of its whole text, or CodeNotFound.
// Whether it has expired is the caller's to judge.
func (s *Store) TokenByHash(ctx context.Context, hash []byte) (model.Token, error) {
	var row tokenRow
	err := s.stmt.tokenByHash.GetContext(ctx, &row, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return model.Token{}, model.Errorf(model.CodeNotFound, "This token is unknown or was revoked.")
	}
	return row.token(), s.fail(err)
}

// ListTokens lists the tokens, newest first.
func (s *Store) ListTokens(ctx context.Context) ([]model.Token, error) {
	var rows []tokenRow
	if err := s.read.SelectContext(ctx, &rows, `SELECT * FROM api_tokens ORDER BY id DESC`); err != nil {
		return nil, s.fail(err)
	}
	tokens := make([]model.Token, len(rows))
	for i, row := range rows {
		tokens[i] = row.token()
	}
	return tokens, nil
}

// RevokeToken removes a token for good, or reports CodeNotFound.
func (s *Store) RevokeToken(ctx context.Context, id string) error {
	return s.deleteOne(ctx, `DELETE FROM api_tokens WHERE id = ?`, "token", id)
}

// TouchToken notes when a token was last used. One that was revoked meanwhile is
// no error.
func (s *Store) TouchToken(ctx context.Context, id string, at time.Time) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE api_tokens SET last_used_at = ? WHERE id = ?`, moment{at}, id)
		return err
	})
}
