package endpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
)

// Request makes a request to the endpoint, without parsing its address again.
func (e *Endpoint) Request(ctx context.Context, method string) *http.Request {
	return e.RequestTo(ctx, method, e.URL)
}

// RequestTo makes a request to another address of the endpoint's origin; the
// caller has checked that it is one.
func (e *Endpoint) RequestTo(ctx context.Context, method string, to *url.URL) *http.Request {
	req := (&http.Request{
		Method: method, URL: to, Host: to.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	req.Header = maps.Clone(e.header)
	return req
}

// Do sends a request. Redirects that aren't followed come as the answer.
func (e *Endpoint) Do(req *http.Request) (*http.Response, error) { return e.client.Do(req) }

// SetMessage makes raw, one JSON text, the body of a request.
func SetMessage(req *http.Request, raw []byte) {
	req.Header["Content-Type"] = []string{"application/json"}
	req.ContentLength = int64(len(raw))
	// A body of a type that net/http knows goes out in one packet with the headers.
	req.Body = io.NopCloser(bytes.NewReader(raw))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
}

// Traced is ctx for a request; wrote is set once its headers were written: from
// then on the server may see it, and before it certainly did not.
func Traced(ctx context.Context, wrote *atomic.Bool) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { wrote.Store(true) }})
}

// Reason is why a request with this ctx failed. The url.Error around it is taken
// off: it repeats the whole address.
func Reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// Drain reads the little that may be left, so that the connection can be used
// again, and closes the body.
func Drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	_ = resp.Body.Close()
}
