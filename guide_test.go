package kontor

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The guide names the test of each promise: a test that is renamed or gone must not
// be promised any more.
func TestTheGuideNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("docs/guide/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, line := range grep(t, "^func Test[A-Za-z0-9_]+", "*_test.go") {
		have[strings.TrimPrefix(line, "func ")] = true
	}
	named := regexp.MustCompile("`(Test[A-Za-z0-9_]+|[a-z0-9-]+\\.txtar)`").FindAllStringSubmatch(string(guide), -1)
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, n := range named {
		if name := n[1]; strings.HasSuffix(name, ".txtar") {
			if _, err := os.Stat(filepath.Join("internal/mcp/client/testdata", name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if !have[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// A warning is a code and words: what to make of it is in the guide.
func TestTheGuideExplainsEveryWarning(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("docs/guide/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	constants := grep(t, `\b([wW]arn[A-Z][A-Za-z]*|CodeMoved) *= *"[a-z_]+"`, "internal/*.go", ":!*_test.go")
	if len(constants) < 30 {
		t.Errorf("only %d warnings are found", len(constants))
	}
	for _, c := range constants {
		if code := strings.Split(c, `"`)[1]; !strings.Contains(string(guide), "\n| `"+code+"` |") {
			t.Errorf("%s is not in docs/guide/errors.md", code)
		}
	}
}

// grep returns what a pattern matches in the files of the checkout.
func grep(t *testing.T, pattern string, files ...string) []string {
	t.Helper()
	found, err := exec.Command("git", append([]string{"grep", "-hoE", pattern, "--"}, files...)...).Output()
	if err != nil {
		t.Skip("no git checkout: ", err)
	}
	return strings.Split(strings.TrimSpace(string(found)), "\n")
}
