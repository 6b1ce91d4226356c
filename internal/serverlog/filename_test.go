package serverlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFileNamesAreTwoOnAnyFileSystem(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, want := range map[string]string{
		"github": "github.log", "a.b_c-9": "a.b_c-9.log", "a b/c": "a_b_c.log", "..": "...log",
		"GitHub": "+git+hub.log", "Github": "+github.log", "gitHub": "git+hub.log",
		"con": "con+.log", "nul.v2": "nul+.v2.log", "com1": "com1+.log", "LPT9": "+l+p+t9.log", "AUX": "+a+u+x.log",
		"console": "console.log", "a.con": "a.con.log", "com": "com.log", "com10": "com10.log",
	} {
		got := FileName(name)
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if other, taken := seen[strings.ToLower(got)]; taken {
			t.Errorf("%s and %s share %s", name, other, got)
		}
		seen[strings.ToLower(got)] = name
	}
}

func TestServersThatDifferInCaseHaveLogsOfTheirOwn(t *testing.T) {
	t.Parallel()
	l, dir := newLog(t)
	l.Write("Files", "stderr", "upper")
	l.Write("files", "stderr", "lower")
	for file, want := range map[string]string{"+files.log": "upper\n", "files.log": "lower\n"} {
		if data, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.HasSuffix(string(data), want) {
			t.Errorf("%s holds %q, want one line %q: %v", file, data, want, err)
		}
	}
}
