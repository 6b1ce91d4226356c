//go:build real

package real

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// script is the path of a program of an installed package.
func script(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(whole)
	}
	if err != nil {
		t.Fatalf("%v: install the servers first, with `make test-real` or npm ci in test/real", err)
	}
	return whole
}

// package-relative paths of the servers.
const (
	everything  = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
	filesystem  = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
	memory      = "node_modules/@modelcontextprotocol/server-memory/dist/index.js"
	conformance = "github.com/modelcontextprotocol/go-sdk/conformance/everything-server"
)

// node is a server over stdio that Node runs.
func node(t *testing.T, path string, args ...string) kontor.Config {
	t.Helper()
	return kontor.Config{"command": "node", "args": append([]string{script(t, path)}, args...)}
}

// listening is an HTTP server that runs beside the test.
type listening struct {
	address chan string // what it said at first that looks like one
	output  lines
}

// startHTTP runs a server until the test ends and waits until it says address: the
// first match of the pattern in its output.
func startHTTP(t *testing.T, says string, cmd *exec.Cmd) string {
	t.Helper()
	l := &listening{address: make(chan string, 1)}
	pattern := regexp.MustCompile(says)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close() // the process has its own
	var reading sync.WaitGroup
	reading.Go(func() { l.read(read, pattern) })
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		reading.Wait()
		if t.Failed() {
			t.Logf("output of %s:\n%s", cmd, l.output.text())
		}
	})
	select {
	case address := <-l.address:
		return address
	case <-time.After(kontor.Patience):
		t.Fatalf("%s doesn't say that it listens; it said:\n%s", cmd, l.output.text())
		return ""
	}
}

func (l *listening) read(from *os.File, pattern *regexp.Regexp) {
	defer from.Close()
	scanner := bufio.NewScanner(from)
	for scanner.Scan() {
		l.output.add(scanner.Text())
		if found := pattern.FindString(scanner.Text()); found != "" {
			select {
			case l.address <- found:
			default:
			}
		}
	}
}

// freePort is a loopback port that nobody had a moment ago, for servers that don't
// choose one themselves.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
