package web

import (
	"maps"
	"sync"

	"kontor.dev/kontor/internal/hub"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

// The topics that a connection can ask for, of one server each.
const (
	topicLog   = "log"
	topicTrace = "trace"
)

type topic struct{ kind, server string }

// topics knows which connections watch which server's log and trace.
type topics struct {
	logs Logs

	mu    sync.Mutex
	conns map[topic]map[*hub.Conn]bool // true for one that missed something
	// watching ends the watching of a trace that nobody asks for any more.
	watching map[topic]func()
}

func newTopics(logs Logs) *topics {
	return &topics{logs: logs, conns: map[topic]map[*hub.Conn]bool{}, watching: map[topic]func(){}}
}

// maxTopics bounds what one connection can watch.
const maxTopics = 64

func (t *topics) join(at topic, conn *hub.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	watched := 0
	for _, conns := range t.conns {
		if _, ok := conns[conn]; ok {
			watched++
		}
	}
	if watched >= maxTopics {
		return
	}
	if t.conns[at] == nil {
		t.conns[at] = map[*hub.Conn]bool{}
		if at.kind == topicTrace {
			t.watching[at] = t.logs.WatchTrace(at.server, func(e model.TraceEntry) { t.trace(at, e) })
		}
	}
	t.conns[at][conn] = false
}

func (t *topics) part(at topic, conn *hub.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(at, conn)
}

// leave drops a connection from every topic.
func (t *topics) leave(conn *hub.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for at := range maps.Clone(t.conns) {
		t.drop(at, conn)
	}
}

// drop is called with mu held.
func (t *topics) drop(at topic, conn *hub.Conn) {
	delete(t.conns[at], conn)
	if len(t.conns[at]) > 0 {
		return
	}
	delete(t.conns, at)
	if stop := t.watching[at]; stop != nil {
		delete(t.watching, at)
		stop()
	}
}

// log gives a line to those who watch, encoded only when somebody does.
func (t *topics) log(l model.LogLine) {
	t.mu.Lock()
	defer t.mu.Unlock()
	conns := t.conns[topic{topicLog, l.Server}]
	if len(conns) == 0 {
		return
	}
	data := wire.LogNews(l)
	for conn := range conns {
		conn.Send(data)
	}
}

// trace offers a message to those who watch. A server may send more than a
// browser takes: who is behind isn't cut off for it, and hears that it missed some.
func (t *topics) trace(at topic, e model.TraceEntry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	data := wire.TraceNews(at.server, e)
	for conn, missed := range t.conns[at] {
		if !missed && !conn.Offer(data) {
			t.conns[at][conn] = true
		}
	}
}

// catchUp tells those who missed something, as far as they can take it by now.
func (t *topics) catchUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for at := range t.watching {
		for conn, missed := range t.conns[at] {
			if missed && conn.Offer(wire.TraceMissedNews(at.server)) {
				t.conns[at][conn] = false
			}
		}
	}
}
