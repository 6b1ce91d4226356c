package store

import (
	"context"
	"errors"
	"net/url"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// maxReaders bounds the connections that read, each with its page cache.
const maxReaders = 4

// busyMillis is how long a connection waits for a lock. Readers meet one only in
// the moments when the WAL is recovered or restarted.
const busyMillis = "5000"

// writeDSN opens the writing connection. secure_delete overwrites what is
// deleted: a removed secret's sealed bytes don't stay in free pages. The WAL is
// folded into the file at 16 MiB instead of 4: whoever writes last before waits for
// the disk, and four results of a MiB would each time.
func writeDSN(path string) string {
	return dsn(path, url.Values{
		"_journal_mode": {"WAL"},
		"_synchronous":  {"NORMAL"},
		"_txlock":       {"immediate"},
		"_pragma":       {"secure_delete(FAST)", "wal_autocheckpoint(4096)"},
	})
}

// connect opens a pool and its first connection, so that what is wrong shows here.
func connect(ctx context.Context, dsn string) (*sqlx.DB, error) {
	db, err := sqlx.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func readDSN(path string) string {
	return dsn(path, url.Values{"_query_only": {"true"}})
}

// plainDSN opens a file as it is, in the journal mode that it is in.
func plainDSN(path string) string { return dsn(path, url.Values{}) }

func dsn(path string, values url.Values) string {
	values.Set("_busy_timeout", busyMillis)
	values.Set("_foreign_keys", "true")
	values.Set("_dqs", "false")
	values.Set("_error_rc", "true")
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: values.Encode()}
	return u.String()
}
