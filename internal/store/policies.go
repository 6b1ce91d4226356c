package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// ruleRow is a row of policy_rules.
type ruleRow struct {
	ID        string                         `db:"id"`
	Position  int                            `db:"position"`
	Agent     string                         `db:"agent"`
	Asker     string                         `db:"asker"`
	Server    string                         `db:"server"`
	Tool      string                         `db:"tool"`
	Argument  column[*model.ArgumentPattern] `db:"argument"`
	Action    model.PolicyAction             `db:"action"`
	Note      string                         `db:"note"`
	CreatedAt moment                         `db:"created_at"`
}

// Rules returns all rules in their order.
func (s *Store) Rules(ctx context.Context) ([]model.Rule, error) {
	var rows []ruleRow
	if err := s.read.SelectContext(ctx, &rows, `SELECT * FROM policy_rules ORDER BY position`); err != nil {
		return nil, s.fail(err)
	}
	rules := make([]model.Rule, len(rows))
	for i, r := range rows {
		rules[i] = model.Rule{ID: r.ID, Position: r.Position, Agent: r.Agent, Asker: r.Asker, Server: r.Server,
			Tool: r.Tool, Argument: r.Argument.V, Action: r.Action, Note: r.Note, CreatedAt: r.CreatedAt.Time}
	}
	return rules, nil
}

// SetRules replaces all rules, or changes nothing.
func (s *Store) SetRules(ctx context.Context, rules []model.Rule) error {
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM policy_rules`); err != nil {
			return err
		}
		for _, r := range rules {
			_, err := tx.NamedExecContext(ctx, `INSERT INTO policy_rules (id, position, agent, asker, server, tool,
					argument, action, note, created_at)
				VALUES (:id, :position, :agent, :asker, :server, :tool, :argument, :action, :note, :created_at)`,
				ruleRow{r.ID, r.Position, r.Agent, r.Asker, r.Server, r.Tool,
					column[*model.ArgumentPattern]{r.Argument}, r.Action, r.Note, orNow(r.CreatedAt)})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SessionGrant returns the approval of a tool for a chat, or CodeNotFound.
func (s *Store) SessionGrant(ctx context.Context, session, server, tool string) (model.SessionGrant, error) {
	var changed moment
	err := s.read.GetContext(ctx, &changed, `SELECT changed_at FROM policy_grants
		WHERE session_id = ? AND server = ? AND tool = ?`, session, server, tool)
	if errors.Is(err, sql.ErrNoRows) {
		return model.SessionGrant{}, notFound("approval for chat", session)
	}
	if err != nil {
		return model.SessionGrant{}, s.fail(err)
	}
	return model.SessionGrant{SessionID: session, Server: server, Tool: tool, ChangedAt: changed.Time}, nil
}

// PutSessionGrant keeps an approval of a tool for a chat.
func (s *Store) PutSessionGrant(ctx context.Context, g model.SessionGrant) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO policy_grants (session_id, server, tool, changed_at, created_at)
			VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (session_id, server, tool) DO UPDATE SET changed_at = excluded.changed_at`,
			g.SessionID, g.Server, g.Tool, moment{g.ChangedAt}, moment{time.Now()})
		return err
	})
}
