package serverlog

import "kontor.dev/kontor/internal/model"

// tail holds a server's latest lines, oldest first, within two bounds.
type tail struct {
	lines   []model.LogEntry
	bytes   int
	dropped int
}

func (t *tail) add(e model.LogEntry) {
	t.lines = append(t.lines, e)
	t.bytes += len(e.Text)
	for len(t.lines) > tailLines || t.bytes > tailBytes && len(t.lines) > 1 {
		t.bytes -= len(t.lines[0].Text)
		t.lines[0] = model.LogEntry{}
		t.lines = t.lines[1:]
		t.dropped++
	}
}

func (t *tail) last(n int) ([]model.LogEntry, int) {
	from := max(0, len(t.lines)-n)
	return append([]model.LogEntry(nil), t.lines[from:]...), t.dropped
}
