package hub

import (
	"context"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// maxIncoming bounds what a client may send: it only subscribes to topics.
const maxIncoming = 16 << 10

// Conn is one client's connection.
type Conn struct {
	ws *websocket.Conn
	// backlog is written before queue; only the writer reads it.
	backlog []*websocket.PreparedMessage
	queue   chan *websocket.PreparedMessage

	once   sync.Once
	gone   chan struct{} // closed once the connection is to end
	reason closing
}

type closing struct {
	code int
	text string
}

var (
	closeNormal    = closing{websocket.CloseNormalClosure, ""}
	closeGoingAway = closing{websocket.CloseGoingAway, "shutting down"}
	closeSlow      = closing{websocket.CloseTryAgainLater, "too slow: connect again and resume"}
)

// Send queues a message for this connection alone. It carries no number; one
// that finds the queue full ends the connection.
func (c *Conn) Send(data []byte) { c.enqueue(prepare(data)) }

// Offer queues a message for this connection alone, or reports that the connection
// is too far behind. It is for what the client can read again: the other half of
// the queue stays for news.
func (c *Conn) Offer(data []byte) bool {
	if len(c.queue) > cap(c.queue)/2 {
		return false
	}
	select {
	case c.queue <- prepare(data):
		return true
	default:
		return false
	}
}

// Gone is closed when the connection ends: topics it asked for can be dropped.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

func (c *Conn) enqueue(m *websocket.PreparedMessage) {
	select {
	case c.queue <- m:
	default:
		c.end(closeSlow)
	}
}

// end makes the writer say goodbye and close the socket, which ends the reader.
func (c *Conn) end(why closing) {
	c.once.Do(func() {
		c.reason = why
		close(c.gone)
	})
}

// write owns the socket's writing side. When it returns the socket is closed.
func (c *Conn) write(ctx context.Context, o Options) {
	defer c.ws.Close()
	defer c.end(closeNormal)
	for _, m := range c.backlog {
		if !c.put(m, o.WriteTimeout) {
			return
		}
	}
	c.backlog = nil
	ping := time.NewTicker(o.PingEvery)
	defer ping.Stop()
	for {
		select {
		case m := <-c.queue:
			if !c.put(m, o.WriteTimeout) {
				return
			}
		case <-ping.C:
			if c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(o.WriteTimeout)) != nil {
				return
			}
		case <-ctx.Done():
			c.end(closeGoingAway)
			c.goodbye()
			return
		case <-c.gone:
			c.goodbye()
			return
		}
	}
}

func (c *Conn) put(m *websocket.PreparedMessage, timeout time.Duration) bool {
	select {
	case <-c.gone:
		c.goodbye()
		return false
	default:
	}
	return c.ws.SetWriteDeadline(time.Now().Add(timeout)) == nil && c.ws.WritePreparedMessage(m) == nil
}

func (c *Conn) goodbye() {
	data := websocket.FormatCloseMessage(c.reason.code, c.reason.text)
	// Best effort: the socket closes either way.
	_ = c.ws.WriteControl(websocket.CloseMessage, data, time.Now().Add(time.Second))
}

// read runs until the socket fails or is closed by the writer.
func (c *Conn) read(o Options, onMessage func(*Conn, []byte)) {
	alive := func() error { return c.ws.SetReadDeadline(time.Now().Add(2*o.PingEvery + o.WriteTimeout)) }
	c.ws.SetReadLimit(maxIncoming)
	c.ws.SetPongHandler(func(string) error { return alive() })
	for alive() == nil {
		kind, data, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		if kind == websocket.TextMessage && onMessage != nil {
			onMessage(c, data)
		}
	}
}
