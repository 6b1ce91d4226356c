package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kontor.dev/kontor/internal/model"
)

func oauthContext(server string) string { return "oauth:" + server }

func oauthClientContext(issuer, redirectURI string) string {
	return fmt.Sprintf("oauth client:%q at %q", redirectURI, issuer)
}

// OAuthRecord opens what is kept of the sign-in to a server, and tells its
// revision. None is CodeNotFound; one that the key doesn't open is the sealer's error.
func (s *Store) OAuthRecord(ctx context.Context, server string) (data []byte, revision int64, err error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var row struct {
		Revision int64  `db:"revision"`
		Sealed   []byte `db:"sealed"`
	}
	err = s.read.GetContext(ctx, &row, `SELECT revision, sealed FROM oauth_records WHERE server = ?`, server)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, notFound("sign-in to server", server)
	}
	if err != nil {
		return nil, 0, s.fail(err)
	}
	data, err = s.sealer.Open(row.Sealed, oauthContext(server))
	return data, row.Revision, err
}

// SwapOAuthRecord replaces the record of the given revision, 0 for none, and returns
// the new one's; nil data deletes it. When it returns, the record is on the disk
// itself. Another revision is CodeConflict, a server that isn't there CodeNotFound.
func (s *Store) SwapOAuthRecord(ctx context.Context, server string, revision int64, data []byte) (int64, error) {
	s.keyMu.RLock() // until it is committed, so that no Rekey comes between
	defer s.keyMu.RUnlock()
	sealed, err := s.sealer.Seal(data, oauthContext(server))
	if err != nil {
		return 0, err
	}
	query, args := `UPDATE oauth_records SET revision = revision + 1, sealed = ?, updated_at = ? WHERE server = ? AND revision = ?`,
		[]any{sealed, moment{time.Now()}, server, revision}
	switch {
	case data == nil:
		query, args = `DELETE FROM oauth_records WHERE server = ? AND revision = ?`, []any{server, revision}
	case revision == 0:
		query, args = `INSERT INTO oauth_records (server, revision, sealed, updated_at)
			SELECT name, 1, ?, ? FROM mcp_servers WHERE name = ? ON CONFLICT DO NOTHING`, args[:3]
	}
	changed := int64(0)
	err = s.queue.doDurably(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.ExecContext(ctx, query, args...))
		return err
	})
	if err == nil && changed == 0 {
		return 0, s.notSwapped(ctx, server)
	}
	return revision + 1, err
}

func (s *Store) notSwapped(ctx context.Context, server string) error {
	if _, err := s.Server(ctx, server); err != nil {
		return err
	}
	return model.Errorf(model.CodeConflict, "The sign-in to server %q was changed meanwhile.", server)
}

// OAuthClient opens what a registration gave, or CodeNotFound.
func (s *Store) OAuthClient(ctx context.Context, issuer, redirectURI string) ([]byte, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var sealed []byte
	err := s.read.GetContext(ctx, &sealed, `SELECT sealed FROM oauth_clients WHERE issuer = ? AND redirect_uri = ?`, issuer, redirectURI)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound("client at", issuer)
	}
	if err != nil {
		return nil, s.fail(err)
	}
	return s.sealer.Open(sealed, oauthClientContext(issuer, redirectURI))
}

// PutOAuthClient keeps what a registration gave, in the place of one before.
func (s *Store) PutOAuthClient(ctx context.Context, issuer, redirectURI string, data []byte) error {
	s.keyMu.RLock() // until it is committed, so that no Rekey comes between
	defer s.keyMu.RUnlock()
	sealed, err := s.sealer.Seal(data, oauthClientContext(issuer, redirectURI))
	if err != nil {
		return err
	}
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO oauth_clients (issuer, redirect_uri, sealed, updated_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (issuer, redirect_uri) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at`,
			issuer, redirectURI, sealed, moment{time.Now()})
		return err
	})
}

// DeleteOAuthClient forgets a registration; none is no error.
func (s *Store) DeleteOAuthClient(ctx context.Context, issuer, redirectURI string) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM oauth_clients WHERE issuer = ? AND redirect_uri = ?`, issuer, redirectURI)
		return err
	})
}
