package kontor

import (
	"fmt"
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
