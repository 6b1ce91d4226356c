package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

// oneCall makes a database with one call and returns its path, closed, and the call.
func oneCall(t *testing.T, dir string) (string, model.Call) {
	t.Helper()
	path := filepath.Join(dir, "kontor.db")
	s, err := store.Open(t.Context(), store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return storetest.Plain{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	call := newCall()
	insert(t, s, call)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path, call
}

func TestABackupIsRestored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "kontor.db")
	s, _ := openKeyed(t, path, "A")
	before, after := newCall(), newCall()
	insert(t, s, before)
	backup := filepath.Join(dir, "copy.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatalf("Backup: %v", err)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("backup: %v, %v, want rights 0600", info, err)
	}
	wantCode(t, s.Backup(t.Context(), backup), model.CodeConflict)
	insert(t, s, after)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	aside, err := store.Restore(t.Context(), path, backup)
	if err != nil {
		t.Fatalf("Restore: %v", err)
	}
	s, _ = openKeyed(t, path, "A")
	if _, err := s.Call(t.Context(), before.ID); err != nil {
		t.Errorf("the call in the backup: %v", err)
	}
	_, err = s.Call(t.Context(), after.ID)
	wantCode(t, err, model.CodeNotFound)
	old, _ := openKeyed(t, aside, "A")
	if _, err := old.Call(t.Context(), after.ID); err != nil {
		t.Errorf("the replaced database: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.restoring*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestRestoreIntoAnEmptyFolder(t *testing.T) {
	t.Parallel()
	backup, call := oneCall(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "data", "kontor.db")
	if aside, err := store.Restore(t.Context(), path, backup); err != nil || aside != "" {
		t.Fatalf("Restore: %q, %v", aside, err)
	}
	if _, err := storetest.Open(t, path).Call(t.Context(), call.ID); err != nil {
		t.Error(err)
	}
}

// A database whose last process was killed has its newest rows in the log.
func TestRestoreKeepsTheLogOfTheReplacedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backup, _ := oneCall(t, t.TempDir())
	running, _ := openKeyed(t, filepath.Join(t.TempDir(), "kontor.db"), "A")
	call := newCall()
	insert(t, running, call)
	path := filepath.Join(dir, "kontor.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(path+suffix, read(t, running.Path()+suffix), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	aside, err := store.Restore(t.Context(), path, backup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := storetest.Open(t, path).Call(t.Context(), call.ID); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("the old log was played into the restored database: %v", err)
	}
	if _, err := storetest.Open(t, aside).Call(t.Context(), call.ID); err != nil {
		t.Errorf("the replaced database lost its log: %v", err)
	}
}

func TestABadBackupChangesNothing(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		make  func(t *testing.T, path string)
		words string
	}{
		"text": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("no database"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "not a database"},
		"another program's": {func(t *testing.T, path string) { change(t, path, "PRAGMA application_id = 0") }, "another program"},
		"newer": {func(t *testing.T, path string) {
			change(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		}, "newer Kontor"},
		"empty": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			change(t, path, "PRAGMA application_id = "+strconv.Itoa(0x4B4E5452))
		}, "is empty"},
		"cut": {func(t *testing.T, path string) {
			if err := os.Truncate(path, int64(len(read(t, path))/2)); err != nil {
				t.Fatal(err)
			}
		}, "is damaged"},
		"garbled": {func(t *testing.T, path string) {
			content := read(t, path)
			copy(content[4096:], bytes.Repeat([]byte{0x5a}, len(content)-4096))
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is damaged"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, call := oneCall(t, t.TempDir())
			backup, _ := oneCall(t, t.TempDir())
			test.make(t, backup)
			_, err := store.Restore(t.Context(), path, backup)
			wantCode(t, err, model.CodeStorage)
			if err == nil || !strings.Contains(err.Error(), test.words) || !strings.Contains(err.Error(), backup) {
				t.Errorf("error %q, want it to name %s and say %q", err, backup, test.words)
			}
			if _, err := storetest.Open(t, path).Call(t.Context(), call.ID); err != nil {
				t.Errorf("the database: %v", err)
			}
			if files, _ := filepath.Glob(path + ".*"); files != nil {
				t.Errorf("left behind: %v", files)
			}
		})
	}
}

func TestOneKontorPerFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	lock, err := store.LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.LockFolder(dir)
	wantCode(t, err, model.CodeConflict)
	if err == nil || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %q names neither process nor folder", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := store.LockFolder(dir)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
}
