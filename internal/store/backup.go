package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kontor.dev/kontor/internal/model"
)

// Backup writes a whole copy of the database as it is now to path, readable by
// the owner only, while reads and writes go on. It refuses to overwrite a file.
// The copy's secrets open with the same key only: keep that too.
func (s *Store) Backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return model.Errorf(model.CodeConflict, "%s is already there. Give the copy another name.", path)
	}
	partial := path + ".partial"
	if err := s.vacuumInto(ctx, partial); err != nil {
		return errors.Join(storageError(path, err), ignoreMissing(os.Remove(partial)))
	}
	if err := os.Rename(partial, path); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// vacuumInto copies through a connection of its own, so that neither the writer
// nor the readers wait for it.
func (s *Store) vacuumInto(ctx context.Context, path string) (err error) {
	// SQLite takes an empty file as its target; made here, it has our rights.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	db, err := connect(ctx, plainDSN(s.path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return err
	}
	return syncFile(path)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func syncFile(path string) error {
	// Windows syncs only what was opened for writing.
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// syncFolder makes the names in a folder outlive a power cut, where the system
// can: not every one syncs folders.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
