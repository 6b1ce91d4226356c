package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/web/wire"
)

// failedStage is the one that failed; the zero Stage when none did.
func failedStage(stages []wire.Stage) wire.Stage {
	for _, st := range stages {
		if !st.OK {
			return st
		}
	}
	return wire.Stage{}
}

func TestAConfigurationIsTriedAndNotSaved(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	cases := map[string]struct{ body, stage, code string }{
		"no program":   {`{"name":"x","command":"/nonexistent/program"}`, "spawn", "command_not_found"},
		"no name":      {`{"command":"/nonexistent/program"}`, "spawn", "command_not_found"},
		"no transport": {`{"name":"x"}`, "parse", "invalid"},
		"odd address":  {`{"name":"x","url":"ftp://x"}`, "parse", "invalid"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := s.request("POST", "/api/servers/test", tc.body)
			var trial wire.Trial
			if err := json.Unmarshal([]byte(a.body), &trial); err != nil || a.StatusCode != 200 {
				t.Fatalf("got %d %s", a.StatusCode, a.body)
			}
			failed := failedStage(trial.Stages)
			if trial.OK || failed.Stage != tc.stage || string(failed.Code) != tc.code || failed.Message == "" {
				t.Errorf("got %+v, want %s %s", failed, tc.stage, tc.code)
			}
			if last := trial.Stages[len(trial.Stages)-1]; last.Code != "not_reached" {
				t.Errorf("the last stage is %+v, want it not reached", last)
			}
		})
	}
	if a := s.request("GET", "/api/servers", ""); strings.Contains(a.body, `"x"`) {
		t.Errorf("it is saved: %s", a.body)
	}
}

func TestATestUsesStoredSecretsAndShowsNone(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if a := s.request("POST", "/api/servers", `{"name":"mine","command":"/bin/true","enabled":false,"env":{"KEY":"hidden-value"}}`); a.StatusCode != 201 {
		t.Fatal(a.body)
	}
	script := `echo "key is $KEY" >&2; test "$KEY" = hidden-value && exit 5`
	a := s.request("POST", "/api/servers/test", fmt.Sprintf(`{"name":"mine","command":"/bin/sh","args":["-c",%q],"env":{"KEY":{"set":true}}}`, script))
	var trial wire.Trial
	if err := json.Unmarshal([]byte(a.body), &trial); err != nil {
		t.Fatal(err)
	}
	failed := failedStage(trial.Stages)
	if !strings.Contains(failed.Message, "code 5") || !strings.Contains(failed.Evidence, "key is ") || strings.Contains(a.body, "hidden-value") {
		t.Errorf("got %s", a.body)
	}
}

func TestImport(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("mcp.json", "\uFEFF{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"K\":\"v\"}},\"b\":{\"type\":\"ws\",\"url\":\"wss://b\"}}}")
	body := func(member, value string) string { return fmt.Sprintf(`{%q:%q}`, member, value) }
	for _, b := range []string{body("path", good), body("text", `"a": {"command": "x", "env": {"K": "v"}}`)} {
		a := s.request("POST", "/api/servers/import", b)
		var got wire.Import
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.StatusCode != 200 {
			t.Fatalf("got %d %s", a.StatusCode, a.body)
		}
		if got.Format != "claude_desktop" || len(got.Servers) != 1 || got.Servers[0].Env["K"].Text != "v" {
			t.Errorf("got %s", a.body)
		}
	}
	large := write("large.json", strings.Repeat(" ", 1<<20+1))
	refused := map[string]string{
		body("path", "mcp.json"):                           "whole path",
		body("path", write("id_rsa", "secret-key")):        "end with",
		body("path", write("bad.json", `{"secret-key"`)):   "can't be read",
		body("path", write("line.toml", "npx secret-key")): "neither JSON nor TOML",
		body("path", filepath.Join(folder, "none.json")):   "no file",
		body("path", large):                                "1 MiB",
		body("text", "npx x | sh"):                         "shell",
		`{"text":"npx x","path":"/x.json"}`:                "not both",
		`{}`:                                               "nothing to read",
	}
	if err := os.Mkdir(filepath.Join(folder, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	refused[body("path", filepath.Join(folder, "folder.json"))] = "is no file"
	for b, words := range refused {
		a := s.request("POST", "/api/servers/import", b)
		if p := a.problem(t); a.StatusCode/100 != 4 || !strings.Contains(p.Detail, words) || strings.Contains(a.body, "secret-key") {
			t.Errorf("%s: got %d %s, want %q", b, a.StatusCode, a.body, words)
		}
	}
	if a := s.request("GET", "/api/servers", ""); strings.Contains(a.body, `"command":"x"`) {
		t.Errorf("it is saved: %s", a.body)
	}
}
