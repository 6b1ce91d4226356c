package client

import (
	"encoding/json"
	"fmt"
	"sync"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// maxNotices and maxNoticeBytes bound what waits for a slow handler.
	maxNotices     = 1024
	maxNoticeBytes = 32 << 20
)

type notice struct {
	method string
	params json.RawMessage
}

// notices hands notifications to the host in order, from one goroutine.
type notices struct {
	handlers Handlers
	wake     chan struct{}

	mu      sync.Mutex
	queue   []notice
	bytes   int
	dropped int
}

func newNotices(h Handlers) *notices {
	return &notices{handlers: h, wake: make(chan struct{}, 1)}
}

// push queues a notification. When the queue is full it is dropped; text then
// says so, once for each time that this begins.
func (q *notices) push(n notice) (text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) >= maxNotices || q.bytes+len(n.params) > maxNoticeBytes {
		q.dropped++
		if q.dropped == 1 {
			return fmt.Sprintf("notifications come faster than they are taken: %d wait, further ones are dropped, first %s",
				len(q.queue), n.method)
		}
		return ""
	}
	q.queue = append(q.queue, n)
	q.bytes += len(n.params)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return ""
}

// take empties the queue.
func (q *notices) take() (batch []notice, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	batch, dropped = q.queue, q.dropped
	q.queue, q.bytes, q.dropped = nil, 0, 0
	return batch, dropped
}

// run delivers until the connection is done, and then what came before that.
func (q *notices) run(done <-chan struct{}) {
	for {
		select {
		case <-q.wake:
			q.deliver()
		case <-done:
			q.deliver()
			return
		}
	}
}

func (q *notices) deliver() {
	batch, dropped := q.take()
	for _, n := range batch {
		q.handlers.Notification(n.method, n.params)
	}
	if dropped > 0 && q.handlers.Note != nil {
		q.handlers.Note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf(
			"%d notifications were dropped because the queue was full", dropped)})
	}
}
