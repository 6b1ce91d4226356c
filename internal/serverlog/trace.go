package serverlog

import (
	"fmt"
	"time"
)

const (
	traceMessages = 1000
	traceBytes    = 8 << 20
	traceBody     = 64 << 10
)

// TraceEntry is one JSON-RPC message.
type TraceEntry struct {
	Seq uint64
	At  time.Time
	// Dir is "in" (from the server) or "out".
	Dir string
	// Kind is "request", "response" or "notification".
	Kind   string
	Method string
	ID     string
	// CallID is the call that the message belongs to, if known.
	CallID string
	// Bytes is the whole message's size; Body is its redacted text, at most
	// 64 KiB of it.
	Bytes int
	Body  string
	Cut   bool
}

// trace is a ring in memory only: messages hold what people and servers said.
type trace struct {
	entries []TraceEntry
	bytes   int
	seq     uint64
}

// Trace keeps one message. body is copied, cut and redacted; Seq, Bytes, Body
// and Cut of e are set here.
func (l *Log) Trace(server string, e TraceEntry, body []byte) {
	e.Bytes = len(body)
	e.Cut = len(body) > traceBody
	if e.Cut {
		// Redact before cutting would cost the whole of a 16 MiB message; a secret
		// that the cut splits is taken out by looking a little further.
		body = body[:min(len(body), traceBody+redactMargin)]
	}
	text := l.opts.Redact(string(body))
	if e.Cut {
		text = text[:min(len(text), traceBody)] + fmt.Sprintf("… (%d bytes in all)", e.Bytes)
	}
	e.Body = text
	s := l.server(server)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trace.add(e)
}

// redactMargin is longer than any secret that is likely to be split.
const redactMargin = 8 << 10

// TraceOf returns a server's messages, oldest first.
func (l *Log) TraceOf(server string) []TraceEntry {
	s := l.server(server)
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]TraceEntry(nil), s.trace.entries...)
}

// Forget drops what is in memory of a server; its file stays until retention.
func (l *Log) Forget(server string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.servers[server]; s != nil {
		s.mu.Lock()
		_ = s.file.close()
		s.tail, s.trace = tail{}, trace{}
		s.mu.Unlock()
	}
}

func (t *trace) add(e TraceEntry) {
	t.seq++
	e.Seq = t.seq
	t.entries = append(t.entries, e)
	t.bytes += len(e.Body)
	for len(t.entries) > traceMessages || t.bytes > traceBytes && len(t.entries) > 1 {
		t.bytes -= len(t.entries[0].Body)
		t.entries[0] = TraceEntry{}
		t.entries = t.entries[1:]
	}
}
