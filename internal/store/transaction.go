package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

// transaction is the one that a write runs in, on the writing connection. Its
// statements are named, not methods of database/sql's Tx: that parses BEGIN and
// COMMIT anew and starts a goroutine each time, a tenth of what a call costs.
type transaction struct {
	*sqlx.Conn
	begin, commit, rollback *sqlx.Stmt
	insertCall, finishCall  *sqlx.Stmt
}

// newTransaction takes the pool's only connection and keeps it.
func newTransaction(ctx context.Context, pool *sqlx.DB) (*transaction, error) {
	conn, err := pool.Connx(ctx)
	if err != nil {
		return nil, err
	}
	t := &transaction{Conn: conn}
	for _, p := range []struct {
		into **sqlx.Stmt
		sql  string
	}{
		{&t.begin, `BEGIN IMMEDIATE`},
		{&t.commit, `COMMIT`},
		{&t.rollback, `ROLLBACK`},
		{&t.insertCall, insertCall},
		{&t.finishCall, finishCall},
	} {
		if *p.into, err = conn.PreparexContext(ctx, p.sql); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return t, nil
}

// close gives the connection back to the pool, without its statements: SQLite
// doesn't close a connection that has some.
func (t *transaction) close() error {
	var errs []error
	for _, statement := range []*sqlx.Stmt{t.begin, t.commit, t.rollback, t.insertCall, t.finishCall} {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, t.Close())...)
}

// NamedExecContext takes arguments by name (":name") from a struct's db tags.
func (t *transaction) NamedExecContext(ctx context.Context, query string, arg any) (sql.Result, error) {
	query, args, err := sqlx.Named(query, arg)
	if err != nil {
		return nil, err
	}
	return t.ExecContext(ctx, query, args...)
}
