// Package streamhttp carries MCP messages over Streamable HTTP: the revisions
// 2025-03-26 to 2025-11-25 with their sessions, resumed answers and GET stream,
// and 2026-07-28, which has none of these (basic/transports, "Streamable HTTP").
//
// It owns requests, answers and event streams. It refuses to know what messages
// mean (initialize alone it knows, for the session id in its answer), which
// addresses may be reached, and how tokens are got: the http.Client that is
// handed in decides that. It never sends a message twice.
package streamhttp

import (
	"bufio"
	"context"
	"fmt"
	"sync"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

// readBuffer is the size of one read of an event stream.
const readBuffer = 16 << 10

// Transport is one connection to a server: a session, where the server has any.
// It implements wire.Listener.
type Transport struct {
	to      *endpoint.Endpoint
	receive wire.Receiver
	done    chan struct{}
	readers sync.Pool // of *bufio.Reader, for event streams
	moved   sync.Once // notes a redirect

	// life ends with Close; what runs in the background belongs to it.
	life       context.Context
	end        context.CancelFunc
	background sync.WaitGroup
	farewell   sync.Once

	mu       sync.Mutex
	session  string
	version  string // the last MCP-Protocol-Version that was sent
	inflight map[*exchange]struct{}
	closed   bool
	lost     bool
	err      error
}

var _ wire.Listener = (*Transport)(nil)

// Dialer checks the options once; each dial is a new Transport. Dialing itself
// sends nothing.
func Dialer(o endpoint.Options) (wire.Dialer, error) {
	if _, err := New(o, wire.Receiver{}); err != nil {
		return nil, err
	}
	return func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
		return New(o, r)
	}, nil
}

// New makes a transport. Any function of r may be nil.
func New(o endpoint.Options, r wire.Receiver) (*Transport, error) {
	to, err := endpoint.New(o)
	if err != nil {
		return nil, err
	}
	if r.Message == nil {
		r.Message = func(wire.Incoming) {}
	}
	if r.Note == nil {
		r.Note = func(wire.Note) {}
	}
	if r.Missed == nil {
		r.Missed = func() {}
	}
	t := &Transport{
		to: to, receive: r,
		done: make(chan struct{}), inflight: make(map[*exchange]struct{}),
	}
	t.readers.New = func() any { return bufio.NewReaderSize(nil, readBuffer) }
	t.life, t.end = context.WithCancel(context.Background())
	return t, nil
}

// Done is closed by Close, and once the session is lost and nothing is under way.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err says why Done was closed: wire.ErrSessionLost; nil after Close.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// Close ends all that is under way with wire.ErrClosed, and ends the session by
// a DELETE that may take five seconds.
func (t *Transport) Close() error {
	t.mu.Lock()
	if !t.closed && !t.isDone() {
		close(t.done)
	}
	t.closed = true
	for x := range t.inflight {
		x.cancel(wire.ErrClosed)
	}
	t.mu.Unlock()
	t.end()
	t.farewell.Do(t.deleteSession)
	t.background.Wait()
	return nil
}

// begin registers a message, so that Close can end it.
func (t *Transport) begin(ctx context.Context, out wire.Outgoing) (*exchange, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, fmt.Errorf("%w: %w", wire.ErrNotSent, wire.ErrClosed)
	case t.lost:
		return nil, errSessionLost
	}
	x := &exchange{out: out, kind: out.Message.Kind(), initialize: out.Message.Method == "initialize"}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	if !x.initialize {
		x.session = t.session
	}
	if out.ProtocolVersion != "" {
		t.version = out.ProtocolVersion
	}
	t.inflight[x] = struct{}{}
	return x, nil
}

func (t *Transport) finish(x *exchange) {
	x.cancel(nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.inflight, x)
	t.endIfLost()
}

// keep remembers the session that an initialize answer opened.
func (t *Transport) keep(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.session = session
}

// lose marks the session as lost. What is under way goes on: each request has
// its own answer coming.
func (t *Transport) lose(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if session == t.session {
		t.lost = true
		t.endIfLost()
	}
}

// endIfLost closes Done for a lost session; t.mu is held.
func (t *Transport) endIfLost() {
	if t.lost && !t.closed && len(t.inflight) == 0 && !t.isDone() {
		t.err = wire.ErrSessionLost
		close(t.done)
	}
}

func (t *Transport) isDone() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// current is the session and the protocol version for requests without a
// message; alive is false once the session is lost.
func (t *Transport) current() (session, version string, alive bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session, t.version, !t.lost
}

func (t *Transport) note(kind wire.NoteKind, format string, args ...any) {
	t.receive.Note(wire.Note{Kind: kind, Text: fmt.Sprintf(format, args...)})
}
