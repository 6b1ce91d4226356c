package streamhttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// deleteTimeout bounds the DELETE that ends a session.
const deleteTimeout = 5 * time.Second

const streamType = "text/event-stream"

var errSessionLost = fmt.Errorf("%w: %w", wire.ErrSessionLost, wire.ErrNotSent)

// exchange is one message on its way and its answer.
type exchange struct {
	ctx        context.Context
	cancel     context.CancelCauseFunc
	out        wire.Outgoing
	kind       wire.Kind
	initialize bool
	session    string
	// wrote is set once the request's headers were written: from then on the
	// server may see the message, and before it certainly did not.
	wrote atomic.Bool
	// answered is set once the response was received.
	answered bool
}

// Send posts one message and reads its answer; see wire.Transport. For a request
// it returns nil only after its response was received. A response, or a
// notification, is done with any 2xx.
func (t *Transport) Send(ctx context.Context, out wire.Outgoing) error {
	x, err := t.begin(ctx, out)
	if err != nil {
		return err
	}
	defer t.finish(x)
	resp, err := t.client.Do(t.post(x))
	if err != nil {
		return x.failure(err)
	}
	defer resp.Body.Close()
	return t.answer(x, resp)
}

// failure turns what net/http says about a request without an answer into our
// terms. The url.Error around it is taken off: it repeats the whole address.
func (x *exchange) failure(err error) error {
	err = inner(x.ctx, err)
	if x.wrote.Load() {
		return err
	}
	return fmt.Errorf("%w: %w", wire.ErrNotSent, err)
}

func inner(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

func (t *Transport) post(x *exchange) *http.Request {
	raw := x.out.Message.Raw
	req := t.request(http.MethodPost, httptrace.WithClientTrace(x.ctx, &httptrace.ClientTrace{
		WroteHeaders: func() { x.wrote.Store(true) },
	}), x.session, x.out.ProtocolVersion)
	req.Header["Content-Type"] = []string{"application/json"}
	req.Header["Accept"] = []string{"application/json, " + streamType}
	for name, values := range x.out.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.ContentLength = int64(len(raw))
	// A body of a type that net/http knows goes out in one packet with the headers.
	req.Body = io.NopCloser(bytes.NewReader(raw))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	return req
}

// request makes a request without parsing the address again.
func (t *Transport) request(method string, ctx context.Context, session, version string) *http.Request {
	req := (&http.Request{
		Method: method, URL: t.url, Host: t.url.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	req.Header = maps.Clone(t.header)
	if version != "" {
		req.Header["Mcp-Protocol-Version"] = []string{version}
	}
	if session != "" {
		req.Header["Mcp-Session-Id"] = []string{session}
	}
	return req
}

// deleteSession says goodbye, whatever became of the context of those who asked
// for it. Servers may refuse it (405) or be gone: nothing depends on it.
func (t *Transport) deleteSession() {
	session, version, alive := t.current()
	if session == "" || !alive {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), deleteTimeout)
	defer cancel()
	resp, err := t.client.Do(t.request(http.MethodDelete, ctx, session, version))
	if err == nil {
		drain(resp)
	}
}

// drain reads the little that may be left, so that the connection can be used
// again, and closes the body.
func drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	_ = resp.Body.Close()
}
