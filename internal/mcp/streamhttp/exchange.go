package streamhttp

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

// deleteTimeout bounds the DELETE that ends a session.
const deleteTimeout = 5 * time.Second

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
	resp, err := t.to.Do(t.post(x))
	if err != nil {
		return x.failure(err)
	}
	defer resp.Body.Close()
	return t.answer(x, resp)
}

// failure turns what net/http says about a request without an answer into our
// terms.
func (x *exchange) failure(err error) error {
	err = endpoint.Reason(x.ctx, err)
	if x.wrote.Load() {
		return err
	}
	return fmt.Errorf("%w: %w", wire.ErrNotSent, err)
}

func (t *Transport) post(x *exchange) *http.Request {
	req := t.request(endpoint.Traced(x.ctx, &x.wrote), http.MethodPost, x.session, x.out.ProtocolVersion)
	req.Header["Accept"] = []string{"application/json, " + endpoint.EventStream}
	for name, values := range x.out.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	endpoint.SetMessage(req, x.out.Message.Raw)
	return req
}

func (t *Transport) request(ctx context.Context, method, session, version string) *http.Request {
	req := t.to.Request(ctx, method)
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
	resp, err := t.to.Do(t.request(ctx, http.MethodDelete, session, version))
	if err == nil {
		endpoint.Drain(resp)
	}
}
