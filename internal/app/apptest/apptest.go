// Package apptest starts whole Kontors for tests: the real parts, on a folder and
// a port of their own, with the bundled demo server run by the test's binary.
package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/bundled"
	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/mcp/watchdog"
)

// Main is for TestMain: the test's binary is also the watchdog and the bundled
// servers, as the real one is.
func Main(m *testing.M) int {
	if watchdog.Main(os.Args) {
		return 0
	}
	if len(os.Args) == 3 && os.Args[1] == "server" {
		err := bundled.Run(context.Background(), os.Args[2], bundled.Options{
			Version: "test", Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	return m.Run()
}

// Token is the full-access token of every Kontor that Start starts.
const Token = "apptest-token"

// Kontor is a running one.
type Kontor struct {
	*app.App
	URL    string
	Config config.Config

	t    testing.TB
	stop func() error
}

// Start runs a Kontor until the test ends. change may alter its configuration: its
// Data is a folder that is made when missing.
func Start(t testing.TB, change func(*config.Config)) *Kontor {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config{Data: dataFolder(t), Listen: "127.0.0.1:0", Secrets: config.Secrets{APIToken: Token}}
	if change != nil {
		change(&c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a, err := app.New(ctx, app.Options{Config: c, Version: "test", Executable: executable})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	stopped := false
	k := &Kontor{App: a, URL: "http://" + a.Addr(), Config: c, t: t, stop: func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-ended
	}}
	t.Cleanup(func() {
		if err := k.Stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return k
}

// Stop ends it and waits; the test may go on with its folder.
func (k *Kontor) Stop() error { return k.stop() }

// dataFolder is short: a socket's path may have little more than a hundred
// characters, and a test's own folder bears the test's name.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kontor")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Do sends body as JSON, when it isn't nil, and decodes the answer into out, when
// that isn't nil. It returns the status.
func (k *Kontor) Do(method, path string, body, out any) int {
	k.t.Helper()
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			k.t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, k.URL+path, in)
	if err != nil {
		k.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.t.Fatal(err)
	}
	defer res.Body.Close()
	if out == nil {
		return res.StatusCode
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		k.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode
}

// Until polls until done says so, and fails the test after 30 s.
func (k *Kontor) Until(what string, done func() bool) {
	k.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			k.t.Fatalf("waited 30 s for %s", what)
		}
	}
}
