package web

import (
	"sync"

	"kontor.dev/kontor/internal/hub"
)

// topics knows which connections watch which server's log.
type topics struct {
	mu  sync.Mutex
	log map[string]map[*hub.Conn]struct{}
}

func newTopics() *topics { return &topics{log: map[string]map[*hub.Conn]struct{}{}} }

// maxTopics bounds what one connection can watch.
const maxTopics = 64

func (t *topics) join(server string, conn *hub.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	watched := 0
	for _, conns := range t.log {
		if _, ok := conns[conn]; ok {
			watched++
		}
	}
	if watched >= maxTopics {
		return
	}
	if t.log[server] == nil {
		t.log[server] = map[*hub.Conn]struct{}{}
	}
	t.log[server][conn] = struct{}{}
}

func (t *topics) part(server string, conn *hub.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(server, conn)
}

// leave drops a connection from every topic.
func (t *topics) leave(conn *hub.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for server := range t.log {
		t.drop(server, conn)
	}
}

// drop is called with mu held.
func (t *topics) drop(server string, conn *hub.Conn) {
	delete(t.log[server], conn)
	if len(t.log[server]) == 0 {
		delete(t.log, server)
	}
}

// send gives a line to those who watch, encoded only when somebody does.
func (t *topics) send(server string, encode func() []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.log[server]) == 0 {
		return
	}
	data := encode()
	for conn := range t.log[server] {
		conn.Send(data)
	}
}
