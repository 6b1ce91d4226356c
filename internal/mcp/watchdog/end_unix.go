//go:build unix

package watchdog

import (
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"kontor.dev/kontor/internal/mcp/pages"
)

const (
	// termGrace is how long groups may take after SIGTERM.
	termGrace = 2 * time.Second
	// lookEvery is how often it is seen whether they are gone.
	lookEvery = 20 * time.Millisecond
)

// detach makes the process deaf to the signals that end its parent: a service
// manager sends SIGTERM to all processes of a service at once.
func detach() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	// Executed as /proc/self/exe it would be called "exe" in top; on other
	// systems there is no such file.
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0)
	// What starting up took is never used again.
	debug.FreeOSMemory()
	pages.Drop()
}

// endGroups ends groups: SIGTERM, termGrace, SIGKILL. A group that is seen to be
// gone is left alone from then on: its number may soon be someone else's.
func endGroups(groups map[int]struct{}) {
	signalAll(groups, syscall.SIGTERM)
	for until := time.Now().Add(termGrace); time.Now().Before(until); time.Sleep(lookEvery) {
		signalAll(groups, 0)
		if len(groups) == 0 {
			return
		}
	}
	signalAll(groups, syscall.SIGKILL)
}

func signalAll(groups map[int]struct{}, s syscall.Signal) {
	for pgid := range groups {
		if errors.Is(syscall.Kill(-pgid, s), syscall.ESRCH) {
			delete(groups, pgid)
		}
	}
}
