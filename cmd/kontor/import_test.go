package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const othersConfig = `{
  // of another program
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "files-server"], "env": {"ROOT": "hidden-value"}},
    "search": {"url": "https://x.example/mcp?key=hidden-value", "headers": {"X-Key": "hidden-value"}},
    "flags": {"command": "flags-server", "args": ["--api-key=hidden-value"], "autoApprove": ["all"]},
    "broken": {"args": ["alone"]}
  }
}`

func TestImportSaysWhatItWouldAddAndAddsNothing(t *testing.T) {
	t.Parallel()
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "others.json")
	if err := os.WriteFile(file, []byte(othersConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := kontor(t, data, "", "import", file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"claude_desktop", "files: npx -y files-server\n", "environment: ROOT", "search: https://x.example/mcp?…\n", "headers: X-Key",
		"flags: flags-server …\n", "autoApprove was left out", "Left out: broken: ", "Nothing is added yet",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if strings.Contains(out, "hidden-value") {
		t.Errorf("a secret is printed:\n%s", out)
	}
	if out, err := kontor(t, data, "", "import", file, "--all"); err != nil {
		t.Errorf("something was added before: %s %v", out, err)
	}
}

func TestImportAddsWhatIsNamed(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if _, err := kontor(t, data, othersConfig, "import", "-", "--add", "files,nope"); err == nil || !strings.Contains(err.Error(), `"nope"`) {
		t.Errorf("a name that isn't there: got %v", err)
	}
	if out, err := kontor(t, data, othersConfig, "import", "-", "--add", "files"); err != nil || out != "files is added, turned off.\n" {
		t.Errorf("got %q %v", out, err)
	}
	out, err := kontor(t, data, othersConfig, "import", "-", "--all")
	if err == nil || !strings.Contains(err.Error(), "1 of 3") || !strings.Contains(out, "files is not added: ") || !strings.Contains(out, "search is added") {
		t.Errorf("one is there already: got %q %v", out, err)
	}
	if _, err := kontor(t, data, "no configuration", "import", "-"); err == nil || !strings.Contains(err.Error(), "neither JSON nor TOML") {
		t.Errorf("something else: got %v", err)
	}
	if _, err := kontor(t, data, "", "import", filepath.Join(data, "missing.json")); err == nil {
		t.Error("a file that isn't there is imported")
	}
}
