// Package legacysse carries MCP messages over the HTTP+SSE transport of revision
// 2024-11-05 (basic/transports, "HTTP with SSE"): one event stream for everything
// that the server says, answers included, whose first event names the address that
// messages are posted to.
//
// It owns the stream and the POSTs. It refuses to know what messages mean, whether
// a server speaks it (package client finds out), and when to connect again: the
// stream is the session, and its end is the end of the transport.
package legacysse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/sse"
	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// readBuffer is the size of one read of the stream.
	readBuffer = 16 << 10
	// shownData is how much of something unreadable a note repeats, in bytes.
	shownData = 500
)

// ErrStreamEnded is the end of the stream: what became of requests without an
// answer is unknown.
var ErrStreamEnded = errors.New("the server's event stream ended")

var errSessionLost = fmt.Errorf("%w: %w", wire.ErrSessionLost, wire.ErrNotSent)

// Transport is one connection to a server. It implements wire.Transport; all
// messages of the server come on the shared channel.
type Transport struct {
	to      *endpoint.Endpoint
	receive wire.Receiver
	events  *sse.Reader
	// post is where messages go.
	post *url.URL

	// life ends with the stream; everything under way belongs to it.
	life   context.Context
	end    context.CancelCauseFunc
	reader sync.WaitGroup
	done   chan struct{}

	mu sync.Mutex
	// waiting are the requests without a response, by id; see idKey.
	waiting map[string]chan struct{}
	ended   bool
	err     error
}

var _ wire.Transport = (*Transport)(nil)

// Dialer checks the options once. Each dial opens the stream and returns once its
// endpoint event has come; ctx bounds that only.
func Dialer(o endpoint.Options) (wire.Dialer, error) {
	to, err := endpoint.New(o)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r wire.Receiver) (wire.Transport, error) {
		t, err := open(ctx, to, r)
		if err != nil {
			return nil, err
		}
		return t, nil
	}, nil
}

// read delivers what the stream brings, to its end.
func (t *Transport) read(body io.Closer) {
	defer body.Close()
	for {
		e, err := t.events.Next()
		if err != nil {
			t.stop(t.reason(err))
			return
		}
		if len(e.Data) == 0 || e.Name != "" && e.Name != "message" {
			continue // keeps the stream alive
		}
		messages, err := wire.ParseAll(e.Data)
		if err != nil && t.receive.Note != nil {
			t.receive.Note(wire.Note{Kind: wire.NoteNotProtocol,
				Text: fmt.Sprintf("an event that is %v: %s", err, e.Data[:min(len(e.Data), shownData)])})
		}
		for _, m := range messages {
			t.deliver(m)
		}
	}
}

// reason says why the stream ended. One message over the limit ends it too:
// nothing here can be asked for again.
func (t *Transport) reason(err error) error {
	switch {
	case t.life.Err() != nil:
		return context.Cause(t.life)
	case errors.Is(err, wire.ErrTooLarge):
		return endpoint.TooLarge(t.to.Max)
	case err == io.EOF:
		return ErrStreamEnded
	}
	return fmt.Errorf("%w: %w", ErrStreamEnded, err)
}

func (t *Transport) deliver(m wire.Message) {
	t.receive.Message(wire.Incoming{Message: m})
	if m.Kind() != wire.Response {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if answered := t.waiting[idKey(m.ID)]; answered != nil {
		delete(t.waiting, idKey(m.ID))
		close(answered)
	}
}

// stop ends the transport; err is nil when we closed it ourselves.
func (t *Transport) stop(err error) {
	t.mu.Lock()
	if !t.ended {
		t.ended, t.err = true, err
		close(t.done)
	}
	t.mu.Unlock()
	if err == nil {
		err = wire.ErrClosed
	}
	t.end(err)
}

// Done is closed when the stream has ended.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err says why Done was closed; nil before, and after Close.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// Close ends the stream, and with it the session, and all that is under way.
func (t *Transport) Close() error {
	t.stop(nil)
	t.reader.Wait()
	return nil
}

// stream makes the reader of the stream's body.
func stream(to *endpoint.Endpoint, resp *http.Response) *sse.Reader {
	events := sse.NewReader(bufio.NewReaderSize(resp.Body, readBuffer), to.Max)
	events.Idle, events.Cut = to.Idle, func() { _ = resp.Body.Close() }
	return events
}
