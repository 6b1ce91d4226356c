// Package storetest opens real databases for other packages' tests.
package storetest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/store"
)

// New opens an empty database in a folder of the test's own and closes it when
// the test ends. Its sealer is Plain.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "kontor.db"))
}

// Open opens the database at path, as after a restart; an empty one when there is none.
func Open(t testing.TB, path string) *store.Store {
	t.Helper()
	if err := prepare(path); err != nil {
		t.Fatalf("make an empty database: %v", err)
	}
	s, err := open(t.Context(), path)
	if err != nil {
		t.Fatalf("store.Open(%q): %v", path, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	return s
}

func prepare(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := empty()
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o600)
}

// empty is the file of a database without rows. It is made once: under the race
// detector the migrations take most of a second.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "storetest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "kontor.db")
	s, err := open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func open(ctx context.Context, path string) (*store.Store, error) {
	return store.Open(ctx, store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return Plain{}, nil }})
}
