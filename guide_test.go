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
	listed, err := exec.Command("git", "grep", "-hoE", "^func Test[A-Za-z0-9_]+", "--", "*_test.go").Output()
	if err != nil {
		t.Skip("no git checkout: ", err)
	}
	have := map[string]bool{}
	for _, line := range strings.Split(string(listed), "\n") {
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
