package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
)

// settledSetting holds the id before which no call is open. An index of the open
// ones would say it too, for two more pages written with each call.
const settledSetting = "calls_settled_before"

// The calls that wait for approval. Somebody comes back for those of a chat that has a
// turn on its way.
const (
	waiting   = `id >= ? AND state = 'waiting_approval'`
	abandoned = waiting + ` AND NOT EXISTS (SELECT 1 FROM chat_sessions WHERE id = tool_calls.session_id AND turn_id <> '')`
)

// SettleOpenCalls is for the start: calls that a Kontor before this one sent and
// never saw end become unknown; it reports how many. Those that wait for approval
// were never sent: they still wait where somebody comes back for them, and are
// cancelled where nobody does. It reads the calls since the start before, and from the
// oldest that still waits for approval. at is now.
func (s *Store) SettleOpenCalls(ctx context.Context, at time.Time) (int, error) {
	changed := int64(0)
	err := s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		var from column[string]
		err := tx.GetContext(ctx, &from, `SELECT value FROM settings WHERE key = ?`, settledSetting)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		changed, err = affected(tx.ExecContext(ctx, `UPDATE tool_calls
			SET state = ?, error_code = ?, error_message = ?, ended_at = ?
			WHERE id >= ? AND state IN ('running', 'waiting_input')`, model.CallUnknown, model.CodeOutcomeUnknown,
			"Kontor stopped while this call was running. Whether the tool did its work is unknown: look before you run it again.",
			orNow(at), from.V))
		if err != nil {
			return err
		}
		if err := abandonCalls(ctx, tx, from.V, at); err != nil {
			return err
		}
		var oldest sql.NullString
		if err := tx.GetContext(ctx, &oldest, `SELECT min(id) FROM tool_calls WHERE `+waiting, from.V); err != nil {
			return err
		}
		next := firstID(at)
		if oldest.Valid {
			next = min(next, oldest.String)
		}
		_, err = tx.ExecContext(ctx, putSetting, settledSetting, column[string]{next}, moment{at})
		return err
	})
	return int(changed), err
}

// abandonCalls cancels the calls that wait for approval and that nobody takes up,
// with an entry of the audit for each.
func abandonCalls(ctx context.Context, tx *transaction, from string, at time.Time) error {
	var rows []callRow
	if err := tx.SelectContext(ctx, &rows, `SELECT * FROM tool_calls WHERE `+abandoned, from); err != nil {
		return err
	}
	const why = "Kontor was restarted while this call waited for approval: it was not run."
	for _, r := range rows {
		c := r.call()
		c.State, c.EndedAt, c.Error = model.CallCancelled, at, model.Errorf(model.CodeNotSent, why)
		c.Waited = at.Sub(c.StartedAt)
		if _, err := tx.endCall(ctx, ended(c)); err != nil {
			return err
		}
		err := tx.audit(ctx, model.AuditEntry{ID: uuid.Must(uuid.NewV7()).String(), At: at, CallID: c.ID, SessionID: c.SessionID,
			Asker: c.Asker, Agent: c.Agent, Server: c.Server, Tool: c.Tool, Arguments: c.Arguments,
			Decision: model.PolicyAsk, Outcome: model.OutcomeCancelled, Reason: why, By: "restart"})
		if err != nil {
			return err
		}
	}
	return nil
}

// firstID sorts before every id that is made from then on: a UUIDv7 begins with 48
// bits of milliseconds (RFC 9562, section 5.7).
func firstID(at time.Time) string {
	ms := orNow(at).UnixMilli()
	return fmt.Sprintf("%08x-%04x", ms>>16, ms&0xffff)
}
