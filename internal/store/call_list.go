package store

import (
	"context"
	"encoding/base64"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Limits of a page.
const (
	DefaultLimit = 50
	MaxLimit     = 500
)

// CallFilter chooses calls. Empty fields choose all.
type CallFilter struct {
	Server, Tool string
	State        model.CallState
	// IsError tells calls whose tool said itself that it failed from the others.
	IsError   *bool
	SessionID string
	// Limit is the length of a page: 0 for DefaultLimit, at most MaxLimit.
	Limit int
	// Cursor is the one that the page before came with.
	Cursor string
	// Brief leaves out Result.Text, Structured and Content: a page of large
	// results is megabytes that a list doesn't show.
	Brief bool
}

const briefColumns = `id, server, tool, arguments, state, asker_kind, asker_label, session_id,
    agent, result_type, is_error, error_code, error_message, progress, started_at, ended_at, waited_ms`

// ListCalls returns a page of calls, newest first (by id, which sorts by time),
// and the cursor of the next page, empty after the last. Calls that come in
// between two pages don't move the second.
func (s *Store) ListCalls(ctx context.Context, f CallFilter) ([]model.Call, string, error) {
	query, args, err := f.sql()
	if err != nil {
		return nil, "", err
	}
	var rows []callRow
	if err := s.read.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, "", s.fail(err)
	}
	next := ""
	if limit := pageLimit(f.Limit); len(rows) > limit {
		rows = rows[:limit]
		next = cursorAfter(rows[limit-1].ID)
	}
	calls := make([]model.Call, len(rows))
	for i, row := range rows {
		calls[i] = row.call()
		if f.Brief {
			calls[i].Result.Structured = nil
		}
	}
	return calls, next, nil
}

// sql asks for one row more than the page, which tells whether there is another.
func (f CallFilter) sql() (string, []any, error) {
	var where []string
	var args []any
	add := func(condition string, arg string) {
		if arg != "" {
			where = append(where, condition)
			args = append(args, arg)
		}
	}
	before, err := cursorID(f.Cursor)
	if err != nil {
		return "", nil, err
	}
	add("id < ?", before)
	add("server = ?", f.Server)
	add("tool = ?", f.Tool)
	add("state = ?", string(f.State))
	if f.IsError != nil {
		where = append(where, "is_error = ?")
		args = append(args, *f.IsError)
	}
	if f.SessionID != "" {
		where = append(where, "session_id <> ''") // lets SQLite use the partial index
	}
	add("session_id = ?", f.SessionID)
	query := "SELECT * FROM tool_calls"
	if f.Brief {
		query = "SELECT " + briefColumns + " FROM tool_calls"
	}
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	return query + " ORDER BY id DESC LIMIT ?", append(args, pageLimit(f.Limit)+1), nil
}

func pageLimit(limit int) int {
	if limit <= 0 {
		return DefaultLimit
	}
	return min(limit, MaxLimit)
}

// cursorMark keeps cursors apart from those of later shapes.
const cursorMark = "1:"

func cursorAfter(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorMark + id))
}

func cursorID(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	id, ok := strings.CutPrefix(string(text), cursorMark)
	if err != nil || !ok || id == "" {
		return "", model.Errorf(model.CodeInvalid, "This cursor is none of ours: start again without one.")
	}
	return id, nil
}
