package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

const putSetting = `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`

// Setting returns the JSON kept under key, or CodeNotFound.
func (s *Store) Setting(ctx context.Context, key string) (json.RawMessage, error) {
	var value raw
	err := s.read.GetContext(ctx, &value, `SELECT value FROM settings WHERE key = ?`, key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound("setting", key)
	}
	return json.RawMessage(value), s.fail(err)
}

// SetSetting keeps JSON under key; nil removes it.
func (s *Store) SetSetting(ctx context.Context, key string, value json.RawMessage) error {
	if value != nil && !json.Valid(value) {
		return model.Errorf(model.CodeInvalid, "The setting %q isn't JSON.", key)
	}
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		if value == nil {
			_, err := tx.ExecContext(ctx, `DELETE FROM settings WHERE key = ?`, key)
			return err
		}
		_, err := tx.ExecContext(ctx, putSetting, key, raw(value), moment{time.Now()})
		return err
	})
}
