package store

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// A call's step and the decision that led to it are stored together: after a crash
// there are both or neither.

// InsertDecidedCall stores a new call's row; one in a final state with its end.
func (s *Store) InsertDecidedCall(ctx context.Context, c model.Call, a model.AuditEntry) error {
	err := s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		open := c
		if !c.State.Open() {
			open.State = model.CallWaitingApproval
		}
		if err := tx.newCall(ctx, open); err != nil {
			return err
		}
		if !c.State.Open() {
			if _, err := tx.endCall(ctx, ended(c)); err != nil {
				return err
			}
		}
		return tx.audit(ctx, a)
	})
	return callTaken(c.ID, err)
}

// ApproveCall makes a call that waits for approval a running one: when it returns
// nil the call may be sent. One that doesn't wait stays as it is (CodeConflict).
func (s *Store) ApproveCall(ctx context.Context, id string, a model.AuditEntry) error {
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		err := s.moveCall(ctx, tx, id, model.CallWaitingApproval, model.CallRunning)
		if err != nil {
			return err
		}
		return tx.audit(ctx, a)
	})
}

// HoldCall makes a running call, which must not have been sent, wait for approval.
// One that isn't running stays as it is (CodeConflict).
func (s *Store) HoldCall(ctx context.Context, id string) error {
	return s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		return s.moveCall(ctx, tx, id, model.CallRunning, model.CallWaitingApproval)
	})
}

// FinishDecidedCall is FinishCall for a call that a decision ended.
func (s *Store) FinishDecidedCall(ctx context.Context, c model.Call, a model.AuditEntry) error {
	row := ended(c)
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		changed, err := tx.endCall(ctx, row)
		if err != nil {
			return err
		}
		if changed == 0 {
			return s.notOpen(ctx, c.ID)
		}
		return tx.audit(ctx, a)
	})
}

func (s *Store) moveCall(ctx context.Context, tx *transaction, id string, from, to model.CallState) error {
	changed, err := affected(tx.ExecContext(ctx, `UPDATE tool_calls SET state = ? WHERE id = ? AND state = ?`, to, id, from))
	if err == nil && changed == 0 {
		return model.Errorf(model.CodeConflict, "Call %q is not %s any more.", id, from)
	}
	return err
}
