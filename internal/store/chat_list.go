package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

// ListChats returns a page of chats, the one that moved last first, and the cursor
// of the next page, empty after the last. Each word of the query is part of the
// title or of what was said, whatever its case and accents; all are found in one
// message.
func (s *Store) ListChats(ctx context.Context, f model.ChatFilter) ([]model.ChatSession, string, error) {
	where, args := chatSearch(f.Query)
	if f.Cursor != "" {
		at, id, err := chatCursor(f.Cursor)
		if err != nil {
			return nil, "", err
		}
		where = append(where, "(updated_at, id) < (?, ?)")
		args = append(args, moment{at}, id)
	}
	query := `SELECT * FROM chat_sessions`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, " AND ")
	}
	limit := pageLimit(f.Limit)
	var rows []chatRow
	err := s.read.SelectContext(ctx, &rows, query+` ORDER BY updated_at DESC, id DESC LIMIT ?`, append(args, limit+1)...)
	if err != nil {
		return nil, "", s.fail(err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		next = cursorAfter(fmt.Sprintf("%d:%s", last.UpdatedAt.UnixMilli(), last.ID))
	}
	return chatsOf(rows), next, nil
}

// chatSearch is the condition for a query. The index knows runs of three
// characters: a shorter word is looked for in the texts themselves.
func chatSearch(query string) (where []string, args []any) {
	var long, conditions []string
	var short []any
	for word := range strings.FieldsSeq(query) {
		if utf8.RuneCountInString(word) >= 3 {
			long = append(long, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
			continue
		}
		conditions = append(conditions, `said LIKE ? ESCAPE '\'`)
		short = append(short, "%"+likeEscape.Replace(word)+"%")
	}
	if len(long) > 0 {
		conditions = append([]string{"chat_search MATCH ?"}, conditions...)
		args = append(args, strings.Join(long, " "))
	}
	if len(conditions) == 0 {
		return nil, nil
	}
	where = []string{`id IN (SELECT session_id FROM chat_search WHERE ` + strings.Join(conditions, " AND ") + `)`}
	return where, append(args, short...)
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// chatCursor reads the place of the last chat of the page before.
func chatCursor(cursor string) (time.Time, string, error) {
	text, err := cursorID(cursor)
	if err != nil {
		return time.Time{}, "", err
	}
	ms, id, _ := strings.Cut(text, ":")
	at, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || id == "" {
		return time.Time{}, "", model.Errorf(model.CodeInvalid, "This cursor is none of ours: start again without one.")
	}
	return time.UnixMilli(at), id, nil
}
