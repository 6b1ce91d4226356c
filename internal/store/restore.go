package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/migrations"
)

const asideMark = ".replaced-"

// Restore puts the copy at from in the place of the database at path, after
// checking that it is Kontor's, whole, and not newer than this program. The
// database that was there is kept next to it; its path comes back, empty when
// there was none. No Store is open on path, and the caller holds the folder's
// Lock.
func Restore(ctx context.Context, path, from string) (aside string, err error) {
	if err := checkOurs(from); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	incoming := path + ".restoring"
	defer func() { err = errors.Join(err, removeTriple(incoming)) }()
	if err := copyFile(incoming, from); err != nil {
		return "", storageError(path, fmt.Errorf("restore: %w", err))
	}
	if err := checkWhole(ctx, incoming, from); err != nil {
		return "", err
	}
	aside, err = setAside(ctx, path)
	if err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	if err := os.Rename(incoming, path); err != nil {
		return aside, fmt.Errorf("restore: %w", err)
	}
	syncFolder(filepath.Dir(path))
	return aside, nil
}

// checkWhole reads every page of our own copy of a backup; from is its name in
// errors.
func checkWhole(ctx context.Context, copied, from string) (err error) {
	damaged := func(cause error) error {
		return &model.Error{Code: model.CodeStorage, Err: cause,
			Message: from + " is damaged and was not restored. Nothing was changed: take another copy."}
	}
	db, err := connect(ctx, plainDSN(copied))
	if err != nil {
		return damaged(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var findings []string
	if err := db.SelectContext(ctx, &findings, `PRAGMA integrity_check(1)`); err != nil {
		return damaged(err)
	}
	if len(findings) != 1 || findings[0] != "ok" {
		return damaged(fmt.Errorf("integrity check: %v", findings))
	}
	newest, err := newestVersion(migrations.FS)
	if err != nil {
		return err
	}
	version, err := checkVersion(ctx, db, from, newest)
	if err != nil {
		return err
	}
	if version == 0 {
		return model.Errorf(model.CodeStorage, "%s is empty and was not restored. Nothing was changed.", from)
	}
	return nil
}

// setAside gives the database at path a second name and leaves the first for
// the caller to replace in one step, so that at no moment there is none.
func setAside(ctx context.Context, path string) (string, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	aside := path + asideMark + time.Now().UTC().Format(stampLayout)
	foldLog(ctx, path)
	if err := os.Link(path, aside); err != nil {
		return "", err
	}
	// A log that could not be folded in belongs to the old file, and would be
	// played into the new one.
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := ignoreMissing(os.Rename(path+suffix, aside+suffix)); err != nil {
			return "", err
		}
	}
	return aside, nil
}

// foldLog brings what is in the WAL into the file. It is done as well as a file
// that may be damaged allows: what can't be folded in is kept beside it.
func foldLog(ctx context.Context, path string) {
	if checkOurs(path) != nil {
		return
	}
	db, err := connect(ctx, plainDSN(path))
	if err != nil {
		return
	}
	_, _ = db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	_ = db.Close()
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// removeTriple removes a database file and SQLite's companions of it.
func removeTriple(path string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		errs = append(errs, ignoreMissing(os.Remove(path+suffix)))
	}
	return errors.Join(errs...)
}
