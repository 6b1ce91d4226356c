package main

import (
	"io"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

// loop is the bare fan-out: it writes a message, encoded once, to one socket after
// the other.
type loop struct {
	mu    sync.Mutex
	conns []*websocket.Conn
}

func newLoop() http.Handler {
	l := &loop{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/ws", l.join)
	mux.HandleFunc("POST /send", l.send)
	return mux
}

func (l *loop) join(w http.ResponseWriter, r *http.Request) {
	conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, conn)
}

func (l *loop) send(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	message, err := websocket.NewPreparedMessage(websocket.TextMessage, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.conns {
		if err := conn.WritePreparedMessage(message); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
}
