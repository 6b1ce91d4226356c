package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"kontor.dev/kontor/internal/model"
)

// lockName is the file whose lock says that a Kontor uses the folder.
const lockName = "kontor.lock"

// Lock is one running Kontor's claim on a data folder. The system drops it with
// the process, however that ends.
type Lock struct{ file *flock.Flock }

// LockFolder claims the data folder dir, which it makes when missing. When
// another process has it the error (CodeConflict) names that process.
func LockFolder(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(dir, lockName)
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	locked, err := file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !locked {
		return nil, model.Errorf(model.CodeConflict,
			"Another Kontor%s already uses %s. Stop it first, or give this one a folder of its own with --data.", holder(path), dir)
	}
	// Truncating keeps the file that is locked; a rename would not.
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Lock{file: file}, nil
}

// Release gives the folder back.
func (l *Lock) Release() error { return l.file.Close() }

// holder names the process that wrote itself into the lock file.
func holder(path string) string {
	text, err := os.ReadFile(path)
	pid := strings.TrimSpace(string(text))
	if _, bad := strconv.Atoi(pid); err != nil || bad != nil {
		return ""
	}
	return " (process " + pid + ")"
}
