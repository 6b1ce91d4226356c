package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"kontor.dev/kontor/internal/model"
)

// applicationID is "KNTR": it marks the file as Kontor's
// (https://www.sqlite.org/fileformat.html, section 1.3.12).
const applicationID = 0x4B4E5452

// The parts of a SQLite file's header that tell what it is.
const (
	headerSize          = 100
	headerMagic         = "SQLite format 3\x00"
	headerApplicationID = 68
)

// prepareFile makes the folder and the file when they are missing, refuses a
// file that isn't Kontor's without opening it, and takes others' rights away.
func prepareFile(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("folder of the database: %w", err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		return create(ctx, path)
	case err != nil:
		return fmt.Errorf("database: %w", err)
	}
	if err := checkOurs(path); err != nil {
		return err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return fmt.Errorf("rights of the database: %w", err)
	}
	return nil
}

// create makes an empty database with Kontor's mark. The mark is written in
// SQLite's rollback mode, before the first WAL: so it is in the file itself from
// the start, and a crash at any moment leaves no file that looks a stranger's.
func create(ctx context.Context, path string) error {
	// SQLite would make it with the umask's rights, and gives its own files the
	// rights of this one.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("new database: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("new database: %w", err)
	}
	db, err := connect(ctx, plainDSN(path))
	if err != nil {
		return storageError(path, err)
	}
	_, err = db.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID))
	return storageError(path, errors.Join(err, db.Close()))
}

// checkOurs reads the header of the file at path and says in words when the file
// isn't a database of Kontor's. It changes nothing.
func checkOurs(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	defer file.Close()
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(file, header); err != nil || string(header[:len(headerMagic)]) != headerMagic {
		return model.Errorf(model.CodeStorage,
			"%s is not a database. Kontor leaves it as it is: move it away, or use another data folder.", path)
	}
	if binary.BigEndian.Uint32(header[headerApplicationID:]) != applicationID {
		return model.Errorf(model.CodeStorage,
			"%s is a database of another program. Kontor leaves it as it is: move it away, or use another data folder.", path)
	}
	return nil
}
