// Package bus carries news inside the process: what happened goes out to all
// who listen. It never blocks a publisher, keeps nothing, and knows no event's
// meaning.
package bus

import (
	"sync"

	"kontor.dev/kontor/internal/model"
)

// Bus fans events out to subscriptions. The zero value is not usable: see New.
type Bus struct {
	mu     sync.Mutex
	subs   map[*Subscription]struct{}
	closed bool
}

// New makes a bus.
func New() *Bus { return &Bus{subs: map[*Subscription]struct{}{}} }

// Publish hands e to every subscription, in the order of calls. A subscription
// whose buffer is full misses it and is told so.
func (b *Bus) Publish(e model.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subs {
		select {
		case s.ch <- e:
		default:
			s.missed++
		}
	}
}

// Subscribe listens from now on, with room for buffer events that were not
// taken yet. Close the subscription when done.
func (b *Bus) Subscribe(buffer int) *Subscription {
	s := &Subscription{bus: b, ch: make(chan model.Event, buffer)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		close(s.ch)
		return s
	}
	b.subs[s] = struct{}{}
	return s
}

// Close ends every subscription; later events go nowhere.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for s := range b.subs {
		b.drop(s)
	}
}

// drop is called with mu held, so that no Publish sends on a closed channel.
func (b *Bus) drop(s *Subscription) {
	if _, ok := b.subs[s]; ok {
		delete(b.subs, s)
		close(s.ch)
	}
}

// Subscription is one listener's queue.
type Subscription struct {
	bus    *Bus
	ch     chan model.Event
	missed uint64 // guarded by bus.mu
}

// C delivers the events; it is closed with the subscription or the bus.
func (s *Subscription) C() <-chan model.Event { return s.ch }

// Missed returns how many events found the buffer full since it was last asked:
// the listener's picture is stale, and it must read the state anew.
func (s *Subscription) Missed() uint64 {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	n := s.missed
	s.missed = 0
	return n
}

// Close stops listening. It may be called more than once.
func (s *Subscription) Close() {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	s.bus.drop(s)
}
