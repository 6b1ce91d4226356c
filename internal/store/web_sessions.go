package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// webSessionRow is a row of web_sessions.
type webSessionRow struct {
	ID         string `db:"id"`
	Hash       []byte `db:"hash"`
	UserAgent  string `db:"user_agent"`
	CreatedAt  moment `db:"created_at"`
	LastSeenAt moment `db:"last_seen_at"`
	ExpiresAt  moment `db:"expires_at"`
}

func (r webSessionRow) session() model.WebSession {
	return model.WebSession{ID: r.ID, Hash: r.Hash, UserAgent: r.UserAgent, CreatedAt: r.CreatedAt.Time,
		LastSeenAt: r.LastSeenAt.Time, ExpiresAt: r.ExpiresAt.Time}
}

// InsertWebSession stores a new sign-in.
func (s *Store) InsertWebSession(ctx context.Context, w model.WebSession) error {
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO web_sessions
			(id, hash, user_agent, created_at, last_seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
			w.ID, w.Hash, w.UserAgent, orNow(w.CreatedAt), orNow(w.LastSeenAt), moment{w.ExpiresAt})
		return err
	})
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is a session %q: %w", w.ID, err)
	}
	return err
}

// WebSessionByHash finds a session by the SHA-256 of its cookie, or CodeNotFound.
// Whether it has expired is the caller's to judge.
func (s *Store) WebSessionByHash(ctx context.Context, hash []byte) (model.WebSession, error) {
	var row webSessionRow
	err := s.stmt.sessionByHash.GetContext(ctx, &row, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return model.WebSession{}, model.Errorf(model.CodeNotFound, "This session is unknown or was ended.")
	}
	return row.session(), s.fail(err)
}

// TouchWebSession notes that a session was seen and when it now expires. One
// that was ended meanwhile is no error.
func (s *Store) TouchWebSession(ctx context.Context, id string, seen, expires time.Time) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE web_sessions SET last_seen_at = ?, expires_at = ? WHERE id = ?`,
			moment{seen}, moment{expires}, id)
		return err
	})
}

// ListWebSessions lists the sessions, the one seen last first.
func (s *Store) ListWebSessions(ctx context.Context) ([]model.WebSession, error) {
	var rows []webSessionRow
	err := s.read.SelectContext(ctx, &rows, `SELECT * FROM web_sessions ORDER BY last_seen_at DESC, id DESC`)
	if err != nil {
		return nil, s.fail(err)
	}
	sessions := make([]model.WebSession, len(rows))
	for i, row := range rows {
		sessions[i] = row.session()
	}
	return sessions, nil
}

// DeleteWebSession ends a session, or reports CodeNotFound.
func (s *Store) DeleteWebSession(ctx context.Context, id string) error {
	return s.deleteOne(ctx, `DELETE FROM web_sessions WHERE id = ?`, "session", id)
}

// DeleteExpiredWebSessions removes what expired before at, and reports how many.
func (s *Store) DeleteExpiredWebSessions(ctx context.Context, at time.Time) (int, error) {
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.ExecContext(ctx, `DELETE FROM web_sessions WHERE expires_at <= ?`, moment{at}))
		return err
	})
	return int(changed), err
}
