package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// messageRow is a row of chat_messages. Number is the database's own.
type messageRow struct {
	Number     int64                   `db:"number"`
	ID         string                  `db:"id"`
	SessionID  string                  `db:"session_id"`
	FrameID    string                  `db:"frame_id"`
	TurnID     string                  `db:"turn_id"`
	Root       bool                    `db:"root"`
	Role       model.ChatRole          `db:"role"`
	Parts      column[[]part]          `db:"parts"`
	Model      string                  `db:"model"`
	Usage      column[model.ChatUsage] `db:"usage"`
	Finish     string                  `db:"finish"`
	Error      column[*model.Error]    `db:"error"`
	CreatedAt  moment                  `db:"created_at"`
	ReplacedAt moment                  `db:"replaced_at"`
}

// part is a part as it lies in the file. Its arguments are a string: as JSON within
// JSON they would lose their blanks, and a provider would take the conversation for
// another one.
type part struct {
	model.ChatPart
	Arguments string `json:"arguments,omitempty"`
}

const insertMessage = `INSERT INTO chat_messages (id, session_id, frame_id, turn_id, root, role, parts, model,
    usage, finish, error, created_at, replaced_at)
VALUES (:id, :session_id, :frame_id, :turn_id, :root, :role, :parts, :model, :usage, :finish, :error,
    :created_at, :replaced_at)`

// InsertMessage stores a message. When it returns nil the row is committed, and
// what the message asks for may begin. A chat that isn't there is CodeNotFound.
func (s *Store) InsertMessage(ctx context.Context, m model.ChatMessage) error {
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.NamedExecContext(ctx, insertMessage, messageRowOf(m))
		return err
	})
	switch {
	case taken(err):
		return model.Errorf(model.CodeConflict, "There already is a message %q: %w", m.ID, err)
	case orphan(err):
		return notFound("chat", m.SessionID)
	}
	return err
}

// ListMessages returns a page of a frame's messages, newest first, without those
// that were replaced, and the cursor of the next page, empty after the last. A chat
// or frame that isn't there is CodeNotFound.
func (s *Store) ListMessages(ctx context.Context, f model.MessageFilter) ([]model.ChatMessage, string, error) {
	before, err := cursorID(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	frame, err := s.frameID(ctx, f.SessionID, f.FrameID)
	if err != nil {
		return nil, "", err
	}
	limit := pageLimit(f.Limit)
	var rows []messageRow
	err = s.read.SelectContext(ctx, &rows, `SELECT * FROM chat_messages
		WHERE frame_id = ? AND replaced_at IS NULL AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`,
		frame, before, before, limit+1)
	if err != nil {
		return nil, "", s.fail(err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = cursorAfter(rows[limit-1].ID)
	}
	return messagesOf(rows), next, nil
}

// frameID makes sure that a frame is the chat's; an empty id is the root's.
func (s *Store) frameID(ctx context.Context, sessionID, id string) (string, error) {
	query, args := `SELECT id FROM session_frames WHERE session_id = ? AND parent_id = ''`, []any{sessionID}
	if id != "" {
		query, args = `SELECT id FROM session_frames WHERE session_id = ? AND id = ?`, []any{sessionID, id}
	}
	var found string
	err := s.read.GetContext(ctx, &found, query, args...)
	switch {
	case !errors.Is(err, sql.ErrNoRows):
		return found, s.fail(err)
	case id == "":
		return "", notFound("chat", sessionID)
	}
	return "", notFound("frame", id)
}

// Transcript returns the messages of a frame from one on, all with an empty id,
// oldest first, without those that were replaced.
func (s *Store) Transcript(ctx context.Context, frameID, from string) ([]model.ChatMessage, error) {
	var rows []messageRow
	err := s.read.SelectContext(ctx, &rows, `SELECT * FROM chat_messages
		WHERE frame_id = ? AND replaced_at IS NULL AND id >= ? ORDER BY id`, frameID, from)
	return messagesOf(rows), s.fail(err)
}

// ReplaceFrom marks a message of a chat, and all that came after it in any frame,
// as replaced. One that isn't shown is CodeNotFound.
func (s *Store) ReplaceFrom(ctx context.Context, sessionID, messageID string, at time.Time) error {
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		changed, err := affected(tx.ExecContext(ctx, `UPDATE chat_messages SET replaced_at = ?
			WHERE id = ? AND session_id = ? AND replaced_at IS NULL`, orNow(at), messageID, sessionID))
		if err != nil {
			return err
		}
		if changed == 0 {
			return notFound("message", messageID)
		}
		_, err = tx.ExecContext(ctx, `UPDATE chat_messages SET replaced_at = ?
			WHERE session_id = ? AND id > ? AND replaced_at IS NULL`, orNow(at), sessionID, messageID)
		return err
	})
}

func messageRowOf(m model.ChatMessage) messageRow {
	parts := make([]part, len(m.Parts))
	for i, p := range m.Parts {
		parts[i] = part{p, string(p.Arguments)}
	}
	return messageRow{ID: m.ID, SessionID: m.SessionID, FrameID: m.FrameID, TurnID: m.TurnID, Root: m.Root, Role: m.Role,
		Parts: column[[]part]{parts}, Model: m.Model, Usage: column[model.ChatUsage]{m.Usage}, Finish: m.Finish,
		Error: column[*model.Error]{m.Error}, CreatedAt: orNow(m.CreatedAt), ReplacedAt: moment{m.ReplacedAt}}
}

func messagesOf(rows []messageRow) []model.ChatMessage {
	messages := make([]model.ChatMessage, len(rows))
	for i, r := range rows {
		parts := make([]model.ChatPart, len(r.Parts.V))
		for j, p := range r.Parts.V {
			parts[j] = p.ChatPart
			if p.Arguments != "" {
				parts[j].Arguments = json.RawMessage(p.Arguments)
			}
		}
		messages[i] = model.ChatMessage{ID: r.ID, SessionID: r.SessionID, FrameID: r.FrameID, TurnID: r.TurnID, Root: r.Root,
			Role: r.Role, Parts: parts, Model: r.Model, Usage: r.Usage.V, Finish: r.Finish, Error: r.Error.V,
			CreatedAt: r.CreatedAt.Time, ReplacedAt: r.ReplacedAt.Time}
	}
	return messages
}
