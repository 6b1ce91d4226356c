package store

import (
	"errors"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"kontor.dev/kontor/internal/model"
)

// storageError puts a failure of the database into words. Errors that already
// have a code, and those that aren't SQLite's, pass as they are.
func storageError(path string, err error) error {
	var coded *model.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	dir := filepath.Dir(path)
	if errors.Is(err, syscall.ENOSPC) {
		return diskFull(dir, err)
	}
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch primary(failure) {
	case sqlite3.SQLITE_FULL:
		return diskFull(dir, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return storage(err, "The database in "+dir+" can't be written. Check that the folder is there and belongs to the user that runs Kontor.")
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return storage(err, "The database "+path+" is damaged. Stop Kontor and bring back a copy with `kontor restore`.")
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return storage(err, "Another program holds the database "+path+". Close it and try again.")
	case sqlite3.SQLITE_IOERR:
		return storage(err, "The disk under "+dir+" reported an error. What was stored before is kept; check the disk.")
	}
	return storage(err, "The database refused this: "+failure.Error())
}

func diskFull(dir string, err error) error {
	return storage(err, "The disk is full: this could not be stored. Nothing that was stored before is lost. Free some space for "+dir+".")
}

func storage(cause error, message string) *model.Error {
	return &model.Error{Code: model.CodeStorage, Message: message, Err: cause}
}

// primary strips an extended result code (https://www.sqlite.org/rescode.html).
func primary(e *sqlite.Error) int { return e.Code() & 0xff }

// taken tells whether a row with the same unique value is already there.
func taken(err error) bool {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return false
	}
	code := failure.Code()
	return code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || code == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}

// orphan tells whether what a row belongs to isn't there.
func orphan(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// breaksTransaction tells whether a statement's failure may have rolled back the
// whole transaction: everything but a constraint may
// (https://www.sqlite.org/lang_transaction.html, "Response To Errors").
func breaksTransaction(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && primary(failure) != sqlite3.SQLITE_CONSTRAINT
}
