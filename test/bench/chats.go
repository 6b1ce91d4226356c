package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// chats is a Kontor whose turns are waited for by its news.
type chats struct {
	*kontor
	conn    *websocket.Conn
	reading sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]chan string // by chat
}

func listenToTurns(ctx context.Context, k *kontor) (*chats, error) {
	header := http.Header{"Authorization": {"Bearer " + token}}
	conn, _, err := websocket.DefaultDialer.DialContext(ctx, "ws"+strings.TrimPrefix(k.url, "http")+"/api/ws", header)
	if err != nil {
		return nil, err
	}
	c := &chats{kontor: k, conn: conn, waiting: map[string]chan string{}}
	c.reading.Go(c.read)
	return c, nil
}

func (c *chats) read() {
	for {
		_, message, err := c.conn.ReadMessage()
		if err != nil {
			return // whoever waits has a limit
		}
		var e struct {
			Type, State string
			SessionID   string `json:"session_id"`
		}
		if json.Unmarshal(message, &e) == nil && e.Type == "turn_done" {
			c.mu.Lock()
			if ended := c.waiting[e.SessionID]; ended != nil {
				ended <- e.State
				delete(c.waiting, e.SessionID)
			}
			c.mu.Unlock()
		}
	}
}

// await returns what tells how the next turn of a chat ended.
func (c *chats) await(id string) <-chan string {
	c.mu.Lock()
	defer c.mu.Unlock()
	ended := make(chan string, 1)
	c.waiting[id] = ended
	return ended
}

func (c *chats) close() {
	_ = c.conn.Close() // reading ends by it
	c.reading.Wait()
}
