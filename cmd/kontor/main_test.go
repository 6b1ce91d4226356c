package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/watchdog"
)

func TestMain(m *testing.M) {
	if watchdog.Main(os.Args) {
		return
	}
	os.Exit(m.Run())
}

// kontor runs a command on the data folder.
func kontor(t *testing.T, data, input string, args ...string) (string, error) {
	t.Helper()
	cmd := root()
	var out bytes.Buffer
	cmd.SetArgs(append(args, "--data", data))
	cmd.SetIn(strings.NewReader(input))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestCommandsWorkWhereNoKontorRuns(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if _, err := kontor(t, data, "", "link"); err == nil || !strings.Contains(err.Error(), "kontor serve") {
		t.Errorf("link: got %v, want what to do", err)
	}
	if out, err := kontor(t, data, "correct horse\n", "password"); err != nil || !strings.Contains(out, "is set") {
		t.Errorf("password: got %q %v", out, err)
	}
	if _, err := kontor(t, data, "short\n", "password"); err == nil {
		t.Error("a short password is taken")
	}
	if _, err := kontor(t, data, "\n", "password"); err == nil || !strings.Contains(err.Error(), "--remove") {
		t.Errorf("no password: got %v", err)
	}
	value, err := kontor(t, data, "", "token", "create", "editor", "--scope", "gateway", "--days", "7")
	if err != nil || !strings.HasPrefix(value, "kt_") {
		t.Fatalf("token create: got %q %v", value, err)
	}
	list, err := kontor(t, data, "", "token", "list")
	if err != nil || !strings.Contains(list, "editor") || strings.Contains(list, strings.TrimSpace(value)) {
		t.Errorf("token list: got %q %v", list, err)
	}
	id := strings.Fields(strings.Split(list, "\n")[1])[0]
	if _, err := kontor(t, data, "", "token", "revoke", id); err != nil {
		t.Errorf("token revoke: %v", err)
	}
	backup := filepath.Join(t.TempDir(), "copy.db")
	if _, err := kontor(t, data, "", "backup", backup); err != nil {
		t.Errorf("backup: %v", err)
	}
	if _, err := kontor(t, data, "", "key", "rotate"); err != nil {
		t.Errorf("key rotate: %v", err)
	}
	if out, err := kontor(t, data, "", "restore", backup); err != nil || !strings.Contains(out, "that was there is") {
		t.Errorf("restore: got %q %v", out, err)
	}
}

func TestAHashCanBePrintedForTheEnvironment(t *testing.T) {
	t.Parallel()
	out, err := kontor(t, t.TempDir(), "correct horse\n", "password", "--hash")
	if err != nil || !strings.HasPrefix(out, "$argon2id$") || strings.Contains(out, "horse") {
		t.Errorf("got %q %v", out, err)
	}
}

func TestAnUnknownCommandIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := kontor(t, t.TempDir(), "", "nonsense"); err == nil {
		t.Error("it runs")
	}
}

func TestDoctorSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	doctor := func(words ...string) (string, error) {
		cmd := root()
		var out bytes.Buffer
		cmd.SetArgs(append([]string{"--data", data, "doctor"}, words...))
		cmd.SetOut(&out)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	if out, err := doctor(); err != nil || !strings.Contains(out, "No server") {
		t.Errorf("nothing to try: got %q %v", out, err)
	}
	out, err := doctor("/bin/sh", "-c", `printf 'first\n\033[31mlast words\n' >&2; exit 3`)
	if err == nil || !strings.Contains(err.Error(), "1 of 1") {
		t.Errorf("a program that fails: got %v", err)
	}
	for _, words := range []string{"FAILED", "exited with code 3", "(exited)", "| first", "last words", "not reached: era", "What may help: "} {
		if !strings.Contains(out, words) {
			t.Errorf("%q is not in %s", words, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Errorf("a program draws on the terminal: %q", out)
	}
	if out, err := doctor("sh -c 'exit 3'"); err == nil || !strings.Contains(out, "code 3") {
		t.Errorf("a command line in one word: got %q %v", out, err)
	}
	if _, err := doctor("a | b"); err == nil || !strings.Contains(err.Error(), "shell") {
		t.Errorf("what is no server: got %v", err)
	}
}
