package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/reopen"
	"kontor.dev/kontor/internal/mcp/wire"
)

// listenGrace is how long reading a list waits for the subscription to its
// changes, so that none falls between the two.
const listenGrace = 500 * time.Millisecond

// Filter says what of its own news a modern server shall send (2026-07-28,
// SubscriptionFilter).
type Filter struct {
	// Tools, Prompts and Resources are changes of these lists.
	Tools, Prompts, Resources bool
	// URIs are resources whose changes are wanted.
	URIs []string
}

// Listen asks a modern server for news, in the background and until stop is called
// or the connection ends; they come by Handlers.Notification. The subscription is
// opened again when it ends, with growing waits, and given up after eight openings
// in a row that brought nothing; Handlers.Note tells. A server that refuses it is
// left alone. Changes of the lists that a server declares as changing need no call:
// Connect begins to listen for them.
//
// It does nothing with legacy servers: they announce changes of lists unasked, and
// take resources/subscribe by Request.
func (c *Client) Listen(f Filter) (stop func()) {
	if s := c.listen(f); s != nil {
		return s.stop
	}
	return func() {}
}

// listen is Listen; nil when there is nothing to listen to.
func (c *Client) listen(f Filter) *subscription {
	if c.info.Era != Modern || f.empty() {
		return nil
	}
	s := &subscription{c: c, filter: f, ended: make(chan struct{}), heard: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(c.conn.base)
	if !c.subscriptions.add(s) {
		s.cancel()
		return nil
	}
	if !c.conn.spawn(&c.conn.tasks, s.run) {
		close(s.ended) // somebody may be stopping it already
		s.stop()
		return nil
	}
	return s
}

// listenForLists subscribes to the lists that the server declares as changing.
func (c *Client) listenForLists() {
	changes := func(capability string) bool {
		return string(wire.Member(wire.Member(c.info.Capabilities, capability), "listChanged")) == "true"
	}
	if c.o.Handlers.Notification != nil {
		c.lists = c.listen(Filter{Tools: changes("tools"), Prompts: changes("prompts"), Resources: changes("resources")})
	}
}

// Hears tells whether changes of the list behind a capability ("tools", "prompts",
// "resources") are heard of now, by the subscription to them. With legacy servers it
// is always false: they announce changes unasked.
func (c *Client) Hears(capability string) bool {
	if c.lists == nil {
		return false
	}
	f := c.lists.agreed.Load()
	return f != nil && map[string]bool{"tools": f.Tools, "prompts": f.Prompts, "resources": f.Resources}[capability]
}

func (f Filter) empty() bool { return !f.Tools && !f.Prompts && !f.Resources && len(f.URIs) == 0 }

// members are the params of subscriptions/listen.
func (f Filter) members() []byte {
	b := []byte(`"notifications":{`)
	for _, kind := range []struct {
		wanted bool
		name   string
	}{{f.Tools, "toolsListChanged"}, {f.Prompts, "promptsListChanged"}, {f.Resources, "resourcesListChanged"}} {
		if kind.wanted {
			b = fmt.Appendf(b, "%q:true,", kind.name)
		}
	}
	if len(f.URIs) > 0 {
		b = append(b, `"resourceSubscriptions":[`...)
		for _, uri := range f.URIs {
			b = append(append(b, quote(uri)...), ',')
		}
		b[len(b)-1] = ']'
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	return b
}

// agreed is the part of f that a server took, by its acknowledgement.
func (f Filter) agreed(params json.RawMessage) Filter {
	taken := wire.Member(params, "notifications")
	is := func(name string) bool { return string(wire.Member(taken, name)) == "true" }
	var uris []string
	wire.Elements(wire.Member(taken, "resourceSubscriptions"), func(uri json.RawMessage) {
		if uri := text(uri); slices.Contains(f.URIs, uri) {
			uris = append(uris, uri)
		}
	})
	return Filter{Tools: f.Tools && is("toolsListChanged"), Prompts: f.Prompts && is("promptsListChanged"),
		Resources: f.Resources && is("resourcesListChanged"), URIs: uris}
}

// subscription is one subscriptions/listen over all its openings. Its goroutine,
// run, owns everything that isn't set by listen or atomic.
type subscription struct {
	c      *Client
	filter Filter
	ctx    context.Context
	cancel context.CancelFunc
	ended  chan struct{}
	// heard is closed once the first opening was acknowledged, or came to nothing.
	heard chan struct{}
	// agreed is what the server takes of filter now; nil while the subscription is not
	// open.
	agreed atomic.Pointer[Filter]
	// late is set when a list was read without waiting for that any longer.
	late atomic.Bool

	openings int // that were acknowledged
	tries    reopen.Tries
}

// stop ends the subscription and tells the server.
func (s *subscription) stop() {
	s.cancel()
	<-s.ended
	s.c.subscriptions.remove(s)
}

// hearing waits, before a list is read, until its changes would be heard of.
func (s *subscription) hearing(ctx context.Context) {
	if s == nil || s.late.Load() {
		return
	}
	timer := time.NewTimer(listenGrace)
	defer timer.Stop()
	select {
	case <-s.heard:
	case <-timer.C:
		s.late.Store(true)
	case <-ctx.Done():
	}
}

// subscriptions are those of a client that are open.
type subscriptions struct {
	mu     sync.Mutex
	open   map[*subscription]bool
	closed bool
}

func (all *subscriptions) add(s *subscription) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.closed {
		return false
	}
	if all.open == nil {
		all.open = map[*subscription]bool{}
	}
	all.open[s] = true
	return true
}

func (all *subscriptions) remove(s *subscription) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.open, s)
}

// close stops all of them, while the server can still be told.
func (all *subscriptions) close() {
	all.mu.Lock()
	all.closed = true
	open := all.open
	all.open = nil
	all.mu.Unlock()
	for s := range open {
		s.stop()
	}
}
