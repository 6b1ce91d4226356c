package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// secretContext binds a sealed secret to its name: another row's bytes don't
// open in its place.
func secretContext(name string) string { return "secret:" + name }

// PutSecret seals a value and keeps it under name.
func (s *Store) PutSecret(ctx context.Context, name, plain string) error {
	s.keyMu.RLock() // until it is committed, so that no Rekey comes between
	defer s.keyMu.RUnlock()
	sealed, err := s.sealer.Seal([]byte(plain), secretContext(name))
	if err != nil {
		return err
	}
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO secrets (name, sealed, created_at, updated_at)
			VALUES (?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at`,
			name, sealed, moment{time.Now()}, moment{time.Now()})
		return err
	})
}

// Secret opens the value kept under name, or CodeNotFound. One that the key
// doesn't open is the sealer's error.
func (s *Store) Secret(ctx context.Context, name string) (string, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var sealed []byte
	err := s.read.GetContext(ctx, &sealed, `SELECT sealed FROM secrets WHERE name = ?`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", notFound("secret", name)
	}
	if err != nil {
		return "", s.fail(err)
	}
	plain, err := s.sealer.Open(sealed, secretContext(name))
	return string(plain), err
}

// SecretNames lists the names, sorted.
func (s *Store) SecretNames(ctx context.Context) ([]string, error) {
	names := []string{}
	err := s.read.SelectContext(ctx, &names, `SELECT name FROM secrets ORDER BY name`)
	return names, s.fail(err)
}

// DeleteSecret removes a secret, or reports CodeNotFound.
func (s *Store) DeleteSecret(ctx context.Context, name string) error {
	return s.deleteOne(ctx, `DELETE FROM secrets WHERE name = ?`, "secret", name)
}

// deleteOne runs a DELETE of one row by its only argument.
func (s *Store) deleteOne(ctx context.Context, query, what, id string) error {
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.ExecContext(ctx, query, id))
		return err
	})
	if err == nil && changed == 0 {
		return notFound(what, id)
	}
	return err
}
