package store

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// frameRow is a row of session_frames.
type frameRow struct {
	ID        string           `db:"id"`
	SessionID string           `db:"session_id"`
	ParentID  string           `db:"parent_id"`
	UseID     string           `db:"use_id"`
	Agent     string           `db:"agent"`
	Task      string           `db:"task"`
	Depth     int              `db:"depth"`
	State     model.FrameState `db:"state"`
	CreatedAt moment           `db:"created_at"`
	EndedAt   moment           `db:"ended_at"`
}

const insertFrame = `INSERT INTO session_frames (id, session_id, parent_id, use_id, agent, task, depth, state, created_at, ended_at)
VALUES (:id, :session_id, :parent_id, :use_id, :agent, :task, :depth, :state, :created_at, :ended_at)`

// InsertFrame stores a sub-agent's frame. A chat that isn't there is CodeNotFound.
func (s *Store) InsertFrame(ctx context.Context, f model.Frame) error {
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.NamedExecContext(ctx, insertFrame, frameRowOf(f))
		return err
	})
	if orphan(err) {
		return notFound("chat", f.SessionID)
	}
	return err
}

// UpdateFrame stores how far a frame is: its agent, state and end. The grants of
// one that is no longer open are dropped.
func (s *Store) UpdateFrame(ctx context.Context, f model.Frame) error {
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.ExecContext(ctx, `UPDATE session_frames SET agent = ?, state = ?, ended_at = ? WHERE id = ?`,
			f.Agent, f.State, moment{f.EndedAt}, f.ID))
		return err
	})
	if err == nil && changed == 0 {
		return notFound("frame", f.ID)
	}
	return err
}

// Frames lists the frames of a chat, oldest first: the root is the first.
func (s *Store) Frames(ctx context.Context, sessionID string) ([]model.Frame, error) {
	var rows []frameRow
	err := s.read.SelectContext(ctx, &rows, `SELECT * FROM session_frames WHERE session_id = ? ORDER BY depth > 0, id`, sessionID)
	if err != nil {
		return nil, s.fail(err)
	}
	frames := make([]model.Frame, len(rows))
	for i, row := range rows {
		frames[i] = row.frame()
	}
	return frames, nil
}

func frameRowOf(f model.Frame) frameRow {
	return frameRow{ID: f.ID, SessionID: f.SessionID, ParentID: f.ParentID, UseID: f.UseID, Agent: f.Agent, Task: f.Task,
		Depth: f.Depth, State: f.State, CreatedAt: orNow(f.CreatedAt), EndedAt: moment{f.EndedAt}}
}

func (r frameRow) frame() model.Frame {
	return model.Frame{ID: r.ID, SessionID: r.SessionID, ParentID: r.ParentID, UseID: r.UseID, Agent: r.Agent, Task: r.Task,
		Depth: r.Depth, State: r.State, CreatedAt: r.CreatedAt.Time, EndedAt: r.EndedAt.Time}
}
