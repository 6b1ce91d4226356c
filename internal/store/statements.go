package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// statements are what every tool call and every request reads by, parsed once for
// each connection: parsing takes longer than running them.
type statements struct {
	call, tokenByHash, sessionByHash *sqlx.Stmt
}

func (s *Store) prepare(ctx context.Context) (err error) {
	for _, p := range []struct {
		into **sqlx.Stmt
		sql  string
	}{
		{&s.stmt.call, `SELECT * FROM tool_calls WHERE id = ?`},
		{&s.stmt.tokenByHash, `SELECT * FROM api_tokens WHERE hash = ?`},
		{&s.stmt.sessionByHash, `SELECT * FROM web_sessions WHERE hash = ?`},
	} {
		if *p.into, err = s.read.PreparexContext(ctx, p.sql); err != nil {
			return err
		}
	}
	return nil
}
