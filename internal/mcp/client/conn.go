package client

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// farewell is how long a message that nobody waits for may take.
	farewell = 5 * time.Second
	// closeFarewell is how long Close lets such messages finish.
	closeFarewell = time.Second
	// closeWait bounds the wait for handlers that ignore their ctx.
	closeWait = 5 * time.Second
	// rememberedIDs is how many requests given up are still known by their id.
	rememberedIDs = 256
)

// conn is one open transport and everything that waits on it. Ids of requests
// count from 1 and are never used twice, so an answer can't reach another call.
type conn struct {
	handlers Handlers
	http     bool
	notices  *notices

	// ready is closed once transport is set: messages may come in before.
	ready     chan struct{}
	transport wire.Transport
	// dressed is the dialect of messages that answer or notify.
	dressed atomic.Pointer[dialect]

	// tried is closed once the server's own messages are heard, or can't be; nil
	// where they have no channel of their own. It is waited for until heardBy. Both
	// are set by the handshake.
	tried   <-chan struct{}
	heardBy time.Time

	// base ends with the connection; everything sent hangs on it.
	base   context.Context
	cancel context.CancelCauseFunc
	done   chan struct{}
	tasks  sync.WaitGroup
	byes   sync.WaitGroup

	mu       sync.Mutex
	lastID   int64
	waiting  map[int64]*exchange
	gone     []int64 // given up; an answer to them is expected and dropped
	stray    string  // what came last for an id that nobody waits for
	inbound  map[string]*inbound
	refusals refusals
	serving  int // goroutines that serve inbound requests or refuse them
	ended    bool
	err      error
}

// open dials with one of o's dialers. The notices goroutine and the one that watches the transport live
// until close.
func open(ctx context.Context, o *Options, dial wire.Dialer) (*conn, error) {
	c := &conn{
		handlers: o.Handlers, http: o.HTTP, notices: newNotices(o.Handlers),
		ready: make(chan struct{}), done: make(chan struct{}),
		waiting: map[int64]*exchange{}, inbound: map[string]*inbound{},
	}
	c.dressed.Store(legacyDialect(""))
	c.base, c.cancel = context.WithCancelCause(context.Background())
	t, err := dial(ctx, wire.Receiver{Message: c.receive, Note: c.note, Missed: c.missed})
	if err != nil {
		c.end(err)
		c.tasks.Wait()
		return nil, err
	}
	c.transport = t
	close(c.ready)
	c.tasks.Go(func() { c.notices.run(c.done) })
	c.tasks.Go(func() {
		<-t.Done()
		c.end(t.Err())
	})
	return c, nil
}

// end settles everything that waits. err is nil when we closed by ourselves.
func (c *conn) end(err error) {
	c.finish(err)
	c.cancel(c.cause())
}

// finish gives every waiting request its end; what was told goes on.
func (c *conn) finish(err error) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended, c.err = true, err
	waiting := c.waiting
	c.waiting = nil
	for _, e := range waiting {
		e.releaseAsks()
	}
	c.mu.Unlock()
	close(c.done)
	for _, e := range waiting {
		e.lost(c.cause())
		e.settle(reply{err: afterSending(c.cause())})
	}
}

// cause says why the connection is over.
func (c *conn) cause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	return wire.ErrClosed
}

// close ends the connection: requests first, then what is on its way out, then
// the transport, then whatever still runs.
func (c *conn) close() error {
	c.finish(nil)
	wait(&c.byes, closeFarewell)
	c.cancel(wire.ErrClosed)
	err := c.transport.Close()
	if !wait(&c.tasks, closeWait) && err == nil {
		err = fmt.Errorf("handlers of the connection still run after %s", closeWait)
	}
	return err
}

// wait waits for a group at most d.
func wait(group *sync.WaitGroup, d time.Duration) bool {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// spawn runs f as a part of the connection, unless that has ended: then there
// is nobody left to wait for f. Callers must not hold mu.
func (c *conn) spawn(group *sync.WaitGroup, f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	group.Go(f)
	return true
}

// send hands one message over in the connection's dialect.
func (c *conn) send(ctx context.Context, t TraceEvent) error {
	t.Out = true
	c.trace(t)
	return c.transport.Send(ctx, wire.Outgoing{Message: t.Message, ProtocolVersion: c.dressed.Load().version})
}

// tell sends a message that nobody waits for, in the background and for at most
// five seconds.
func (c *conn) tell(m wire.Message, callID string, then func()) {
	told := c.spawn(&c.byes, func() {
		ctx, cancel := context.WithTimeout(c.base, farewell)
		defer cancel()
		if err := c.send(ctx, TraceEvent{Message: m, Method: m.Method, CallID: callID}); err != nil && c.base.Err() == nil {
			c.note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf("%s could not be sent: %v", m.Method, err)})
		}
		if then != nil {
			then()
		}
	})
	if !told && then != nil {
		then()
	}
}

func (c *conn) trace(t TraceEvent) {
	if c.handlers.Trace != nil {
		c.handlers.Trace(t)
	}
}

func (c *conn) missed() {
	if c.handlers.Missed != nil {
		c.handlers.Missed()
	}
}

func (c *conn) note(n wire.Note) {
	if c.handlers.Note != nil {
		c.handlers.Note(n)
	}
}
