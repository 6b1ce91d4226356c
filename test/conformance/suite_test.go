//go:build conformance

package conformance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outcome is how one scenario ended.
type outcome struct {
	checks []check
	// printed is the driver's last word, said what it wrote to stderr.
	printed, said string
}

// check is one of the suite's.
type check struct {
	ID, Name, Status, Description, ErrorMessage string
}

// count tells how many checks ended so.
func (o outcome) count(status string) (n int) {
	for _, c := range o.checks {
		if c.Status == status {
			n++
		}
	}
	return n
}

// installed is where npm put the suite and the Node.js that it needs.
const installed = "node_modules/.bin"

// runSuite runs all client scenarios of a revision, each with a driver of its own, and
// returns how they ended.
func runSuite(t *testing.T, revision, driver string) map[string]outcome {
	t.Helper()
	bin, err := filepath.Abs(installed)
	if err != nil {
		t.Fatal(err)
	}
	suite := filepath.Join(bin, "conformance")
	if _, err := os.Stat(suite); err != nil {
		t.Fatalf("%v: install the suite first, with `make test-conformance` or npm ci in test/conformance", err)
	}
	out := t.TempDir()
	which := []string{"--requirements", revision}
	if revision == backcompat {
		which = []string{"--suite", backcompat}
	}
	cmd := exec.CommandContext(t.Context(), suite, append([]string{"client", "--command", driver, "--output-dir", out}, which...)...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	said, err := cmd.CombinedOutput()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the suite said:\n%s", said)
		}
	})
	// It exits with an error for as long as a scenario fails; what counts are the
	// checks.
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return outcomes(t, out)
}

// when is what the suite adds to a scenario's name for its folder.
var when = regexp.MustCompile(`-\d{4}-\d\d-\d\dT[0-9-]+Z$`)

func outcomes(t *testing.T, dir string) map[string]outcome {
	t.Helper()
	all := map[string]outcome{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.Name() != "checks.json" {
			return err
		}
		folder := filepath.Dir(path)
		name, err := filepath.Rel(dir, folder)
		if err != nil {
			return err
		}
		var o outcome
		if err := json.Unmarshal(content(t, path), &o.checks); err != nil {
			return err
		}
		o.printed = strings.TrimSpace(string(content(t, filepath.Join(folder, "stdout.txt"))))
		o.said = strings.TrimSpace(string(content(t, filepath.Join(folder, "stderr.txt"))))
		all[when.ReplaceAllString(filepath.ToSlash(name), "")] = o
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
