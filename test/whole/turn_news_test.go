package whole

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"kontor.dev/kontor/test/kontor"
)

// news is what Kontor announced on a socket, as far as it must still be so after a
// crash.
type news struct {
	mu       sync.Mutex
	count    int
	messages []string
	calls    map[string]string
}

// counted are the kinds of news that a point may be at: a row is committed, an item
// is there or resolved, a call has begun or ended.
func counted(kind string) bool {
	switch kind {
	case "message_done", "call_started", "call_done", "item_added", "item_resolved", "frame_changed", "turn_started", "turn_done":
		return true
	}
	return false
}

// listen keeps what a Kontor announces until it ends, and calls at with the number of
// each piece of news. The channel is closed when all has been read.
func (n *news) listen(t *testing.T, k *kontor.Kontor, at func(count int)) <-chan struct{} {
	t.Helper()
	conn, res, err := websocket.DefaultDialer.Dial("ws://"+k.Address+"/api/ws", http.Header{"Authorization": {"Bearer " + kontor.Token}})
	if err != nil {
		t.Fatalf("socket: %v, %v", err, res)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer conn.Close()
		for {
			_, message, err := conn.ReadMessage()
			if err != nil {
				return
			}
			if count := n.keep(message); count > 0 {
				at(count)
			}
		}
	}()
	return done
}

// keep returns the number of a piece of news, 0 for what doesn't count.
func (n *news) keep(text []byte) int {
	var m struct {
		Type    string
		Message struct{ ID string }
		Call    struct{ ID, State string }
	}
	if json.Unmarshal(text, &m) != nil || !counted(m.Type) {
		return 0
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.count++
	switch m.Type {
	case "message_done":
		n.messages = append(n.messages, m.Message.ID)
	case "call_done":
		n.calls[m.Call.ID] = m.Call.State
	}
	return n.count
}

// take returns what was announced, and forgets it.
func (n *news) take() (count int, messages []string, calls map[string]string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	count, messages, calls = n.count, n.messages, n.calls
	n.count, n.messages, n.calls = 0, nil, map[string]string{}
	return count, messages, calls
}
