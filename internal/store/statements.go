package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// statements are those of every tool call and every request, parsed once for
// each connection: parsing takes longer than running them.
type statements struct {
	insertCall, finishCall           *sqlx.Stmt
	call, tokenByHash, sessionByHash *sqlx.Stmt
}

func (s *Store) prepare(ctx context.Context) (err error) {
	for _, p := range []struct {
		pool *sqlx.DB
		into **sqlx.Stmt
		sql  string
	}{
		{s.write, &s.stmt.insertCall, insertCall},
		{s.write, &s.stmt.finishCall, finishCall},
		{s.read, &s.stmt.call, `SELECT * FROM tool_calls WHERE id = ?`},
		{s.read, &s.stmt.tokenByHash, `SELECT * FROM api_tokens WHERE hash = ?`},
		{s.read, &s.stmt.sessionByHash, `SELECT * FROM web_sessions WHERE hash = ?`},
	} {
		if *p.into, err = p.pool.PreparexContext(ctx, p.sql); err != nil {
			return err
		}
	}
	return nil
}
