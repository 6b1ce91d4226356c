package whole

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestADatabaseThatIsNotForUsIsRefusedInWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(t *testing.T, path string)
		want string
	}{
		"text": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("shopping list"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is not a database"},
		"another program's": {func(t *testing.T, path string) {
			change(t, path, `CREATE TABLE bookmarks (url TEXT)`)
		}, "database of another program"},
		"newer": {func(t *testing.T, path string) {
			kontor.Start(t, kontor.Options{Data: filepath.Dir(path)}).Stop()
			change(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
		}, "written by a newer Kontor"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := kontor.Folder(t)
			path := filepath.Join(data, "kontor.db")
			test.make(t, path)
			before := read(t, path)
			got := kontor.Run(t, nil, "serve", "--data", data, "--listen", "127.0.0.1:0")
			if got.Code != 1 || !strings.Contains(got.Stderr, test.want) || !strings.Contains(got.Stderr, path) {
				t.Errorf("exit %d, %q, want 1 and %q with the path", got.Code, got.Stderr, test.want)
			}
			if !bytes.Equal(read(t, path), before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestASecondKontorOnTheFolderIsRefusedInWords(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	got := kontor.Run(t, nil, "serve", "--data", k.Data, "--listen", "127.0.0.1:0")
	if got.Code != 1 || !strings.Contains(got.Stderr, k.Data) || !strings.Contains(got.Stderr, "Another Kontor") {
		t.Errorf("exit %d, %q, want 1 and words", got.Code, got.Stderr)
	}
	k.Get("/api/about", nil)
}

func TestABackupBringsEverythingBack(t *testing.T) {
	t.Parallel()
	const secret = "restored-by-the-backup"
	k := kontor.Start(t, kontor.Options{})
	k.Send(http.StatusNoContent, http.MethodPut, "/api/secrets/DEMO_KEY", map[string]string{"value": secret}, nil)
	received := filepath.Join(t.TempDir(), "received")
	keyed := fake(t, "leaky", received, "none").With("env", map[string]any{fakeVar: plain("leaky"), "SEALED": "${DEMO_KEY}"})
	k.AddReady("keyed", keyed)
	k.AddReady("demo", kontor.Demo())
	call := k.Call("mcp__demo__echo", `{"text": "kept"}`)

	backup := filepath.Join(kontor.Folder(t), "backup.db")
	k.Command("backup", backup)
	if got := kontor.Run(t, nil, "restore", backup, "--data", k.Data); got.Code != 1 || !strings.Contains(got.Stderr, "Another Kontor") {
		t.Errorf("restore under a running Kontor: exit %d, %q, want 1 and words", got.Code, got.Stderr)
	}
	for _, path := range []string{"/api/servers/keyed", "/api/servers/demo", "/api/secrets/DEMO_KEY"} {
		k.Send(http.StatusNoContent, http.MethodDelete, path, nil, nil)
	}
	k.Stop()
	if err := os.Remove(received); err != nil {
		t.Fatal(err)
	}
	kontor.Command(t, k.Data, "restore", backup)

	again := kontor.Start(t, kontor.Options{Data: k.Data})
	again.AwaitState("demo", "ready")
	again.AwaitState("keyed", "ready")
	if got := again.GetCall(call.ID); got.State != "done" || got.Text() != "kept" {
		t.Errorf("the call is %s with %q, want done with kept", got.State, got.Text())
	}
	if !bytes.Contains(read(t, received), []byte("SEALED="+secret)) {
		t.Error("the sealed secret didn't come back")
	}
}

// change runs SQL on a file behind Kontor's back.
func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
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
