package store

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// grantTable is where the grants of a frame are, and the key that they are under: a
// chat's grants belong to the chat, a sub-agent's to its frame.
func grantTable(f model.Frame) (table, column, key string) {
	if f.ParentID == "" {
		return "session_mcp_grants", "session_id", f.SessionID
	}
	return "stack_mcp_grants", "frame_id", f.ID
}

// Grants lists the tool groups that are on for a frame, in the order in which they
// were given.
func (s *Store) Grants(ctx context.Context, f model.Frame) ([]string, error) {
	table, column, key := grantTable(f)
	groups := []string{}
	err := s.read.SelectContext(ctx, &groups, `SELECT name FROM `+table+` WHERE `+column+` = ? ORDER BY position`, key)
	return groups, s.fail(err)
}

// SetGrants replaces the tool groups of a frame, all or none. One that is neither
// "config" nor a server that is there is left out: it was deleted meanwhile.
func (s *Store) SetGrants(ctx context.Context, f model.Frame, groups []string) error {
	table, column, key := grantTable(f)
	err := s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE `+column+` = ?`, key); err != nil {
			return err
		}
		for i, name := range groups {
			_, err := tx.ExecContext(ctx, `INSERT INTO `+table+` (`+column+`, name, position) SELECT ?, ?, ?
				WHERE ? = ? OR EXISTS (SELECT 1 FROM mcp_servers WHERE name = ?) ON CONFLICT DO NOTHING`, key, name, i, name, model.GroupConfig, name)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if orphan(err) {
		return notFound("chat", f.SessionID)
	}
	return err
}
