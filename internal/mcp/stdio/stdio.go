// Package stdio runs an MCP server as a child process and carries messages over
// its standard input and output, one JSON text a line (specification, basic/
// transports "stdio").
//
// It owns the process from exec to reaping, with everything that the process
// starts in its group, and the framing. It knows no method, keeps no log and
// never starts a process again: whoever dials decides that.
package stdio

import (
	"context"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// DefaultMaxLine is the longest line that is taken from a server, in bytes.
const DefaultMaxLine = 16 << 20

// Options say what to run and how.
type Options struct {
	// Command is a name that is looked for in the PATH of Env, or a path,
	// relative to Dir when it isn't absolute. No shell reads it or Args.
	Command string
	Args    []string
	// Dir is the working directory; empty is ours.
	Dir string
	// Env is the whole environment, as KEY=value; BaseEnv makes a sensible one.
	Env []string
	// MaxLine is the longest line taken from the server; 0 is DefaultMaxLine.
	MaxLine int
	// Guard hears of every process group that lives; nil for none.
	Guard Guard
	// EOFGrace is how long the server may take to exit after its input ended,
	// TermGrace how long its group may take after SIGTERM. 0 is 2 s each.
	EOFGrace, TermGrace time.Duration
}

// Guard is told of the process groups that have to end should we die without
// ending them ourselves.
type Guard interface {
	// Register adds a group right after its leader was started. Its error ends
	// the leader at once: no server runs unguarded.
	Register(pgid int) error
	// Release drops a group when nothing in it lives any more and, where the
	// system allows it, before its number can be given out again.
	Release(pgid int)
}

// Dialer starts the process anew each time it is called. It returns when exec
// succeeded, which says nothing about whether the server will ever answer. ctx
// ends the dialling, not the process: that is what Close is for.
func Dialer(o Options) wire.Dialer {
	if o.MaxLine == 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.EOFGrace == 0 {
		o.EOFGrace = 2 * time.Second
	}
	if o.TermGrace == 0 {
		o.TermGrace = 2 * time.Second
	}
	return func(ctx context.Context, r wire.Receiver) (wire.Transport, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return open(o, r)
	}
}
