package kontor

import (
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// Events is a socket's stream of news, from the moment of Listen on.
type Events struct {
	conn *websocket.Conn
	done chan struct{}

	mu  sync.Mutex
	all []string
}

// Listen opens a socket and keeps every message until the test ends.
func (k *Kontor) Listen() *Events {
	k.t.Helper()
	header := http.Header{"Authorization": {"Bearer " + Token}}
	conn, res, err := websocket.DefaultDialer.Dial("ws://"+k.Address+"/api/ws", header)
	if err != nil {
		k.t.Fatalf("socket: %v, %v", err, res)
	}
	e := &Events{conn: conn, done: make(chan struct{})}
	go e.read()
	k.t.Cleanup(func() { _ = conn.Close(); <-e.done })
	Poll(k.t, Patience, "hello on the socket", func() bool { return e.Text() != "" })
	return e
}

func (e *Events) read() {
	defer close(e.done)
	for {
		_, message, err := e.conn.ReadMessage()
		if err != nil {
			return
		}
		e.mu.Lock()
		e.all = append(e.all, string(message))
		e.mu.Unlock()
	}
}

// Watch asks for the lines of a server's log.
func (e *Events) Watch(server string) error {
	return e.conn.WriteJSON(map[string]string{"type": "subscribe", "topic": "log", "server": server})
}

// Text is every message so far, a line each.
func (e *Events) Text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.all, "\n")
}
