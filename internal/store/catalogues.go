package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/json"
	"time"

	"kontor.dev/kontor/internal/model"
)

// entries are a list's entries as one JSON array that keeps each of them byte for
// byte; nil is NULL.
type entries []json.RawMessage

// Value implements driver.Valuer.
func (e entries) Value() (driver.Value, error) {
	if e == nil {
		return nil, nil
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, item := range e {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(item)
	}
	b.WriteByte(']')
	return b.String(), nil
}

// Scan implements sql.Scanner.
func (e *entries) Scan(src any) error {
	var text raw
	if err := text.Scan(src); err != nil {
		return err
	}
	return json.Unmarshal(text, (*[]json.RawMessage)(e))
}

// catalogueRow is a row of mcp_catalogues.
type catalogueRow struct {
	Server            string  `db:"server"`
	Fingerprint       []byte  `db:"fingerprint"`
	Era               string  `db:"era"`
	SSE               bool    `db:"sse"`
	ProtocolVersion   string  `db:"protocol_version"`
	ServerName        string  `db:"server_name"`
	ServerVersion     string  `db:"server_version"`
	Instructions      string  `db:"instructions"`
	Tools             entries `db:"tools"`
	Resources         entries `db:"resources"`
	ResourceTemplates entries `db:"resource_templates"`
	Prompts           entries `db:"prompts"`
	ListedAt          moment  `db:"listed_at"`
}

// A list that is NULL stays what it was. Nothing is kept of a server that was
// deleted meanwhile.
const saveCatalogue = `INSERT INTO mcp_catalogues (server, fingerprint, era, sse, protocol_version,
    server_name, server_version, instructions, tools, resources, resource_templates, prompts, listed_at)
SELECT :server, :fingerprint, :era, :sse, :protocol_version, :server_name, :server_version, :instructions,
    coalesce(:tools, '[]'), coalesce(:resources, '[]'), coalesce(:resource_templates, '[]'),
    coalesce(:prompts, '[]'), :listed_at
WHERE EXISTS (SELECT 1 FROM mcp_servers WHERE name = :server)
ON CONFLICT (server) DO UPDATE SET fingerprint = excluded.fingerprint, era = excluded.era, sse = excluded.sse,
    protocol_version = excluded.protocol_version, server_name = excluded.server_name,
    server_version = excluded.server_version, instructions = excluded.instructions,
    tools = coalesce(:tools, tools), resources = coalesce(:resources, resources),
    resource_templates = coalesce(:resource_templates, resource_templates),
    prompts = coalesce(:prompts, prompts), listed_at = excluded.listed_at`

// catalogueContext binds a sealed fingerprint to its server.
func catalogueContext(server string) string { return "catalogue:" + server }

// Catalogues returns what is saved of every server, by name. What the key doesn't
// open is left out: nobody can tell what it was found with.
func (s *Store) Catalogues(ctx context.Context) (map[string]model.SavedCatalogue, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var rows []catalogueRow
	if err := s.read.SelectContext(ctx, &rows, `SELECT * FROM mcp_catalogues`); err != nil {
		return nil, s.fail(err)
	}
	saved := make(map[string]model.SavedCatalogue, len(rows))
	for _, r := range rows {
		plain, err := s.sealer.Open(r.Fingerprint, catalogueContext(r.Server))
		if err == nil && len(plain) == sha256.Size {
			saved[r.Server] = r.catalogue(plain)
		}
	}
	return saved, nil
}

// SaveCatalogue keeps what a server listed. A list that c doesn't have stays as it
// was saved before.
func (s *Store) SaveCatalogue(ctx context.Context, c model.SavedCatalogue) error {
	s.keyMu.RLock() // until it is committed, so that no Rekey comes between
	defer s.keyMu.RUnlock()
	sealed, err := s.sealer.Seal(c.Fingerprint[:], catalogueContext(c.Server))
	if err != nil {
		return err
	}
	row := catalogueRow{Server: c.Server, Fingerprint: sealed, Era: c.Era, SSE: c.SSE,
		ProtocolVersion: c.ProtocolVersion, ServerName: c.ServerName, ServerVersion: c.ServerVersion,
		Instructions: c.Instructions, Tools: c.Lists[model.ListTools], Resources: c.Lists[model.ListResources],
		ResourceTemplates: c.Lists[model.ListTemplates], Prompts: c.Lists[model.ListPrompts], ListedAt: orNow(c.ListedAt)}
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.NamedExecContext(ctx, saveCatalogue, row)
		return err
	})
}

// TouchCatalogue notes that a server has listed the same again.
func (s *Store) TouchCatalogue(ctx context.Context, server string, at time.Time) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE mcp_catalogues SET listed_at = ? WHERE server = ?`, moment{at}, server)
		return err
	})
}

func (r catalogueRow) catalogue(fingerprint []byte) model.SavedCatalogue {
	return model.SavedCatalogue{Server: r.Server, Fingerprint: [sha256.Size]byte(fingerprint), Era: r.Era, SSE: r.SSE,
		ProtocolVersion: r.ProtocolVersion, ServerName: r.ServerName, ServerVersion: r.ServerVersion,
		Instructions: r.Instructions, ListedAt: r.ListedAt.Time,
		Lists: map[model.ListKind][]json.RawMessage{
			model.ListTools: r.Tools, model.ListResources: r.Resources,
			model.ListTemplates: r.ResourceTemplates, model.ListPrompts: r.Prompts,
		}}
}
