package kontor

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binaryVar names a binary that is there already. Main sets it to the one that it
// built, so it is all that tests need to know.
const binaryVar = "KONTOR_BIN"

// Main is for TestMain: it builds the binary, unless KONTOR_BIN names one, runs the
// tests and removes it again. It returns the code to exit with.
func Main(m *testing.M) int {
	if os.Getenv(binaryVar) != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "kontor-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "kontor")
	if err := build(binary, "kontor.dev/kontor/cmd/kontor"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := os.Setenv(binaryVar, binary); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// lookAtSources reads the folders that the binary is built from, and looks at the
// one that is there already: `go test` remembers which files a test looked at, and
// doesn't answer from its cache when they are others now. It can't know what a test
// builds or starts. Tests run in their package's folder, two below the module's.
func lookAtSources(t testing.TB) {
	t.Helper()
	for _, folder := range []string{"cmd", "internal", "migrations", "templates", "assets"} {
		root := filepath.Join("..", "..", folder)
		if err := filepath.WalkDir(root, func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(Binary()); err != nil {
		t.Fatalf("the binary under test: %v", err)
	}
}

// Binary is the path of the binary under test.
func Binary() string { return os.Getenv(binaryVar) }

// Build compiles a program that a test needs beside Kontor, and returns its path.
func Build(t *testing.T, pkg string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), filepath.Base(pkg))
	if err := build(binary, pkg); err != nil {
		t.Fatal(err)
	}
	return binary
}

// build makes the kind of binary that is shipped: static, without the race
// detector, whatever the tests run with.
func build(binary, pkg string) error {
	cmd := exec.Command("go", "build", "-o", binary, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}
