// Package serverlog keeps what each server said outside of its answers: one
// rotating log file per server, its latest lines in memory, and the latest
// JSON-RPC messages. Everything passes the redactor before it is kept.
package serverlog

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

const (
	// rotateAt is the size at which a file becomes `.log.1`.
	rotateAt = 5 << 20
	// tailLines and tailBytes bound what is kept in memory per server.
	tailLines = 2000
	tailBytes = 1 << 20
	// maxText bounds one line; what is cut is said in place.
	maxText = 64 << 10
)

// Options wires a Log.
type Options struct {
	// Dir holds one file per server; it is made with mode 0700.
	Dir string
	// Redact takes known secrets out of a text. Required.
	Redact func(string) string
	// Publish, if set, hears every line.
	Publish func(model.LogLine)
}

// Log is the logs and traces of all servers.
type Log struct {
	opts Options

	mu      sync.Mutex
	servers map[string]*serverLog
}

// Open makes the folder.
func Open(o Options) (*Log, error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("log folder: %w", err)
	}
	return &Log{opts: o, servers: map[string]*serverLog{}}, nil
}

// serverLog is one server's; its own lock, so that servers don't wait for each
// other's disk.
type serverLog struct {
	mu    sync.Mutex
	path  string
	tail  tail
	trace trace
}

func (l *Log) server(name string) *serverLog {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.servers[name]
	if s == nil {
		s = &serverLog{path: filepath.Join(l.opts.Dir, FileName(name))}
		l.servers[name] = s
	}
	return s
}

// Write adds one line. tag is "stderr", "lifecycle", "not_protocol" or an MCP
// level. A disk that takes no more keeps the lines in memory and says so there.
func (l *Log) Write(server, tag, text string) {
	e := model.LogEntry{At: time.Now().UTC(), Tag: tag, Text: cut(l.opts.Redact(text))}
	s := l.server(server)
	s.mu.Lock()
	err := write(s.path, e)
	s.tail.add(e)
	if err != nil {
		s.tail.add(model.LogEntry{At: e.At, Tag: "lifecycle", Text: "this log can't be written to disk: " + err.Error()})
	}
	s.mu.Unlock()
	if l.opts.Publish != nil {
		l.opts.Publish(model.LogLine{Server: server, Line: e})
	}
}

// Tail returns up to n of the latest lines, oldest first; dropped says how many
// older ones are in memory no more (they may still be in the file).
func (l *Log) Tail(server string, n int) (lines []model.LogEntry, dropped int) {
	s := l.server(server)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tail.last(n)
}

func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return fmt.Sprintf("%s… (%d more bytes cut)", text[:maxText], len(text)-maxText)
}
