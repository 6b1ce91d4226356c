package stdio

import (
	"slices"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// maxErrorLine is the longest line of stderr that a note carries whole.
	maxErrorLine = 64 << 10
	tailLines    = 10
	tailLine     = 1 << 10
)

// readErrors is the life of the reader of stderr. It always reads on: a server
// that floods stderr is never stopped by a full pipe.
func (t *transport) readErrors() {
	defer close(t.errEnded)
	lines := lineReader{source: t.process.stderr, limit: maxErrorLine, keep: maxErrorLine}
	for {
		l, err := lines.next()
		if err != nil {
			return
		}
		if len(l.data) == 0 {
			continue
		}
		t.tail.add(l)
		t.note(wire.NoteStderr, clip(l.data, maxErrorLine, l.size))
	}
}

// tail keeps the last lines that were not blank, shortened.
type tail struct{ kept []string }

func (k *tail) add(l line) {
	if len(k.kept) == tailLines {
		k.kept = slices.Delete(k.kept, 0, 1)
	}
	k.kept = append(k.kept, clip(l.data, tailLine, l.size))
}
