// Package watchdog ends child processes that outlive us.
//
// A process that is killed can't clean up behind itself, and what the system
// offers instead doesn't reach far enough: parent-death signals follow threads
// and stop at the first generation. So the same binary runs a second time as a
// watchdog, which holds nothing but the reading end of a pipe. We tell it there
// which process groups live; when the pipe ends, because we ended, it ends them.
//
// It knows process groups and nothing of what runs in them. A process that leaves
// its group by setsid is out of its reach. On Windows it does nothing; job
// objects would be the means there.
package watchdog

import (
	"errors"
	"io"
	"os"
)

// name is argv[0] of the watchdog, by which Main knows it. It is also what ps
// shows, and must not contain the program's own name: `pkill program` is not
// meant to take the watchdog along.
const name = "mcp-watchdog"

// marker is set in the watchdog's environment, so that a program that never
// calls Main fails at Start instead of starting itself without end.
const marker = "MCP_WATCHDOG"

// ErrClosed is what Register answers after Close.
var ErrClosed = errors.New("the watchdog is closed")

var errNoMain = errors.New("watchdog.Main was not called first in main")

// Main is the watchdog's life. It has to be the first thing in main, before
// anything is opened or started, with os.Args: if it answers true, this process
// was the watchdog, has done its work and must exit.
func Main(args []string) (ran bool) {
	if len(args) == 0 || args[0] != name || os.Getenv(marker) == "" {
		return false
	}
	detach()
	endGroups(readGroups(os.Stdin))
	return true
}

// readGroups follows the records, one a line, +pgid or -pgid, until the pipe
// ends, and answers the groups that live then. It allocates next to nothing: the
// watchdog's memory is counted as the program's.
func readGroups(pipe io.Reader) map[int]struct{} {
	groups := map[int]struct{}{}
	var buf [512]byte
	sign, pgid := byte(0), 0
	for {
		n, err := pipe.Read(buf[:])
		for _, c := range buf[:n] {
			switch {
			case c == '+' || c == '-':
				sign, pgid = c, 0
			case '0' <= c && c <= '9':
				pgid = pgid*10 + int(c-'0')
			case sign == '-':
				delete(groups, pgid)
			case sign == '+' && pgid > 1: // kill(-1) would mean everybody
				groups[pgid] = struct{}{}
			}
		}
		if err != nil {
			return groups
		}
	}
}
