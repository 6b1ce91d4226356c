package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kontor.dev/kontor/internal/model"
)

// settledSetting holds the id before which no call is open. An index of the open
// ones would say it too, for two more pages written with each call.
const settledSetting = "calls_settled_before"

// SettleOpenCalls is for the start: calls that a Kontor before this one sent and
// never saw end become unknown. It reports how many. It reads the calls since the
// start before, and from the oldest that still waits for approval. at is now.
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
		var waiting sql.NullString
		err = tx.GetContext(ctx, &waiting, `SELECT min(id) FROM tool_calls WHERE id >= ? AND state = 'waiting_approval'`, from.V)
		if err != nil {
			return err
		}
		next := firstID(at)
		if waiting.Valid {
			next = min(next, waiting.String)
		}
		_, err = tx.ExecContext(ctx, putSetting, settledSetting, column[string]{next}, moment{at})
		return err
	})
	return int(changed), err
}

// firstID sorts before every id that is made from then on: a UUIDv7 begins with 48
// bits of milliseconds (RFC 9562, section 5.7).
func firstID(at time.Time) string {
	ms := orNow(at).UnixMilli()
	return fmt.Sprintf("%08x-%04x", ms>>16, ms&0xffff)
}
