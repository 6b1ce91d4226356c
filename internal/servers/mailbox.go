package servers

import "sync"

// mailbox queues what a goroutine has to do. Putting never waits.
type mailbox struct {
	mu    sync.Mutex
	queue []func()
	ready chan struct{} // holds a token while the queue may have something
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

func (b *mailbox) put(f func()) {
	b.mu.Lock()
	b.queue = append(b.queue, f)
	b.mu.Unlock()
	nudge(b.ready)
}

// take empties the queue.
func (b *mailbox) take() []func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue := b.queue
	b.queue = nil
	return queue
}

// nudge puts a token into a channel of one, unless it is there.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
