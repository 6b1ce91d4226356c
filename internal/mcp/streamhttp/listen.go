package streamhttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/reopen"
	"kontor.dev/kontor/internal/mcp/sse"
	"kontor.dev/kontor/internal/mcp/wire"
)

// Listen opens the stream for the server's own messages; see wire.Listener.
// (2025-11-25, basic/transports "Listening for Messages from the Server".)
func (t *Transport) Listen(ctx context.Context) (tried <-chan struct{}) {
	answered := make(chan struct{})
	l := listener{t: t, tried: sync.OnceFunc(func() { close(answered) })}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		l.tried()
	} else {
		t.background.Go(func() { l.listen(ctx) })
	}
	return answered
}

// errNoStream is a server that offers no such stream: that is its right.
var errNoStream = errors.New("no stream offered")

func (l *listener) listen(ctx context.Context) {
	t := l.t
	defer l.tried()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.life, cancel)()
	events, release := t.events()
	defer release()
	l.events = events
	for {
		start := time.Now()
		err := l.hear(ctx)
		var final *refusedError
		switch {
		case ctx.Err() != nil || errors.Is(err, errNoStream):
			return
		case errors.As(err, &final):
			t.note(wire.NoteLifecycle, "the server's own messages can't be heard: %v", final.error)
			return
		case errors.Is(err, wire.ErrTooLarge):
			t.note(wire.NoteNotProtocol, "one of the server's own messages was skipped: %v", endpoint.TooLarge(t.to.Max))
		case errors.Is(err, sse.ErrSilent):
			t.note(wire.NoteLifecycle, "the stream of the server's own messages sent nothing any more, no keep-alives either, and is opened again")
		}
		wait, ok := l.tries.Ended(l.news > 0, time.Since(start), events.Retry)
		if !ok {
			t.note(wire.NoteLifecycle, "the server's own messages are no longer listened for: %d tries in a row brought nothing, the last one: %v", l.tries.Barren, err)
			return
		}
		if sleep(ctx, wait) != nil {
			return
		}
	}
}

// listener is the stream over all its openings.
type listener struct {
	t      *Transport
	events *sse.Reader
	// tried is called once the first opening has had its answer.
	tried func()
	// opened is set once the stream was open.
	opened bool
	// news counts the events of the last opening.
	news  int
	tries reopen.Tries
}

// hear opens the stream once and delivers what it brings until it ends.
func (l *listener) hear(ctx context.Context) error {
	l.news = 0
	session, version, alive := l.t.current()
	if !alive {
		return errNoStream
	}
	resp, err := l.t.get(ctx, session, version, l.events.LastID)
	l.tried()
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := l.refusal(resp, session); err != nil {
		return err
	}
	if l.opened && l.tries.Barren > 0 {
		l.t.note(wire.NoteLifecycle, "the server's own messages are heard again after %d tries", l.tries.Barren)
	}
	if l.opened && l.events.LastID == "" {
		l.t.receive.Missed()
	}
	l.opened = true
	l.t.follow(l.events, resp)
	l.events.Idle = l.t.to.Idle
	for {
		e, err := l.events.Next()
		if err == io.EOF {
			return errors.New("the server ended the stream")
		}
		if err != nil {
			return err
		}
		l.news++
		for _, m := range l.t.messages(e) {
			l.t.receive.Message(wire.Incoming{Message: m})
		}
	}
}

// refusal tells an open stream (nil) from answers of three kinds: no such stream
// (errNoStream), never (a refusedError), and maybe later.
func (l *listener) refusal(resp *http.Response, session string) error {
	status := resp.StatusCode
	switch {
	case status == http.StatusOK && endpoint.MediaType(resp) == endpoint.EventStream:
		return nil
	case status == http.StatusNotFound && l.opened && session != "":
		l.t.lose(session)
		return errNoStream
	case status == http.StatusMethodNotAllowed, status == http.StatusNotFound:
		// 404 for the first GET is a server without a route for it. It says
		// nothing of the session: the next POST will.
		return errNoStream
	case transient(status):
		return endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))
	}
	return &refusedError{endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))}
}
