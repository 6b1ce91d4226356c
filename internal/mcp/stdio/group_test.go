//go:build unix

package stdio_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
)

// Whatever becomes of the launcher, what it started goes too.
func TestGrandchildrenEndWithTheLauncher(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ mode, end string }{
		"launcher that waits, on Close":         {"wait", "close"},
		"launcher killed":                       {"wait", "kill"},
		"launcher that leaves":                  {"leave", ""},
		"grandchild without our pipes, Close":   {"daemon", "close"},
		"grandchild without our pipes, by kill": {"daemon", "kill"},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := fake(t, "family", nil, test.mode)
			child := p.child()
			switch test.end {
			case "close":
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			case "kill":
				_ = syscall.Kill(p.pid(), syscall.SIGKILL)
			}
			_ = p.ended()
			eventually(t, "the grandchild is gone", func() bool { return !alive(child) })
		})
	}
}

func TestAGrandchildThatLeftTheGroupHoldsNobodyAndIsNamed(t *testing.T) {
	t.Parallel()
	p := fake(t, "family", nil, "setsid")
	child := p.child()
	defer func() { _ = syscall.Kill(child, syscall.SIGKILL) }()
	start := time.Now()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("Close took %v", took)
	}
	p.noted(wire.NoteLifecycle, "has left its process group")
}

func TestFiftyRestartsLeaveNothing(t *testing.T) {
	// Not parallel: it counts the descriptors of this process.
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("needs /proc")
	}
	run := func() int {
		p := fake(t, "family", func(o *stdio.Options) { o.EOFGrace = time.Millisecond }, "wait")
		child := p.child()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if alive(p.pid()) {
			t.Errorf("process %d is left", p.pid())
		}
		eventually(t, "the grandchild is gone", func() bool { return !alive(child) })
		return p.pid()
	}
	run() // the poller and the like are made on first use
	before := descriptors(t)
	for range 50 {
		if pid := run(); exists(pid) {
			t.Errorf("process %d is a zombie", pid)
		}
	}
	if after := descriptors(t); after > before {
		t.Errorf("descriptors: %d before, %d after", before, after)
	}
}

// guard remembers what it was told, and in what state the group was then.
type guard struct {
	mu     sync.Mutex
	events []string
	refuse error
}

func (g *guard) Register(pgid int) error { return g.add("register", pgid) }
func (g *guard) Release(pgid int)        { _ = g.add("release", pgid) }

func (g *guard) add(event string, pgid int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.events = append(g.events, fmt.Sprintf("%s alive=%t exists=%t", event, alive(pgid), exists(pgid)))
	return g.refuse
}

func TestTheGuardHearsOfAGroupWhileItsNumberIsTaken(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("needs /proc, and a wait that doesn't reap")
	}
	var g guard
	p := fake(t, "silent", func(o *stdio.Options) { o.Guard = &g })
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	got := strings.Join(g.events, "; ")
	if want := "register alive=true exists=true; release alive=false exists=true"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

func TestNoServerRunsUnguarded(t *testing.T) {
	t.Parallel()
	g := guard{refuse: errors.New("no guard")}
	_, err := stdio.Dialer(stdio.Options{Command: os.Args[0], Env: []string{fakeVar + "=hang"}, Guard: &g})(t.Context(), wire.Receiver{})
	if !errors.Is(err, g.refuse) {
		t.Errorf("want the guard's error, got %v", err)
	}
}

var pidInNote = regexp.MustCompile(`process (\d+)$`)

func (p *peer) pid() int {
	pid, _ := strconv.Atoi(pidInNote.FindStringSubmatch(p.noted(wire.NoteLifecycle, "started"))[1])
	return pid
}

// child is the pid that the fake "family" says first.
func (p *peer) child() int {
	p.t.Helper()
	pid, err := strconv.Atoi(string(p.message(0).Message.Params))
	if err != nil {
		p.t.Fatal(err)
	}
	return pid
}

func exists(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// alive counts a zombie out: it has ended, and whoever inherited it will reap it.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		_, noProc := os.Stat("/proc/self")
		return noProc != nil && exists(pid)
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
