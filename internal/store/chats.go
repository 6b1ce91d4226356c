package store

import (
	"context"
	"database/sql"
	"errors"

	"kontor.dev/kontor/internal/model"
)

// chatRow is a row of chat_sessions. Number is the database's own.
type chatRow struct {
	Number       int64  `db:"number"`
	ID           string `db:"id"`
	Title        string `db:"title"`
	Named        bool   `db:"named"`
	Agent        string `db:"agent"`
	Model        string `db:"model"`
	TurnID       string `db:"turn_id"`
	ContextUsed  int    `db:"context_used"`
	ElidedBefore string `db:"elided_before"`
	SummaryID    string `db:"summary_id"`
	CreatedAt    moment `db:"created_at"`
	UpdatedAt    moment `db:"updated_at"`
}

const insertChat = `INSERT INTO chat_sessions (id, title, named, agent, model, turn_id, context_used,
    elided_before, summary_id, created_at, updated_at)
VALUES (:id, :title, :named, :agent, :model, :turn_id, :context_used, :elided_before, :summary_id,
    :created_at, :updated_at)`

const updateChat = `UPDATE chat_sessions SET title = :title, named = :named, agent = :agent, model = :model,
    turn_id = :turn_id, context_used = :context_used, elided_before = :elided_before, summary_id = :summary_id,
    updated_at = :updated_at
WHERE id = :id`

// InsertChat stores a new chat with its root frame.
func (s *Store) InsertChat(ctx context.Context, c model.ChatSession, root model.Frame) error {
	err := s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.NamedExecContext(ctx, insertChat, chatRowOf(c)); err != nil {
			return err
		}
		_, err := tx.NamedExecContext(ctx, insertFrame, frameRowOf(root))
		return err
	})
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is a chat %q: %w", c.ID, err)
	}
	return err
}

// Chat returns one chat, or CodeNotFound.
func (s *Store) Chat(ctx context.Context, id string) (model.ChatSession, error) {
	var row chatRow
	err := s.read.GetContext(ctx, &row, `SELECT * FROM chat_sessions WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return model.ChatSession{}, notFound("chat", id)
	}
	return row.chat(), s.fail(err)
}

// UpdateChat replaces a chat's row; CreatedAt stays. One that isn't there is
// CodeNotFound.
func (s *Store) UpdateChat(ctx context.Context, c model.ChatSession) error {
	changed := int64(0)
	err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
		changed, err = affected(tx.NamedExecContext(ctx, updateChat, chatRowOf(c)))
		return err
	})
	if err == nil && changed == 0 {
		return notFound("chat", c.ID)
	}
	return err
}

// deleteBatch is how many messages one write removes: with what they are found by, ten
// thousand at once would hold up every other write for a second.
const deleteBatch = 500

// DeleteChat removes a chat with its frames, messages and grants; its calls and
// inbox items stay, as history. The newest messages go first: what a crash leaves of
// the chat is its beginning.
func (s *Store) DeleteChat(ctx context.Context, id string) error {
	for deleted := int64(deleteBatch); deleted == deleteBatch; {
		err := s.queue.do(ctx, func(ctx context.Context, tx *transaction) (err error) {
			deleted, err = affected(tx.ExecContext(ctx, `DELETE FROM chat_messages WHERE number IN
				(SELECT number FROM chat_messages WHERE session_id = ? ORDER BY id DESC LIMIT ?)`, id, deleteBatch))
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.deleteOne(ctx, `DELETE FROM chat_sessions WHERE id = ?`, "chat", id)
}

// OpenTurns lists the chats that a turn is on its way in, oldest first: after a
// start, those that it was cut in.
func (s *Store) OpenTurns(ctx context.Context) ([]model.ChatSession, error) {
	var rows []chatRow
	err := s.read.SelectContext(ctx, &rows, `SELECT * FROM chat_sessions WHERE turn_id <> '' ORDER BY id`)
	return chatsOf(rows), s.fail(err)
}

func chatRowOf(c model.ChatSession) chatRow {
	return chatRow{ID: c.ID, Title: c.Title, Named: c.Named, Agent: c.Agent, Model: c.Model, TurnID: c.TurnID,
		ContextUsed: c.ContextUsed, ElidedBefore: c.ElidedBefore, SummaryID: c.SummaryID,
		CreatedAt: orNow(c.CreatedAt), UpdatedAt: orNow(c.UpdatedAt)}
}

func (r chatRow) chat() model.ChatSession {
	return model.ChatSession{ID: r.ID, Title: r.Title, Named: r.Named, Agent: r.Agent, Model: r.Model, TurnID: r.TurnID,
		ContextUsed: r.ContextUsed, ElidedBefore: r.ElidedBefore, SummaryID: r.SummaryID,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time}
}

func chatsOf(rows []chatRow) []model.ChatSession {
	chats := make([]model.ChatSession, len(rows))
	for i, row := range rows {
		chats[i] = row.chat()
	}
	return chats
}
