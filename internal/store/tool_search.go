package store

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

const insertToolWords = `INSERT INTO tool_search (server, tool, names, title, description)
VALUES (:server, :tool, :names, :title, :description)`

// The name counts most: it is what a tool is for.
const searchTools = `SELECT server, tool FROM tool_search WHERE tool_search MATCH ?
ORDER BY bm25(tool_search, 0, 0, 8, 4, 1), server, tool`

// ToolSearchDigests tell by server what its tools' words were made from.
func (s *Store) ToolSearchDigests(ctx context.Context) (map[string]string, error) {
	var rows []struct {
		Server string `db:"server"`
		Digest []byte `db:"digest"`
	}
	if err := s.read.SelectContext(ctx, &rows, `SELECT server, digest FROM tool_search_digests`); err != nil {
		return nil, s.fail(err)
	}
	digests := make(map[string]string, len(rows))
	for _, r := range rows {
		digests[r.Server] = string(r.Digest)
	}
	return digests, nil
}

// ReplaceToolWords puts words in place of those of one server's tools.
func (s *Store) ReplaceToolWords(ctx context.Context, server, digest string, words []model.ToolWords) error {
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM tool_search WHERE server = ?`, server); err != nil {
			return err
		}
		for _, w := range words {
			if _, err := tx.NamedExecContext(ctx, insertToolWords, w); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO tool_search_digests (server, digest) VALUES (?, ?)
			ON CONFLICT (server) DO UPDATE SET digest = excluded.digest`, server, []byte(digest))
		return err
	})
}

// SearchTools finds tools by an expression of FTS5 ("Full-text Query Syntax"), the
// best first. Of what it finds only Server and Tool are set.
func (s *Store) SearchTools(ctx context.Context, match string) ([]model.ToolWords, error) {
	var found []model.ToolWords
	if err := s.read.SelectContext(ctx, &found, searchTools, match); err != nil {
		return nil, s.fail(err)
	}
	return found, nil
}
