package serverlog

import (
	"fmt"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

const (
	traceMessages = 1000
	traceBytes    = 8 << 20
	traceBody     = 64 << 10
	traceWord     = 256
)

// trace is a ring in memory only: messages hold what people and servers said.
type trace struct {
	entries []model.TraceEntry
	bytes   int
	seq     uint64
	// asked are the requests without an answer, by what the answer will bear.
	asked map[exchange]uint64
	// watchers are replaced, never changed.
	watchers []*watcher
}

// exchange tells requests apart. Servers that keep ids as text send "1" for 1.
type exchange struct {
	conn uint64
	dir  string // of the request
	id   string
}

type watcher struct{ hear func(model.TraceEntry) }

// Trace keeps one message, and finds the request that it answers. body is copied,
// cut and redacted; Seq, Pair, Took, Bytes, Body and Cut of e are set here.
func (l *Log) Trace(server string, e model.TraceEntry, body []byte) {
	e.Bytes = len(body)
	e.Cut = len(body) > traceBody
	if e.Cut {
		// Redact before cutting would cost the whole of a 16 MiB message; a secret
		// that the cut splits is taken out by looking a little further.
		body = body[:min(len(body), traceBody+redactMargin)]
	}
	e.ID, e.Method = l.word(e.ID), l.word(e.Method)
	text := l.opts.Redact(string(body))
	if e.Cut {
		text = text[:min(len(text), traceBody)] + fmt.Sprintf("… (%d bytes in all)", e.Bytes)
	}
	e.Body = text
	s := l.server(server)
	s.mu.Lock()
	e = s.trace.add(e)
	watchers := s.trace.watchers
	s.mu.Unlock()
	for _, w := range watchers {
		w.hear(e)
	}
}

// word bounds an id or a method, which a server may make as long as a message.
func (l *Log) word(text string) string {
	text = l.opts.Redact(text[:min(len(text), traceWord+redactMargin)])
	return text[:min(len(text), traceWord)]
}

// redactMargin is longer than any secret that is likely to be split.
const redactMargin = 8 << 10

// TraceOf returns a server's messages, oldest first; dropped says how many older
// ones were let go.
func (l *Log) TraceOf(server string) (entries []model.TraceEntry, dropped uint64) {
	s := l.server(server)
	s.mu.Lock()
	defer s.mu.Unlock()
	entries = slices.Clone(s.trace.entries)
	return entries, s.trace.seq - uint64(len(entries))
}

// WatchTrace has every further message of a server told to hear, until stop. Those
// that pass at once may come out of order. hear must not block.
func (l *Log) WatchTrace(server string, hear func(model.TraceEntry)) (stop func()) {
	s := l.server(server)
	w := &watcher{hear}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trace.watchers = append(slices.Clip(s.trace.watchers), w)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.trace.watchers = slices.DeleteFunc(slices.Clone(s.trace.watchers), func(other *watcher) bool { return other == w })
	}
}

// Forget drops what is in memory of a server; its file stays until retention.
func (l *Log) Forget(server string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.servers[server]; s != nil {
		s.mu.Lock()
		// Who watches goes on, and sees by the numbers that it begins anew.
		s.tail, s.trace = tail{}, trace{watchers: s.trace.watchers}
		s.mu.Unlock()
	}
}

// add keeps a message and returns it as it is kept.
func (t *trace) add(e model.TraceEntry) model.TraceEntry {
	t.seq++
	e.Seq = t.seq
	key := exchangeOf(e)
	if e.Kind == "response" && e.Method != "" && (key.id == "" || key.id == "null") {
		key = t.waiting(key, e.Method)
	}
	if key.id != "" {
		switch e.Kind {
		case "request":
			if t.asked == nil {
				t.asked = map[exchange]uint64{}
			}
			t.asked[key] = e.Seq
		case "response", "unanswered":
			t.pair(key, &e)
		}
	}
	t.entries = append(t.entries, e)
	t.bytes += len(e.Body)
	for len(t.entries) > traceMessages || t.bytes > traceBytes && len(t.entries) > 1 {
		t.drop()
	}
	return e
}

// waiting is what an answer without an id belongs to, such as the refusal of a server
// that didn't read the request: the one request of that method that waits, if it is one.
func (t *trace) waiting(answer exchange, method string) exchange {
	var found exchange
	for key, seq := range t.asked {
		request := t.entries[seq-t.entries[0].Seq]
		if key.conn != answer.conn || key.dir != answer.dir || request.Method != method || request.Pair != 0 {
			continue
		}
		if found.id != "" {
			return exchange{}
		}
		found = key
	}
	return found
}

// pair joins a response to its request, if that is kept. One that was given up may
// still be answered.
func (t *trace) pair(key exchange, response *model.TraceEntry) {
	seq, ok := t.asked[key]
	if !ok {
		return
	}
	if response.Kind == "response" {
		delete(t.asked, key)
	}
	request := &t.entries[seq-t.entries[0].Seq]
	request.Pair, response.Pair = response.Seq, seq
	request.Took = response.At.Sub(request.At)
	response.Took = request.Took
}

// drop lets the oldest message go.
func (t *trace) drop() {
	oldest := t.entries[0]
	if key := exchangeOf(oldest); t.asked[key] == oldest.Seq {
		delete(t.asked, key)
	}
	t.bytes -= len(oldest.Body)
	t.entries[0] = model.TraceEntry{}
	t.entries = t.entries[1:]
}

// exchangeOf is what a request and its answer have in common.
func exchangeOf(e model.TraceEntry) exchange {
	dir := e.Dir
	if e.Kind == "response" || e.Kind == "unanswered" {
		dir = map[string]string{"in": "out", "out": "in"}[dir]
	}
	return exchange{e.Conn, dir, strings.Trim(e.ID, `"`)}
}
