package store

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// auditRow is a row of policy_audit.
type auditRow struct {
	ID         string              `db:"id"`
	At         moment              `db:"at"`
	CallID     string              `db:"call_id"`
	SessionID  string              `db:"session_id"`
	AskerKind  string              `db:"asker_kind"`
	AskerLabel string              `db:"asker_label"`
	Agent      string              `db:"agent"`
	Server     string              `db:"server"`
	Tool       string              `db:"tool"`
	Arguments  raw                 `db:"arguments"`
	Decision   model.PolicyAction  `db:"decision"`
	Outcome    string              `db:"outcome"`
	RuleID     string              `db:"rule_id"`
	Reason     string              `db:"reason"`
	Scope      model.ApprovalScope `db:"scope"`
	Note       string              `db:"note"`
	By         string              `db:"decided_by"`
}

// InsertAudit keeps a decision that changes no call's row.
func (s *Store) InsertAudit(ctx context.Context, a model.AuditEntry) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error { return tx.audit(ctx, a) })
}

// ListAudit returns a page of decisions, newest first, and the cursor of the next.
func (s *Store) ListAudit(ctx context.Context, limit int, cursor string) ([]model.AuditEntry, string, error) {
	before, err := cursorID(cursor)
	if err != nil {
		return nil, "", err
	}
	limit = pageLimit(limit)
	var rows []auditRow
	err = s.read.SelectContext(ctx, &rows, `SELECT * FROM policy_audit WHERE ? = '' OR id < ? ORDER BY id DESC LIMIT ?`,
		before, before, limit+1)
	if err != nil {
		return nil, "", s.fail(err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = cursorAfter(rows[limit-1].ID)
	}
	entries := make([]model.AuditEntry, len(rows))
	for i, row := range rows {
		entries[i] = row.entry()
	}
	return entries, next, nil
}

func (t *transaction) audit(ctx context.Context, a model.AuditEntry) error {
	_, err := t.NamedExecContext(ctx, `INSERT INTO policy_audit (id, at, call_id, session_id, asker_kind,
			asker_label, agent, server, tool, arguments, decision, outcome, rule_id, reason, scope, note, decided_by)
		VALUES (:id, :at, :call_id, :session_id, :asker_kind, :asker_label, :agent, :server, :tool, :arguments,
			:decision, :outcome, :rule_id, :reason, :scope, :note, :decided_by)`,
		auditRow{a.ID, orNow(a.At), a.CallID, a.SessionID, a.Asker.Kind, a.Asker.Label, a.Agent, a.Server, a.Tool,
			raw(a.Arguments), a.Decision, a.Outcome, a.RuleID, a.Reason, a.Scope, a.Note, a.By})
	return err
}

func (r auditRow) entry() model.AuditEntry {
	return model.AuditEntry{ID: r.ID, At: r.At.Time, CallID: r.CallID, SessionID: r.SessionID,
		Asker: model.Asker{Kind: r.AskerKind, Label: r.AskerLabel}, Agent: r.Agent, Server: r.Server, Tool: r.Tool,
		Arguments: []byte(r.Arguments), Decision: r.Decision, Outcome: r.Outcome, RuleID: r.RuleID, Reason: r.Reason,
		Scope: r.Scope, Note: r.Note, By: r.By}
}
