package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// itemRow is a row of inbox_items. No column holds the values of a form's answer.
type itemRow struct {
	ID            string                `db:"id"`
	Kind          model.ItemKind        `db:"kind"`
	Server        string                `db:"server"`
	Tool          string                `db:"tool"`
	CallID        string                `db:"call_id"`
	CallIDs       column[[]string]      `db:"call_ids"`
	SessionID     string                `db:"session_id"`
	AskerKind     string                `db:"asker_kind"`
	AskerLabel    string                `db:"asker_label"`
	Mode          model.ElicitationMode `db:"mode"`
	Message       string                `db:"message"`
	Schema        raw                   `db:"schema"`
	URL           string                `db:"url"`
	ElicitationID string                `db:"elicitation_id"`
	Reason        string                `db:"reason"`
	Scopes        column[[]string]      `db:"scopes"`
	Detail        column[itemDetail]    `db:"detail"`
	CreatedAt     moment                `db:"created_at"`
	Deadline      moment                `db:"deadline"`
	Action        sql.NullString        `db:"action"`
	ResolvedBy    sql.NullString        `db:"resolved_by"`
	ResolvedAt    moment                `db:"resolved_at"`
	Scope         model.ApprovalScope   `db:"scope"`
	ForArguments  bool                  `db:"for_arguments"`
	Note          string                `db:"note"`
	Answer        string                `db:"answer"`
}

// itemDetail is what only items of one kind show.
type itemDetail struct {
	Approval *model.Approval `json:"approval,omitempty"`
	Question *model.Question `json:"question,omitempty"`
}

// InsertItem stores a new, open item.
func (s *Store) InsertItem(ctx context.Context, i model.Item) error {
	row := itemRow{ID: i.ID, Kind: i.Kind, Server: i.Server, Tool: i.Tool, CallID: i.CallID,
		CallIDs: column[[]string]{i.CallIDs}, SessionID: i.SessionID, AskerKind: i.Asker.Kind,
		AskerLabel: i.Asker.Label, Mode: i.Mode, Message: i.Message, Schema: raw(i.Schema), URL: i.URL,
		ElicitationID: i.ElicitationID, Reason: i.Reason, Scopes: column[[]string]{i.Scopes},
		Detail: column[itemDetail]{itemDetail{i.Approval, i.Question}}, CreatedAt: orNow(i.CreatedAt), Deadline: moment{i.Deadline}}
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.NamedExecContext(ctx, `INSERT INTO inbox_items (id, kind, server, tool, call_id,
			call_ids, session_id, asker_kind, asker_label, mode, message, schema, url, elicitation_id,
			reason, scopes, detail, created_at, deadline)
		VALUES (:id, :kind, :server, :tool, :call_id, :call_ids, :session_id, :asker_kind,
			:asker_label, :mode, :message, :schema, :url, :elicitation_id, :reason, :scopes, :detail, :created_at,
			:deadline)`, row)
		return err
	})
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is an item %q: %w", i.ID, err)
	}
	return err
}

// ResolveItem ends an item. The first resolution wins, over restarts too: it
// reports whether it was this one. An item that isn't there is CodeNotFound.
func (s *Store) ResolveItem(ctx context.Context, id string, r model.Resolution) (bool, error) {
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.ExecContext(ctx, `UPDATE inbox_items
			SET action = ?, resolved_by = ?, resolved_at = ?, scope = ?, for_arguments = ?, note = ?, answer = ?
			WHERE id = ? AND resolved_at IS NULL`,
			r.Action, r.By, orNow(r.At), r.Scope, r.ForArguments, r.Note, r.Text, id))
		return err
	})
	if err != nil || changed == 1 {
		return changed == 1, err
	}
	_, err = s.Item(ctx, id)
	return false, err
}

// SettleOpenItems is for the start: a question dies with the connection that
// asked it, a sign-in is asked for anew where it is still needed, and an approval
// has no use once its call has ended, nor an agent's question without its turn. Those
// left open are cancelled, by "restart". It comes after SettleOpenCalls, and reports
// how many.
func (s *Store) SettleOpenItems(ctx context.Context, at time.Time) (int, error) {
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.ExecContext(ctx, `UPDATE inbox_items
			SET action = ?, resolved_by = 'restart', resolved_at = ?
			WHERE resolved_at IS NULL AND (kind = 'elicitation' OR kind = 'sign_in'
				OR kind = 'approval' AND NOT EXISTS
					(SELECT 1 FROM tool_calls WHERE id = inbox_items.call_id AND state = 'waiting_approval')
				OR kind = 'question' AND NOT EXISTS
					(SELECT 1 FROM chat_sessions WHERE id = inbox_items.session_id AND turn_id <> ''))`,
			model.ActionCancel, orNow(at)))
		return err
	})
	return int(changed), err
}

// OpenItems returns what waits for the person, oldest first.
func (s *Store) OpenItems(ctx context.Context) ([]model.Item, error) {
	var rows []itemRow
	err := s.read.SelectContext(ctx, &rows, `SELECT * FROM inbox_items WHERE resolved_at IS NULL ORDER BY id`)
	if err != nil {
		return nil, s.fail(err)
	}
	items := make([]model.Item, len(rows))
	for i, row := range rows {
		items[i] = row.item()
	}
	return items, nil
}

// Item returns one item, open or resolved, or CodeNotFound.
func (s *Store) Item(ctx context.Context, id string) (model.Item, error) {
	var row itemRow
	err := s.read.GetContext(ctx, &row, `SELECT * FROM inbox_items WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return model.Item{}, notFound("inbox item", id)
	}
	if err != nil {
		return model.Item{}, s.fail(err)
	}
	return row.item(), nil
}

// ItemOf returns the latest item of a kind that is about a call, open or resolved, or
// CodeNotFound.
func (s *Store) ItemOf(ctx context.Context, kind model.ItemKind, callID string) (model.Item, error) {
	var row itemRow
	err := s.read.GetContext(ctx, &row, `SELECT * FROM inbox_items WHERE call_id = ? AND call_id <> '' AND kind = ?
		ORDER BY id DESC LIMIT 1`, callID, kind)
	if errors.Is(err, sql.ErrNoRows) {
		return model.Item{}, notFound(string(kind)+" of call", callID)
	}
	if err != nil {
		return model.Item{}, s.fail(err)
	}
	return row.item(), nil
}

func (r itemRow) item() model.Item {
	i := model.Item{ID: r.ID, Kind: r.Kind, Server: r.Server, Tool: r.Tool, CallID: r.CallID,
		CallIDs: r.CallIDs.V, SessionID: r.SessionID, Asker: model.Asker{Kind: r.AskerKind, Label: r.AskerLabel},
		Mode: r.Mode, Message: r.Message, Schema: json.RawMessage(r.Schema), URL: r.URL,
		ElicitationID: r.ElicitationID, Reason: r.Reason, Scopes: r.Scopes.V,
		Approval: r.Detail.V.Approval, Question: r.Detail.V.Question, CreatedAt: r.CreatedAt.Time, Deadline: r.Deadline.Time}
	if r.Action.Valid {
		i.Resolution = &model.Resolution{Action: model.Action(r.Action.String), By: r.ResolvedBy.String, At: r.ResolvedAt.Time,
			Scope: r.Scope, ForArguments: r.ForArguments, Note: r.Note, Text: r.Answer}
	}
	return i
}
