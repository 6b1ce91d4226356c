package store_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func open(t *testing.T, path string) error {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return storetest.Plain{}, nil }})
	if err == nil {
		return s.Close()
	}
	return err
}

// change runs SQL on a file behind Kontor's back.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestAFileThatIsNotOursIsLeftAlone(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		make  func(t *testing.T, path string)
		words string
	}{
		"text": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("shopping list"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "not a database"},
		"long text": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 5000), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "not a database"},
		"another program's": {func(t *testing.T, path string) {
			change(t, path, "CREATE TABLE bookmarks (url TEXT)", "PRAGMA application_id = 77")
		}, "another program"},
		"unmarked": {func(t *testing.T, path string) {
			change(t, path, "CREATE TABLE mcp_servers (name TEXT)")
		}, "another program"},
		"in WAL mode": {func(t *testing.T, path string) {
			change(t, path, "PRAGMA journal_mode = WAL", "CREATE TABLE bookmarks (url TEXT)")
		}, "another program"},
		"marked but with other tables": {func(t *testing.T, path string) {
			change(t, path, "PRAGMA application_id = 0x4B4E5452", "CREATE TABLE bookmarks (url TEXT)")
		}, "other tables"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "kontor.db")
			test.make(t, path)
			before := read(t, path)
			err := open(t, path)
			wantCode(t, err, model.CodeStorage)
			if err == nil || !strings.Contains(err.Error(), test.words) {
				t.Errorf("error %q, want it to say %q", err, test.words)
			}
			if !bytes.Equal(read(t, path), before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestANewerDatabaseIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	if err := open(t, path); err != nil {
		t.Fatal(err)
	}
	change(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	before := read(t, path)
	err := open(t, path)
	wantCode(t, err, model.CodeStorage)
	if err == nil || !strings.Contains(err.Error(), "newer Kontor") {
		t.Errorf("error %q doesn't say that the database is newer", err)
	}
	if !bytes.Equal(read(t, path), before) {
		t.Error("the file was changed")
	}
}

func TestTheFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("file modes mean nothing there")
	}
	dir := filepath.Join(t.TempDir(), "new", "data")
	path := filepath.Join(dir, "kontor.db")
	if err := open(t, path); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, path)
	insert(t, s, newCall())
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v, want rights 0600", path+suffix, info, err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%s: %v, %v, want rights 0700", dir, info, err)
	}
}

func TestLooseRightsAreTightened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	if err := open(t, path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("rights %v, %v, want 0600", info.Mode(), err)
	}
}

func TestAPathMayHoldAnyCharacter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a b?c#d%20é", "kontor.db")
	if err := open(t, path); err != nil {
		t.Fatal(err)
	}
	if len(read(t, path)) == 0 {
		t.Error("the database went elsewhere")
	}
}

func TestCloseStoresWhatWasGivenAndRefusesMore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	s, err := store.Open(t.Context(), store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return storetest.Plain{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	var stored []model.Call
	results := make(chan error)
	calls := make([]model.Call, 100)
	for i := range calls {
		calls[i] = newCall()
		go func() { results <- s.InsertCall(t.Context(), calls[i]) }()
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	refused := 0
	for range calls {
		if err := <-results; err != nil {
			wantCode(t, err, model.CodeStorage)
			refused++
		}
	}
	wantCode(t, s.InsertCall(t.Context(), newCall()), model.CodeStorage)
	again := storetest.Open(t, path)
	for _, call := range calls {
		if _, err := again.Call(t.Context(), call.ID); err == nil {
			stored = append(stored, call)
		}
	}
	if len(stored)+refused != len(calls) {
		t.Errorf("%d stored and %d refused of %d", len(stored), refused, len(calls))
	}
}

func TestAFailingUnlockClosesTheFile(t *testing.T) {
	t.Parallel()
	broken := errors.New("no key")
	_, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "kontor.db"),
		Unlock: func(store.KeyState) (store.Sealer, error) { return nil, broken }})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, err := s.Setting(t.Context(), "theme")
	wantCode(t, err, model.CodeNotFound)
	for _, want := range []string{`"dark"`, `{"n":12345678901234567890}`, `null`} {
		if err := s.SetSetting(t.Context(), "theme", json.RawMessage(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Setting(t.Context(), "theme"); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	wantCode(t, s.SetSetting(t.Context(), "theme", json.RawMessage(`{`)), model.CodeInvalid)
	if err := s.SetSetting(t.Context(), "theme", nil); err != nil {
		t.Fatal(err)
	}
	_, err = s.Setting(t.Context(), "theme")
	wantCode(t, err, model.CodeNotFound)
}
