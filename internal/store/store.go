// Package store keeps Kontor's rows in one SQLite file. It owns every line of
// SQL, the file's identity and version, its copies, and the order of writes. It
// refuses to know what a row means to anyone, what a key is, or how a page
// looks: secrets pass through a Sealer, and nothing here publishes news.
//
// One connection writes; whoever writes first puts the writes that arrive
// together into one transaction; a few others read. In WAL mode neither waits
// for the other. A write that returned is committed: it survives the end of the
// process at any moment. At synchronous=NORMAL the last ones may be lost when
// the machine itself loses power.
//
// Times are kept as integer milliseconds in UTC, and come back so.
package store

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/jmoiron/sqlx"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/migrations"
)

// Sealer encrypts what may not lie in the file in clear. The context is bound to
// the sealed bytes: they open under the same context only. CheckValue is a text
// by which the same key is known again, empty while there is no usable key.
type Sealer interface {
	Seal(plain []byte, context string) ([]byte, error)
	Open(sealed []byte, context string) ([]byte, error)
	CheckValue() string
}

// KeyState is what the database knows of the key that its rows are sealed with.
type KeyState struct {
	// Check is the CheckValue of that key; empty in a new database.
	Check string
	// Sealed says that sealed rows exist: a new key could not read them.
	Sealed bool
}

// Options of Open.
type Options struct {
	// Path of the database file. Its folder is made when missing.
	Path string
	// Unlock gives the sealer for what the database holds. It is called once,
	// before Open returns.
	Unlock func(KeyState) (Sealer, error)
	// Log hears of copies and migrations; nil for none.
	Log *slog.Logger
}

// Store is an open database. Its methods are safe for concurrent use.
type Store struct {
	path  string
	read  *sqlx.DB
	write *sqlx.DB
	queue *writer
	stmt  statements

	// keyMu is held for reading from a row's sealing to its commit, and from its
	// reading to its opening; Rekey holds it alone. The writer never takes it.
	keyMu  sync.RWMutex
	sealer Sealer
}

// Open opens the database at o.Path, makes it when there is none, and brings it
// to this program's version after copying it. A file that isn't Kontor's, or is
// newer than this program, is left as it is and refused in words. The caller
// holds the folder's Lock.
func Open(ctx context.Context, o Options) (*Store, error) {
	return open(ctx, o, migrations.FS)
}

// open is Open with other migrations, for tests of what they do.
func open(ctx context.Context, o Options, migrations fs.FS) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := prepareFile(ctx, o.Path); err != nil {
		return nil, err
	}
	s := &Store{path: o.Path}
	if err := s.start(ctx, o, migrations); err != nil {
		return nil, errors.Join(err, s.closePools())
	}
	return s, nil
}

// start checks the schema's version, brings it up to date, starts the writer and
// unlocks the key. Until the version is known to be right nothing opens the file
// for writing.
func (s *Store) start(ctx context.Context, o Options, migrations fs.FS) (err error) {
	if s.read, err = connect(ctx, readDSN(s.path)); err != nil {
		return s.fail(err)
	}
	s.read.SetMaxOpenConns(maxReaders)
	s.read.SetMaxIdleConns(maxReaders)
	newest, err := newestVersion(migrations)
	if err != nil {
		return err
	}
	version, err := checkVersion(ctx, s.read, s.path, newest)
	if err != nil {
		return err
	}
	if s.write, err = connect(ctx, writeDSN(s.path)); err != nil {
		return s.fail(err)
	}
	s.write.SetMaxOpenConns(1)
	if version < newest {
		if err := s.migrate(ctx, migrations, version, o.Log); err != nil {
			return err
		}
	}
	if err := s.prepare(ctx); err != nil {
		return s.fail(err)
	}
	tx, err := newTransaction(ctx, s.write)
	if err != nil {
		return s.fail(err)
	}
	s.queue = newWriter(tx, s.path)
	if err := s.unlock(ctx, o.Unlock); err != nil {
		return errors.Join(err, s.queue.close())
	}
	return nil
}

// Path is where the database file lies.
func (s *Store) Path() string { return s.path }

// Close lets the writes that were already given finish, refuses later ones, and
// closes the file.
func (s *Store) Close() error {
	return errors.Join(s.queue.close(), s.closePools())
}

// closePools closes the writer last: the last connection folds the WAL into the
// file, which one that only reads may not.
func (s *Store) closePools() error {
	var errs []error
	for _, pool := range []*sqlx.DB{s.read, s.write} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}

func (s *Store) fail(err error) error { return storageError(s.path, err) }

func (s *Store) folder() string { return filepath.Dir(s.path) }

// notFound is the answer for a row that isn't there.
func notFound(what, id string) error {
	return model.Errorf(model.CodeNotFound, "There is no %s %q.", what, id)
}
