package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"kontor.dev/kontor/internal/model"
)

// noKey is a sealer for tests that seal nothing.
type noKey struct{}

func (noKey) Seal([]byte, string) ([]byte, error) { return nil, errors.New("no key") }
func (noKey) Open([]byte, string) ([]byte, error) { return nil, errors.New("no key") }
func (noKey) CheckValue() string                  { return "" }

// withTables is a set of migrations: the first makes the tables that Open needs,
// each of the others one more.
func withTables(n int) fstest.MapFS {
	files := fstest.MapFS{"00001_first.sql": {Data: []byte(`-- +goose Up
CREATE TABLE settings (key TEXT NOT NULL PRIMARY KEY, value TEXT, updated_at INTEGER);
CREATE TABLE secrets (name TEXT);
CREATE TABLE server_secrets (name TEXT);
CREATE TABLE oauth_records (server TEXT);
CREATE TABLE language_models (sealed_key BLOB);
CREATE TABLE api_tokens (hash BLOB);
CREATE TABLE web_sessions (hash BLOB);
CREATE TABLE tool_calls (id TEXT NOT NULL PRIMARY KEY, server, tool, arguments, state, asker_kind, asker_label,
    session_id, agent, result_type, result, structured, content, is_error, error_code, error_message, progress,
    started_at, ended_at, waited_ms);
`)}}
	for i := 2; i <= n; i++ {
		files[fmt.Sprintf("%05d_more.sql", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "-- +goose Up\nCREATE TABLE t%d (a TEXT);\n", i)}
	}
	return files
}

func openWith(t *testing.T, path string, files fstest.MapFS) error {
	t.Helper()
	s, err := open(t.Context(), Options{Path: path, Unlock: func(KeyState) (Sealer, error) { return noKey{}, nil }}, files)
	if err != nil {
		return err
	}
	if err := s.InsertCall(t.Context(), model.Call{ID: fmt.Sprint(len(files)), State: model.CallRunning}); err != nil {
		t.Errorf("InsertCall: %v", err)
	}
	return s.Close()
}

func copies(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(path + copyMark + "*")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestACopyIsMadeBeforeEachMigration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	if err := openWith(t, path, withTables(1)); err != nil {
		t.Fatal(err)
	}
	if got := copies(t, path); got != nil {
		t.Errorf("copies of an empty database: %v", got)
	}
	for n := 2; n <= 6; n++ {
		if err := openWith(t, path, withTables(n)); err != nil {
			t.Fatal(err)
		}
	}
	got := copies(t, path)
	if len(got) != keptCopies || !strings.Contains(got[0], copyMark+"3-") || !strings.Contains(got[2], copyMark+"5-") {
		t.Fatalf("copies %v, want the newest %d", got, keptCopies)
	}
	// The copy from before version 4 has what version 3 had: three calls.
	if n := count(t, got[0], `SELECT count(*) FROM tool_calls`); n != 3 {
		t.Errorf("%d calls in %s, want 3", n, got[0])
	}
	if err := openWith(t, path, withTables(5)); err == nil || !strings.Contains(err.Error(), "newer Kontor") {
		t.Errorf("an older program: %v, want a refusal", err)
	}
}

func TestABrokenMigrationChangesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	if err := openWith(t, path, withTables(1)); err != nil {
		t.Fatal(err)
	}
	broken := withTables(2)
	broken["00002_more.sql"].Data = []byte("-- +goose Up\nCREATE TABLE half (a TEXT);\nCREATE TABLE half (a TEXT);\n")
	if err := openWith(t, path, broken); err == nil {
		t.Fatal("no error")
	}
	if n := count(t, path, `SELECT count(*) FROM sqlite_schema WHERE name = 'half'`); n != 0 {
		t.Error("half a migration stayed")
	}
	if err := openWith(t, path, withTables(2)); err != nil {
		t.Errorf("after the mended migration: %v", err)
	}
}

func count(t *testing.T, path, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
