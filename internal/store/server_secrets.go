package store

import (
	"context"
	"fmt"

	"kontor.dev/kontor/internal/model"
)

// value is a model.Value as it lies in a column in clear: its text, or that the
// text is sealed in server_secrets.
type value struct {
	Text   string `json:"text,omitempty"`
	Plain  bool   `json:"plain,omitempty"`
	Sealed bool   `json:"sealed,omitempty"`
}

type values map[string]value

func clearValue(v model.Value) value {
	if v.Secret() {
		return value{Sealed: true}
	}
	return value{Text: v.Text, Plain: v.Plain}
}

func clearValues(all map[string]model.Value) values {
	if all == nil {
		return nil
	}
	clear := make(values, len(all))
	for name, v := range all {
		clear[name] = clearValue(v)
	}
	return clear
}

// secretKind says which field of a server a sealed value belongs to.
type secretKind string

const (
	kindEnv    secretKind = "env"
	kindHeader secretKind = "header"
	kindBearer secretKind = "bearer"
	kindOAuth  secretKind = "oauth"
)

type secretKey struct {
	Server string     `db:"server"`
	Kind   secretKind `db:"kind"`
	Name   string     `db:"name"`
}

// context binds the sealed bytes to their place. The kind and the server's name
// hold no slash, so no two places share a context.
func (k secretKey) context() string {
	return "server:" + k.Server + "/" + string(k.Kind) + "/" + k.Name
}

// words name the value to the person.
func (k secretKey) words() string {
	if k.Kind == kindBearer {
		return fmt.Sprintf("the bearer token of server %q", k.Server)
	}
	if k.Kind == kindOAuth {
		return fmt.Sprintf("the sign-in's %s of server %q", k.Name, k.Server)
	}
	return fmt.Sprintf("%s %q of server %q", k.Kind, k.Name, k.Server)
}

// sealedRow is a row of server_secrets.
type sealedRow struct {
	secretKey
	Sealed []byte `db:"sealed"`
}

type opened struct {
	plain string
	ok    bool
}

// openAll opens what the key opens; the rest stays not ok. keyMu is held.
func (s *Store) openAll(rows []sealedRow) map[secretKey]opened {
	all := make(map[secretKey]opened, len(rows))
	for _, row := range rows {
		plain, err := s.sealer.Open(row.Sealed, row.context())
		all[row.secretKey] = opened{plain: string(plain), ok: err == nil}
	}
	return all
}

// sealValues makes a server's sealed rows those of its configuration. keyMu is
// held until they are committed, so that no Rekey comes between.
func (s *Store) sealValues(ctx context.Context, tx *transaction, m model.Server) error {
	wanted := secretsOf(m)
	var there []secretKey
	err := tx.SelectContext(ctx, &there, `SELECT server, kind, name FROM server_secrets WHERE server = ?`, m.Name)
	if err != nil {
		return err
	}
	for _, key := range there {
		if _, ok := wanted[key]; ok {
			continue
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM server_secrets WHERE server = ? AND kind = ? AND name = ?`,
			key.Server, key.Kind, key.Name)
		if err != nil {
			return err
		}
	}
	for key, v := range wanted {
		if v.Unreadable {
			continue
		}
		sealed, err := s.sealer.Seal([]byte(v.Text), key.context())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO server_secrets (server, kind, name, sealed) VALUES (?, ?, ?, ?)
			ON CONFLICT (server, kind, name) DO UPDATE SET sealed = excluded.sealed`,
			key.Server, key.Kind, key.Name, sealed)
		if err != nil {
			return err
		}
	}
	return nil
}

// secretsOf collects the values of a server that are sealed.
func secretsOf(m model.Server) map[secretKey]model.Value {
	all := make(map[secretKey]model.Value)
	add := func(kind secretKind, name string, v model.Value) {
		if clearValue(v).Sealed {
			all[secretKey{m.Name, kind, name}] = v
		}
	}
	for name, v := range m.Env {
		add(kindEnv, name, v)
	}
	for name, v := range m.Headers {
		add(kindHeader, name, v)
	}
	add(kindBearer, "", m.BearerToken)
	for name, v := range m.OAuth.Secrets() {
		add(kindOAuth, name, *v)
	}
	return all
}
