// Package kontor has no code: this test holds the house rules that the compiler
// doesn't.
package kontor

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "kontor.dev/kontor/"

// layers maps a package (or the first segments of its path) to its layer. A
// package imports lower layers only; see docs/adr and the README.
func layers() map[string]int {
	return map[string]int{
		"internal/model": 0, "migrations": 0, "assets": 0,
		"internal/config": 1, "internal/store": 1, "internal/secret": 1, "internal/netguard": 1,
		"internal/mcp": 1, "internal/oauth": 1, "internal/llm": 1, "internal/media": 1,
		"internal/serverlog": 1, "internal/bus": 1, "internal/hub": 1, "templates": 1, "internal/tokens": 1,
		"internal/catalogue": 2, "internal/servers": 2, "internal/calls": 2, "internal/policy": 2,
		"internal/inbox": 2, "internal/trigger": 2, "internal/schedule": 2, "internal/agent": 2,
		"internal/gateway": 2, "internal/models": 2,
		"internal/web": 3,
		"internal/app": 4,
		"cmd":          5, "test": 5,
	}
}

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Standard     bool
}

func list(t *testing.T) []listed {
	t.Helper()
	// Without the profile: with it, each package is listed as one of the program.
	out, err := exec.Command("go", "list", "-pgo=off", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// group is the layered unit that a package belongs to: `internal/mcp/stdio` is
// part of `internal/mcp`.
func group(path string) string {
	path = strings.TrimPrefix(path, module)
	for g := range layers() {
		if path == g || strings.HasPrefix(path, g+"/") {
			return g
		}
	}
	return path
}

// forbidden says why a package must not import another, or "".
func forbidden(from, to string) string {
	if !strings.HasPrefix(to, module) {
		return ""
	}
	fromGroup, toGroup := group(from), group(to)
	switch {
	case strings.HasPrefix(fromGroup, "internal/bundled"):
		return bundled(strings.TrimPrefix(from, module), strings.TrimPrefix(to, module))
	case strings.HasPrefix(toGroup, "internal/bundled"):
		if fromGroup == "internal/app" || fromGroup == "cmd" || fromGroup == "test" {
			return ""
		}
		return "bundled servers are started as processes, not imported"
	case fromGroup == toGroup:
		return ""
	case fromGroup == "internal/mcp":
		return "mcp imports nothing of ours"
	}
	fromLayer, known := layers()[fromGroup]
	if !known {
		return "the package has no layer: add it to layers()"
	}
	toLayer, known := layers()[toGroup]
	if !known {
		return "the imported package has no layer: add it to layers()"
	}
	if toLayer >= fromLayer {
		return "a package imports lower layers only, never a sibling"
	}
	return ""
}

// bundled servers stand alone but for their kit; the list of them imports all.
func bundled(from, to string) string {
	if from == "internal/bundled" || to == "internal/bundled/kit" || strings.HasPrefix(to, from+"/") {
		return ""
	}
	return "a bundled server imports internal/bundled/kit only"
}

func TestPackagesImportLowerLayersOnly(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		if !strings.HasPrefix(p.ImportPath, module) {
			continue
		}
		for _, to := range p.Imports {
			if why := forbidden(p.ImportPath, to); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, to, why)
			}
		}
	}
}

// The domain's words, and what could be lifted out, depend on nothing of ours;
// the words not even on anything outside the standard library.
func TestModelImportsTheStandardLibraryOnly(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		if p.ImportPath != module+"internal/model" {
			continue
		}
		for _, to := range slices.Concat(p.Imports, p.TestImports) {
			if strings.Contains(strings.SplitN(to, "/", 2)[0], ".") && !strings.HasPrefix(to, module+"internal/model") {
				t.Errorf("model imports %s", to)
			}
		}
		return
	}
	t.Error("model is not listed")
}

func TestForbiddenEdgesAreSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"internal/store", "internal/model", true},
		{"internal/store", "internal/secret", false},
		{"internal/model", "internal/store", false},
		{"internal/mcp/client", "internal/mcp/wire", true},
		{"internal/mcp/client", "internal/model", false},
		{"internal/servers", "internal/mcp/client", true},
		{"internal/servers", "internal/inbox", false},
		{"internal/web/wire", "internal/model", true},
		{"internal/app", "internal/web", true},
		{"internal/calls", "internal/web", false},
		{"internal/bundled/demo", "internal/bundled/kit", true},
		{"internal/bundled/demo", "internal/model", false},
		{"internal/bundled", "internal/bundled/demo", true},
		{"internal/web", "internal/bundled/demo", false},
		{"cmd/kontor", "internal/bundled", true},
		{"internal/new", "internal/model", false},
	} {
		if why := forbidden(module+c.from, module+c.to); (why == "") != c.ok {
			t.Errorf("%s imports %s: got %q, want allowed %v", c.from, c.to, why, c.ok)
		}
	}
}
