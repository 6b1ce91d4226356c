package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"kontor.dev/kontor/internal/model"
)

// keyCheckSetting holds the check value of the key that the rows are sealed with.
const keyCheckSetting = "key_check"

// unlock asks for the sealer and, while nothing is sealed yet, takes its key as
// the database's.
func (s *Store) unlock(ctx context.Context, open func(KeyState) (Sealer, error)) error {
	state, err := s.keyState(ctx)
	if err != nil {
		return err
	}
	if s.sealer, err = open(state); err != nil {
		return err
	}
	check := s.sealer.CheckValue()
	if state.Sealed || check == "" || check == state.Check {
		return nil
	}
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		return putKeyCheck(ctx, tx, check)
	})
}

func (s *Store) keyState(ctx context.Context) (KeyState, error) {
	var state KeyState
	err := s.read.GetContext(ctx, &state.Sealed,
		`SELECT EXISTS (SELECT 1 FROM secrets) OR EXISTS (SELECT 1 FROM server_secrets)
			OR EXISTS (SELECT 1 FROM oauth_records) OR EXISTS (SELECT 1 FROM language_models WHERE sealed_key IS NOT NULL)`)
	if err != nil {
		return state, s.fail(err)
	}
	check, err := s.Setting(ctx, keyCheckSetting)
	switch {
	case err == nil:
		err = json.Unmarshal(check, &state.Check)
	case model.CodeOf(err) == model.CodeNotFound:
		err = nil
	}
	return state, err
}

func putKeyCheck(ctx context.Context, tx *transaction, check string) error {
	_, err := tx.ExecContext(ctx, putSetting, keyCheckSetting, column[string]{check}, moment{time.Now()})
	return err
}

// UnreadableSecrets names, in words, every sealed value that the key doesn't
// open; none when all is well.
func (s *Store) UnreadableSecrets(ctx context.Context) ([]string, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	rows, err := sealedRows(ctx, s.read)
	if err != nil {
		return nil, s.fail(err)
	}
	var names []string
	for _, row := range rows {
		if _, err := s.sealer.Open(row.sealed, row.context); err != nil && !row.found {
			names = append(names, row.words)
		}
	}
	return names, nil
}

// Rekey seals every value anew with next, all or none, and goes on with it. One
// that the present key doesn't open stops it: it would be lost.
func (s *Store) Rekey(ctx context.Context, next Sealer) error {
	s.keyMu.Lock()
	defer s.keyMu.Unlock()
	// Durably: the caller replaces the old key next.
	err := s.queue.doDurably(ctx, func(ctx context.Context, tx *transaction) error {
		rows, err := sealedRows(ctx, tx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := s.reseal(ctx, tx, row, next); err != nil {
				return err
			}
		}
		return putKeyCheck(ctx, tx, next.CheckValue())
	})
	if err != nil {
		return err
	}
	s.sealer = next
	return nil
}

func (s *Store) reseal(ctx context.Context, tx *transaction, row sealedValue, next Sealer) error {
	plain, err := s.sealer.Open(row.sealed, row.context)
	if err != nil && row.found {
		return nil
	}
	if err != nil {
		return model.Errorf(model.CodeConflict,
			"The present key doesn't open %s. Nothing was changed: set it anew or remove it, then change the key.", row.words)
	}
	sealed, err := next.Seal(plain, row.context)
	if err != nil {
		return fmt.Errorf("seal %s: %w", row.words, err)
	}
	_, err = tx.ExecContext(ctx, row.update, append([]any{sealed}, row.key...)...)
	return err
}

// sealedValue is a sealed value of any table.
type sealedValue struct {
	sealed         []byte
	context, words string
	// found says that nothing is lost with it: it will be found out anew.
	found bool
	// update writes new sealed bytes: its arguments are these and the key.
	update string
	key    []any
}

// sealedRows lists what is sealed. A table that gets a sealed column joins here.
func sealedRows(ctx context.Context, db sqlx.QueryerContext) ([]sealedValue, error) {
	var secrets []struct {
		Name   string `db:"name"`
		Sealed []byte `db:"sealed"`
	}
	var servers []sealedRow
	var catalogues []struct {
		Server string `db:"server"`
		Sealed []byte `db:"fingerprint"`
	}
	var records []struct {
		Server string `db:"server"`
		Sealed []byte `db:"sealed"`
	}
	var clients []struct {
		Issuer      string `db:"issuer"`
		RedirectURI string `db:"redirect_uri"`
		Sealed      []byte `db:"sealed"`
	}
	var models []modelRow
	err := errors.Join(
		sqlx.SelectContext(ctx, db, &secrets, `SELECT name, sealed FROM secrets ORDER BY name`),
		sqlx.SelectContext(ctx, db, &servers, `SELECT * FROM server_secrets`),
		sqlx.SelectContext(ctx, db, &catalogues, `SELECT server, fingerprint FROM mcp_catalogues`),
		sqlx.SelectContext(ctx, db, &records, `SELECT server, sealed FROM oauth_records`),
		sqlx.SelectContext(ctx, db, &clients, `SELECT issuer, redirect_uri, sealed FROM oauth_clients`),
		sqlx.SelectContext(ctx, db, &models, `SELECT name, sealed_key FROM language_models WHERE sealed_key IS NOT NULL ORDER BY name`))
	if err != nil {
		return nil, err
	}
	rows := make([]sealedValue, 0, len(secrets)+len(servers)+len(catalogues)+len(records)+len(clients))
	for _, r := range secrets {
		rows = append(rows, sealedValue{sealed: r.Sealed, context: secretContext(r.Name),
			words:  fmt.Sprintf("secret %q", r.Name),
			update: `UPDATE secrets SET sealed = ? WHERE name = ?`, key: []any{r.Name}})
	}
	for _, r := range servers {
		rows = append(rows, sealedValue{sealed: r.Sealed, context: r.context(), words: r.words(),
			update: `UPDATE server_secrets SET sealed = ? WHERE server = ? AND kind = ? AND name = ?`,
			key:    []any{r.Server, r.Kind, r.Name}})
	}
	for _, r := range catalogues {
		rows = append(rows, sealedValue{sealed: r.Sealed, context: catalogueContext(r.Server), found: true,
			words:  fmt.Sprintf("what is saved of server %q", r.Server),
			update: `UPDATE mcp_catalogues SET fingerprint = ? WHERE server = ?`, key: []any{r.Server}})
	}
	for _, r := range records {
		rows = append(rows, sealedValue{sealed: r.Sealed, context: oauthContext(r.Server),
			words:  fmt.Sprintf("the sign-in to server %q", r.Server),
			update: `UPDATE oauth_records SET sealed = ? WHERE server = ?`, key: []any{r.Server}})
	}
	for _, r := range clients {
		rows = append(rows, sealedValue{sealed: r.Sealed, context: oauthClientContext(r.Issuer, r.RedirectURI), found: true,
			words:  fmt.Sprintf("the registration at %s", r.Issuer),
			update: `UPDATE oauth_clients SET sealed = ? WHERE issuer = ? AND redirect_uri = ?`, key: []any{r.Issuer, r.RedirectURI}})
	}
	return append(rows, sealedModelKeys(models)...), nil
}
