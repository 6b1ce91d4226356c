package store

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// pinRow is a row of tool_pins.
type pinRow struct {
	Server     string `db:"server"`
	Tool       string `db:"tool"`
	Definition raw    `db:"definition"`
	Changed    raw    `db:"changed"`
	ChangedAt  moment `db:"changed_at"`
	PinnedAt   moment `db:"pinned_at"`
}

// Nothing is pinned of a server that was deleted meanwhile.
const saveToolPin = `INSERT INTO tool_pins (server, tool, definition, changed, changed_at, pinned_at)
SELECT :server, :tool, :definition, :changed, :changed_at, :pinned_at
WHERE EXISTS (SELECT 1 FROM mcp_servers WHERE name = :server)
ON CONFLICT (server, tool) DO UPDATE SET definition = excluded.definition, changed = excluded.changed,
    changed_at = excluded.changed_at, pinned_at = excluded.pinned_at`

// ToolPins returns the known definitions of every server's tools.
func (s *Store) ToolPins(ctx context.Context) ([]model.ToolPin, error) {
	var rows []pinRow
	if err := s.read.SelectContext(ctx, &rows, `SELECT * FROM tool_pins ORDER BY server, tool`); err != nil {
		return nil, s.fail(err)
	}
	pins := make([]model.ToolPin, len(rows))
	for i, r := range rows {
		pins[i] = r.pin()
	}
	return pins, nil
}

// SaveToolPins keeps some definitions of one server's tools and drops those of
// others, all or none.
func (s *Store) SaveToolPins(ctx context.Context, server string, keep []model.ToolPin, drop []string) error {
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		for _, tool := range drop {
			if _, err := tx.ExecContext(ctx, `DELETE FROM tool_pins WHERE server = ? AND tool = ?`, server, tool); err != nil {
				return err
			}
		}
		for _, p := range keep {
			row := pinRow{server, p.Tool, raw(p.Definition), raw(p.Changed), moment{p.ChangedAt}, moment{p.PinnedAt}}
			if _, err := tx.NamedExecContext(ctx, saveToolPin, row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r pinRow) pin() model.ToolPin {
	return model.ToolPin{Server: r.Server, Tool: r.Tool, Definition: []byte(r.Definition), Changed: []byte(r.Changed),
		ChangedAt: r.ChangedAt.Time, PinnedAt: r.PinnedAt.Time}
}
