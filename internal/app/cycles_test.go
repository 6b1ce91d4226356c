package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

// A thousand servers are added, edited, switched off and on, and deleted: a quarter
// of them once they work, the others while they still connect. Then no process of theirs is
// left, and as many goroutines and descriptors as before. Nothing else may run
// meanwhile, so this test is not parallel.
func TestAThousandServersComeAndGoAndLeaveNothing(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("there is no /proc to count descriptors and processes in")
	}
	c := &cycles{Kontor: apptest.Start(t, nil), script: scriptServer(t), address: addressServer(t)}
	// What is made once and kept, such as connections to the database, is there
	// after a few.
	c.run(t, 0, 64)
	var before footprint
	alike := 0
	c.Until("rest", func() bool {
		now := measure(t, c.script)
		if alike++; now != before {
			before, alike = now, 0
		}
		return alike == 20 && now.processes == 0
	})
	c.run(t, 64, 1000)
	deadline := time.Now().Add(30 * time.Second)
	after := measure(t, c.script)
	for ; !after.within(before); after = measure(t, c.script) {
		if time.Now().After(deadline) {
			t.Fatalf("left: %+v; before: %+v\n%.4000s\n%.4000s", after, before, openFiles(), stacks())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// footprint is what servers could leave behind.
type footprint struct{ processes, goroutines, descriptors int }

func (f footprint) within(before footprint) bool {
	return f.processes == 0 && f.goroutines <= before.goroutines && f.descriptors <= before.descriptors
}

// measure counts; processes are those that run the script, whoever's children they
// are by now.
func measure(t *testing.T, script string) (f footprint) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if words, _ := os.ReadFile(line); bytes.Contains(words, []byte(script)) {
			f.processes++
		}
	}
	f.goroutines, f.descriptors = runtime.NumGoroutine(), len(open)
	return f
}

// openFiles and stacks say what is left.
func openFiles() string {
	var all strings.Builder
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, link := range links {
		file, _ := os.Readlink(link)
		fmt.Fprintln(&all, file)
	}
	return all.String()
}

func stacks() string {
	var all strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&all, 1)
	return all.String()
}

// cycles take servers through their lives.
type cycles struct {
	*apptest.Kontor
	script, address string
}

// run takes count servers through theirs, from number first on, eight at a time.
func (c *cycles) run(t *testing.T, first, count int) {
	t.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for n := int(next.Add(1)); n <= count && !t.Failed(); n = int(next.Add(1)) {
				if err := c.life(first + n - 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// life is one server's: over stdio, or over HTTP in either era.
func (c *cycles) life(n int) error {
	name := fmt.Sprintf("s%d", n)
	config := func(edition string) map[string]any {
		switch n % 3 {
		case 0:
			return map[string]any{"name": name, "url": c.address + "/modern?" + edition}
		case 1:
			return map[string]any{"name": name, "url": c.address + "/legacy?" + edition}
		}
		return map[string]any{"name": name, "command": "/bin/sh", "args": []string{c.script, edition}}
	}
	ready := func() error { return c.ready(name) }
	if n/3%4 != 0 {
		ready = func() error { return nil }
	}
	path := "/api/servers/" + name
	for _, step := range []func() error{
		func() error { return c.send(http.StatusCreated, "POST", "/api/servers", config("1"), nil) }, ready,
		func() error { return c.send(http.StatusOK, "PUT", path, config("2"), nil) }, ready,
		func() error { return c.send(http.StatusOK, "PATCH", path, map[string]bool{"enabled": false}, nil) },
		func() error { return c.send(http.StatusOK, "PATCH", path, map[string]bool{"enabled": true}, nil) }, ready,
		func() error { return c.send(http.StatusNoContent, "DELETE", path, nil, nil) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (c *cycles) ready(name string) error {
	var s wire.Server
	for deadline := time.Now().Add(30 * time.Second); s.Status.State != model.ServerReady || s.Status.Tools != 1; {
		if time.Now().After(deadline) {
			return fmt.Errorf("not ready within 30 s: %+v", s.Status)
		}
		if err := c.send(http.StatusOK, "GET", "/api/servers/"+name, nil, &s); err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// send is Do for any goroutine.
func (c *cycles) send(want int, method, path string, body, out any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(method, c.URL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+apptest.Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return err
	case res.StatusCode != want:
		return fmt.Errorf("%s %s: status %d, want %d: %s", method, path, res.StatusCode, want, strings.TrimSpace(string(answer)))
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer, out)
}
