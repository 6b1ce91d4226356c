package streamhttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
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
	events, release := t.events(nil)
	defer release()
	l.events = events
	for barren := 0; ; {
		start := time.Now()
		err := l.hear(ctx, barren)
		var final *refusedError
		switch {
		case ctx.Err() != nil || errors.Is(err, errNoStream):
			return
		case errors.As(err, &final):
			t.note(wire.NoteLifecycle, "the server's own messages can't be heard: %v", final.error)
			return
		case errors.Is(err, wire.ErrTooLarge):
			t.note(wire.NoteNotProtocol, "one of the server's own messages was skipped: %v", endpoint.TooLarge(t.to.Max))
		}
		if barrenListen(l.news, time.Since(start)) {
			barren++
		} else {
			barren = 0
		}
		if barren == maxBarrenListens {
			t.note(wire.NoteLifecycle, "the server's own messages are no longer listened for: %d tries in a row brought nothing, the last one: %v", barren, err)
			return
		}
		if sleep(ctx, listenAfter(events.Retry, barren)) != nil {
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
	news int
}

// hear opens the stream once, after barren openings that brought nothing, and
// delivers what it brings until it ends.
func (l *listener) hear(ctx context.Context, barren int) error {
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
	if l.opened && barren > 0 {
		l.t.note(wire.NoteLifecycle, "the server's own messages are heard again after %d tries", barren)
	}
	l.opened = true
	l.events.Resume(resp.Body)
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
