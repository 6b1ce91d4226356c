// Package storetest opens real databases for other packages' tests.
package storetest

import (
	"path/filepath"
	"testing"

	"kontor.dev/kontor/internal/store"
)

// New opens an empty database in a folder of the test's own and closes it when
// the test ends. Its sealer is Plain.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "kontor.db"))
}

// Open opens the database at path, as after a restart.
func Open(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return Plain{}, nil }})
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
