package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func folder(t *testing.T, files map[string]string) *Set {
	t.Helper()
	dir := t.TempDir()
	for id, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, id), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, id, fileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return New(dir)
}

func ids(list []Agent) []string {
	var out []string
	for _, a := range list {
		out = append(out, a.ID)
	}
	return out
}

func TestBuiltInAgents(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "none"))
	if got, want := ids(s.List()), []string{"main", "researcher", "tic"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for _, a := range s.List() {
		if a.Problem != "" || !a.BuiltIn || a.Name == a.ID || a.Description == "" || a.Groups != nil {
			t.Errorf("got %+v", a.AgentInfo)
		}
		if got, want := strings.Count(a.Prompt, ListTag), map[string]int{"main": 1, "tic": 1}[a.ID]; got != want {
			t.Errorf("%s has the tag %d times, want %d", a.ID, got, want)
		}
		if strings.HasPrefix(a.Prompt, fence) {
			t.Errorf("%s: the front matter is in the prompt", a.ID)
		}
		if !strings.Contains(a.Prompt, "data from strangers") {
			t.Errorf("%s isn't told what strangers say", a.ID)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       string // name|description|model|groups|prompt
		problem    string
	}{
		{"all of it", "---\nname: Bo\ndescription: >-\n  Does\n  things.\nmodel: big\ngroups: [weather, config]\n---\n\n# You\n\n---\nare Bo.\n",
			"Bo|Does things.|big|[weather config]|# You\n\n---\nare Bo.", ""},
		{"no front matter", "You are Bo.", "x|||all|You are Bo.", ""},
		{"an empty one", "---\n---\nYou are Bo.", "x|||all|You are Bo.", ""},
		{"only a comment", "---\n# later\n---\nYou are Bo.", "x|||all|You are Bo.", ""},
		{"BOM and CRLF", "\uFEFF---\r\nname: Bo\r\n---\r\nYou\r\nare Bo.\r\n", "Bo|||all|You\nare Bo.", ""},
		{"no groups at all", "---\ngroups: []\n---\nHi", "x|||[]|Hi", ""},
		{"groups named but empty", "---\nname: Bo\ngroups:\n---\nHi", "", "line 3: groups is a list"},
		{"groups as text", "---\ngroups: all\n---\nHi", "", "line 2: groups is a list"},
		{"groups of lists", "---\ngroups: [[a]]\n---\nHi", "", "line 2: groups is a list"},
		{"a misspelt member", "---\nname: Bo\ngruops: [a]\n---\nHi", "", "line 3: field gruops is unknown: use name, description, model and groups"},
		{"no YAML", "---\nname: [Bo\n---\nHi", "", "front matter: "},
		{"a list", "---\n- a\n---\nHi", "", "front matter: "},
		{"no end", "---\nname: Bo\nHi", "", "the line --- that ends it is missing"},
		{"no prompt", "---\nname: Bo\n---\n\n", "", "there is no prompt"},
		{"too large", strings.Repeat("x", maxFile+1), "", "larger than 64 KiB"},
		{"not text", "\xff\xfe\x00", "", "isn't UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, ok := folder(t, map[string]string{"x": c.text}).Get("x")
			if !ok || a.BuiltIn {
				t.Fatalf("got %+v, %v", a, ok)
			}
			if c.problem != "" {
				if !strings.HasPrefix(a.Problem, "agents/x/AGENT.md: ") || !strings.Contains(a.Problem, c.problem) || strings.Contains(a.Problem, "\n") || a.Prompt != "" {
					t.Errorf("got problem %q and prompt %q, want %q", a.Problem, a.Prompt, c.problem)
				}
				return
			}
			groups := "all"
			if a.Groups != nil {
				groups = fmt.Sprint(a.Groups)
			}
			if got := strings.Join([]string{a.Name, a.Description, a.Model, groups, a.Prompt}, "|"); got != c.want || a.Problem != "" {
				t.Errorf("got %q, problem %q, want %q", got, a.Problem, c.want)
			}
		})
	}
}

func TestAFolderTakesThePlaceOfABuiltInAgent(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{"main": "---\ngroups: [weather]\n---\nMine.", "archivist": "Files things."})
	if got, want := ids(s.List()), []string{"main", "archivist", "researcher", "tic"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if a, _ := s.Get(Main); a.Prompt != "Mine." || a.BuiltIn || !slices.Equal(a.Groups, []string{"weather"}) {
		t.Errorf("got %+v", a)
	}
	if _, ok := s.Get("nobody"); ok {
		t.Error("an agent that nobody wrote is there")
	}
}

// A broken file may have limited the groups: the agent that stands in gets none.
func TestABrokenFileLeavesTheBuiltInAgentWithoutTools(t *testing.T) {
	t.Parallel()
	a, _ := folder(t, map[string]string{"main": "---\ngroups: [weather\n---\nMine."}).Get(Main)
	if !a.BuiltIn || !strings.Contains(a.Prompt, ListTag) || a.Groups == nil || len(a.Groups) != 0 || !strings.Contains(a.Problem, "agents/main/AGENT.md: front matter") {
		t.Errorf("got %+v", a)
	}
}

func TestAnEditedFileHoldsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := New(dir)
	if a, ok := s.Get(Main); !ok || !a.BuiltIn {
		t.Fatalf("got %+v", a)
	}
	if err := os.Mkdir(filepath.Join(dir, Main), 0o700); err != nil {
		t.Fatal(err)
	}
	if a, _ := s.Get(Main); !strings.Contains(a.Problem, "the file is missing") {
		t.Errorf("got %+v", a)
	}
	if err := os.WriteFile(filepath.Join(dir, Main, fileName), []byte("New."), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, _ := s.Get(Main); a.Prompt != "New." || a.Problem != "" {
		t.Errorf("got %+v", a)
	}
}

func TestAFolderWithAnOddNameSaysSo(t *testing.T) {
	t.Parallel()
	a, ok := folder(t, map[string]string{"My Agent": "Hi"}).Get("My Agent")
	if !ok || !strings.Contains(a.Problem, "the agent's id") {
		t.Errorf("got %+v, %v", a, ok)
	}
}

// To open a pipe would have every chat wait.
func TestWhatIsNoFileIsNotOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "x", fileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if a, ok := New(dir).Get("x"); !ok || !strings.Contains(a.Problem, "agents/x/AGENT.md: it isn't a file") {
		t.Errorf("got %+v, %v", a, ok)
	}
}
