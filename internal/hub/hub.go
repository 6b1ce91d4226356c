// Package hub fans messages out to WebSocket connections. It numbers them,
// keeps the latest for those who come back, and gives up on connections that
// don't keep up, so that no one waits for anyone. What the bytes mean, and who
// may connect, is the caller's business.
package hub

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Options sets the hub's bounds; zero fields get the defaults named here.
type Options struct {
	// Build is told to clients in hello, so that a tab of an older build can
	// say so.
	Build string
	// HistoryBytes and HistoryMessages bound what a client can resume from:
	// 4 MiB and 4096.
	HistoryBytes, HistoryMessages int
	// KeepFor is how long messages are kept for the last one who left, 10 min. With
	// nobody there and nobody expected back none is even encoded.
	KeepFor time.Duration
	// Queue is how many messages a connection may be behind before it is cut
	// off: 256.
	Queue int
	// PingEvery is the time between pings, 25 s. A connection that shows no sign
	// of life for two of them and WriteTimeout (10 s) is dead.
	PingEvery, WriteTimeout time.Duration
}

func (o Options) withDefaults() Options {
	set := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	set(&o.HistoryBytes, 4<<20)
	set(&o.HistoryMessages, 4096)
	set(&o.Queue, 256)
	if o.KeepFor == 0 {
		o.KeepFor = 10 * time.Minute
	}
	if o.PingEvery == 0 {
		o.PingEvery = 25 * time.Second
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 10 * time.Second
	}
	return o
}

// Hub is one numbered stream of messages and those who listen to it.
type Hub struct {
	opts  Options
	epoch string

	mu      sync.Mutex
	seq     uint64
	history history
	conns   map[*Conn]struct{}
	left    time.Time // when somebody last left; zero when nobody ever did
	closed  bool
	serving sync.WaitGroup
}

// New makes a hub with an epoch of its own: numbers of another hub, such as one
// before a restart, mean nothing to it.
func New(o Options) *Hub {
	o = o.withDefaults()
	return &Hub{
		opts:    o,
		epoch:   rand.Text(),
		history: history{maxBytes: o.HistoryBytes, maxMessages: o.HistoryMessages},
		conns:   map[*Conn]struct{}{},
	}
}

// control is a message of the hub itself. Seq is the number of the latest
// message at that moment; what follows has higher ones (or, after a resume,
// those after the client's own).
type control struct {
	Type  string `json:"type"`
	Epoch string `json:"epoch"`
	Seq   uint64 `json:"seq"`
	Build string `json:"build,omitempty"`
}

// control is called with mu held.
func (h *Hub) control(kind string) *websocket.PreparedMessage {
	data, err := json.Marshal(control{Type: kind, Epoch: h.epoch, Seq: h.seq, Build: h.opts.Build})
	if err != nil {
		panic(err) // strings and a number
	}
	return prepare(data)
}

// Broadcast gives the next number to encode and sends what it returns to every
// connection; when that is nil nothing is sent and the number stays free. encode runs
// once, or not at all when nobody is there to hear it, under the hub's lock: it must be
// quick and must not call the hub.
func (h *Hub) Broadcast(encode func(seq uint64) []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	if len(h.conns) == 0 && time.Since(h.left) > h.opts.KeepFor {
		h.seq++
		h.history.clear() // who comes back after all must resync
		return
	}
	data := encode(h.seq + 1)
	if data == nil {
		return
	}
	h.seq++
	h.history.add(h.seq, data)
	if len(h.conns) == 0 {
		return // a frame is dearer than the message
	}
	m := prepare(data)
	for c := range h.conns {
		c.enqueue(m)
	}
}

// Resync tells every connection, and whoever comes back later, that messages
// are missing from the stream: each must read the state anew.
func (h *Hub) Resync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.history.clear()
	m := h.control("resync")
	for c := range h.conns {
		c.enqueue(m)
	}
}

// Serve runs one connection until it ends, ctx is done or the hub closes, and
// closes it. since is the `EPOCH:SEQ` that the client saw last, or empty.
// onMessage, if any, takes what the client sends, one message at a time.
func (h *Hub) Serve(ctx context.Context, ws *websocket.Conn, since string, onMessage func(*Conn, []byte)) {
	c := &Conn{ws: ws, queue: make(chan *websocket.PreparedMessage, h.opts.Queue), gone: make(chan struct{})}
	if !h.join(c, since) {
		ws.Close()
		return
	}
	defer h.serving.Done()
	var writer sync.WaitGroup
	writer.Go(func() { c.write(ctx, h.opts) })
	c.read(h.opts, onMessage)
	c.end(closeNormal)
	writer.Wait()
	h.mu.Lock()
	delete(h.conns, c)
	h.left = time.Now()
	h.mu.Unlock()
}

// join queues the greeting and the missed messages in one step with joining, so
// that nothing falls between them.
func (h *Hub) join(c *Conn, since string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.serving.Add(1)
	c.backlog = append(c.backlog, h.control("hello"))
	if since != "" {
		missed, ok := h.missed(since)
		if !ok {
			missed = []*websocket.PreparedMessage{h.control("resync")}
		}
		c.backlog = append(c.backlog, missed...)
	}
	h.conns[c] = struct{}{}
	return true
}

func (h *Hub) missed(since string) ([]*websocket.PreparedMessage, bool) {
	epoch, number, _ := strings.Cut(since, ":")
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil || epoch != h.epoch || seq > h.seq {
		return nil, false
	}
	if seq == h.seq {
		return nil, true
	}
	return h.history.after(seq)
}

// Connections counts those who listen.
func (h *Hub) Connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.conns)
}

// Close ends every connection ("going away") and waits for them.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	for c := range h.conns {
		c.end(closeGoingAway)
	}
	h.mu.Unlock()
	h.serving.Wait()
}
