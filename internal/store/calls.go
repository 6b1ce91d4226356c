package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// callRow is a row of tool_calls.
type callRow struct {
	ID           string                  `db:"id"`
	Server       string                  `db:"server"`
	Tool         string                  `db:"tool"`
	Arguments    raw                     `db:"arguments"`
	State        model.CallState         `db:"state"`
	AskerKind    string                  `db:"asker_kind"`
	AskerLabel   string                  `db:"asker_label"`
	SessionID    string                  `db:"session_id"`
	Agent        string                  `db:"agent"`
	ResultType   sql.NullString          `db:"result_type"`
	Result       sql.NullString          `db:"result"`
	Structured   raw                     `db:"structured"`
	Content      column[[]block]         `db:"content"`
	IsError      bool                    `db:"is_error"`
	ErrorCode    sql.NullString          `db:"error_code"`
	ErrorMessage sql.NullString          `db:"error_message"`
	Progress     column[*model.Progress] `db:"progress"`
	StartedAt    moment                  `db:"started_at"`
	EndedAt      moment                  `db:"ended_at"`
	WaitedMS     int64                   `db:"waited_ms"`
}

const insertCall = `INSERT INTO tool_calls (id, server, tool, arguments, state, asker_kind,
    asker_label, session_id, agent, started_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// A final row never changes again: the first end wins. It is the one with an end:
// a list of states would be a table that SQLite builds for each statement.
const finishCall = `UPDATE tool_calls SET state = ?, result_type = ?, result = ?, structured = ?,
    content = ?, is_error = ?, error_code = ?, error_message = ?, progress = ?, ended_at = ?, waited_ms = ?
WHERE id = ? AND ended_at IS NULL`

// InsertCall stores a new call's row, without a result. When it returns nil the
// row is committed, and the call may be sent.
func (s *Store) InsertCall(ctx context.Context, c model.Call) error {
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) error { return tx.newCall(ctx, c) })
	return callTaken(c.ID, err)
}

func (t *transaction) newCall(ctx context.Context, c model.Call) error {
	_, err := t.insertCall.ExecContext(ctx, c.ID, c.Server, c.Tool, raw(c.Arguments), c.State, c.Asker.Kind,
		c.Asker.Label, c.SessionID, c.Agent, orNow(c.StartedAt))
	return err
}

func callTaken(id string, err error) error {
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is a call %q: %w", id, err)
	}
	return err
}

// FinishCall stores how an open call ended: state, result, error, progress, end and
// what it waited. A call that already ended stays as it is (CodeConflict).
func (s *Store) FinishCall(ctx context.Context, c model.Call) error {
	row := ended(c)
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = tx.endCall(ctx, row)
		return err
	})
	if err == nil && changed == 0 {
		return s.notOpen(ctx, c.ID)
	}
	return err
}

func (t *transaction) endCall(ctx context.Context, row callRow) (changed int64, err error) {
	return affected(t.finishCall.ExecContext(ctx, row.State,
		row.ResultType, row.Result, row.Structured, row.Content, row.IsError, row.ErrorCode,
		row.ErrorMessage, row.Progress, row.EndedAt, row.WaitedMS, row.ID))
}

// Call returns one call, or CodeNotFound.
func (s *Store) Call(ctx context.Context, id string) (model.Call, error) {
	var row callRow
	err := s.stmt.call.GetContext(ctx, &row, id)
	if errors.Is(err, sql.ErrNoRows) {
		return model.Call{}, notFound("call", id)
	}
	if err != nil {
		return model.Call{}, s.fail(err)
	}
	return row.call(), nil
}

func (s *Store) notOpen(ctx context.Context, id string) error {
	call, err := s.Call(ctx, id)
	if err != nil {
		return err
	}
	return model.Errorf(model.CodeConflict, "Call %q has already ended (%s).", id, call.State)
}

// ended is the part of the row that FinishCall writes.
func ended(c model.Call) callRow {
	row := callRow{ID: c.ID, State: c.State, IsError: c.Result.IsError,
		Content:  column[[]block]{blocksOf(c.Result)},
		Progress: column[*model.Progress]{c.Progress}, EndedAt: orNow(c.EndedAt), WaitedMS: c.Waited.Milliseconds()}
	if c.Result.Type != "" {
		row.ResultType = sql.NullString{String: string(c.Result.Type), Valid: true}
		row.Result = sql.NullString{String: c.Result.Text, Valid: true}
		if c.Result.Type != model.ResultJSON || string(c.Result.Structured) != c.Result.Text {
			row.Structured = raw(c.Result.Structured)
		}
	}
	if c.Error != nil {
		row.ErrorCode = sql.NullString{String: string(c.Error.Code), Valid: true}
		row.ErrorMessage = sql.NullString{String: c.Error.Message, Valid: true}
	}
	return row
}

func (r callRow) call() model.Call {
	c := model.Call{ID: r.ID, Server: r.Server, Tool: r.Tool, Arguments: json.RawMessage(r.Arguments),
		State: r.State, Asker: model.Asker{Kind: r.AskerKind, Label: r.AskerLabel},
		SessionID: r.SessionID, Agent: r.Agent, Progress: r.Progress.V, StartedAt: r.StartedAt.Time, EndedAt: r.EndedAt.Time,
		Waited: time.Duration(r.WaitedMS) * time.Millisecond,
		Result: model.Result{Type: model.ResultType(r.ResultType.String), Text: r.Result.String,
			Structured: json.RawMessage(r.Structured), Content: contentOf(r.Content.V, r.Result.String), IsError: r.IsError}}
	if c.Result.Type == model.ResultJSON && c.Result.Structured == nil {
		c.Result.Structured = json.RawMessage(c.Result.Text)
	}
	if r.ErrorCode.Valid {
		c.Error = &model.Error{Code: model.Code(r.ErrorCode.String), Message: r.ErrorMessage.String}
	}
	return c
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
