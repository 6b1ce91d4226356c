package streamhttp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/sse"
	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// firstModern is the revision that removed sessions and resumption.
	firstModern = "2026-07-28"
	// streamGrace is how long an answer's stream may stay open after the
	// response, so that its connection can be used again.
	streamGrace = 2 * time.Second
	// shownData is how much of something unreadable a note repeats, in bytes.
	shownData = 500
)

// ErrNoResponse is an event stream that ended before the response to its
// request, and could not be resumed: what became of the request is unknown.
// Answers to the resumption are in its words, never in its chain: a 403 there
// refuses the rest of an answer, not the request, which did run.
var ErrNoResponse = errors.New("the answer ended before its response")

var errAnswered = errors.New("the response was received")

// stream reads an answer that is an event stream. In the revisions up to
// 2025-11-25 one that ends or breaks before the response is resumed, where it
// gave event ids; the request itself is never sent again.
func (t *Transport) stream(x *exchange, resp *http.Response) error {
	events, release := t.events()
	defer release()
	t.follow(events, resp)
	_, err := t.read(x, events)
	barren := 0
	for x.resumable(events, err) && barren < maxBarrenResumes {
		if err := sleep(x.ctx, resumeAfter(events.Retry)); err != nil {
			return err
		}
		var news bool
		if news, err = t.resume(x, events); news {
			barren = 0
		} else {
			barren++
		}
	}
	var final *refusedError
	switch {
	case x.answered:
		return nil
	case x.ctx.Err() != nil:
		return context.Cause(x.ctx)
	case errors.Is(err, wire.ErrTooLarge):
		return endpoint.TooLarge(t.to.Max)
	case errors.As(err, &final):
		return fmt.Errorf("%w: resuming it: %s", ErrNoResponse, final.Error())
	case barren > 0:
		return fmt.Errorf("%w: resumed %d times without news: %s", ErrNoResponse, barren, err.Error())
	case err == io.EOF:
		return ErrNoResponse
	}
	return fmt.Errorf("%w: %w", ErrNoResponse, err)
}

// resumable tells whether a stream that ended with err can and should go on.
func (x *exchange) resumable(events *sse.Reader, err error) bool {
	var final *refusedError
	return !x.answered && x.ctx.Err() == nil && x.hasResume(events) &&
		!errors.Is(err, wire.ErrTooLarge) && !errors.As(err, &final)
}

// reopens tells whether a stream that is cut comes back.
func (x *exchange) reopens(events *sse.Reader) bool {
	return x.out.Standing || x.hasResume(events)
}

func (x *exchange) hasResume(events *sse.Reader) bool {
	return events.LastID != "" && x.out.ProtocolVersion < firstModern
}

// refusedError is a refusal that asking again won't change.
type refusedError struct{ error }

// resume reads on from the last event that was received. news is false when
// nothing new came.
func (t *Transport) resume(x *exchange, events *sse.Reader) (news bool, err error) {
	resp, err := t.get(x.ctx, x.session, x.out.ProtocolVersion, events.LastID)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusOK && endpoint.MediaType(resp) == endpoint.EventStream:
		t.follow(events, resp)
		return t.read(x, events)
	case resp.StatusCode == http.StatusNotFound && x.session != "":
		// Not wire.ErrSessionLost: the request did run.
		t.lose(x.session)
	case transient(resp.StatusCode):
		return false, endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))
	}
	return false, &refusedError{endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))}
}

// read delivers what one body brings, to its end.
func (t *Transport) read(x *exchange, events *sse.Reader) (news bool, err error) {
	for {
		last := events.LastID
		events.Idle = 0
		if x.reopens(events) { // else nothing is won by cutting it
			events.Idle = t.to.Idle
		}
		e, err := events.Next()
		if err != nil {
			return news, err
		}
		news = news || len(e.Data) > 0 || events.LastID != last
		before := x.answered
		for _, m := range t.messages(e) {
			t.deliver(x, m, 0)
		}
		if x.answered && !before {
			defer time.AfterFunc(streamGrace, func() { x.cancel(errAnswered) }).Stop()
		}
	}
}

// messages are the messages of one event. Other events than "message", and empty
// ones, only keep a stream alive.
func (t *Transport) messages(e sse.Event) []wire.Message {
	if len(e.Data) == 0 || e.Name != "" && e.Name != "message" {
		return nil
	}
	messages, err := wire.ParseAll(e.Data)
	if err != nil {
		t.note(wire.NoteNotProtocol, "an event that is %v: %s", err, e.Data[:min(len(e.Data), shownData)])
		return nil
	}
	return messages
}

// get opens an event stream of the server's, or the rest of one.
func (t *Transport) get(ctx context.Context, session, version, lastID string) (*http.Response, error) {
	req := t.request(ctx, http.MethodGet, session, version)
	req.Header["Accept"] = []string{endpoint.EventStream}
	if lastID != "" {
		req.Header["Last-Event-Id"] = []string{lastID}
	}
	resp, err := t.to.Do(req)
	if err != nil {
		return nil, endpoint.Reason(ctx, err)
	}
	return resp, nil
}

// events borrows a reader for one stream, over all its bodies.
func (t *Transport) events() (events *sse.Reader, release func()) {
	r := t.readers.Get().(*bufio.Reader)
	return sse.NewReader(r, t.to.Max), func() {
		r.Reset(nil)
		t.readers.Put(r)
	}
}

// follow makes events read a body.
func (t *Transport) follow(events *sse.Reader, resp *http.Response) {
	events.Resume(resp.Body)
	events.Cut = func() { _ = resp.Body.Close() }
}

// transient tells whether a GET that was answered so may work later. 409 is what
// servers say while they believe that the stream before is still open.
func transient(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusConflict ||
		status >= 500 && status != http.StatusNotImplemented
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
