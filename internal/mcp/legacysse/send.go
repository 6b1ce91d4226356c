package legacysse

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

// Send posts one message. For a request it returns once the response has come on
// the stream; see wire.Transport.
func (t *Transport) Send(ctx context.Context, out wire.Outgoing) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(t.life, func() { cancel(context.Cause(t.life)) })()
	answered, err := t.begin(out.Message)
	if err != nil {
		return err
	}
	defer t.forget(out.Message)
	if err := t.deposit(ctx, out); err != nil || answered == nil {
		return err
	}
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// begin registers a request; answered is nil for other messages.
func (t *Transport) begin(m wire.Message) (answered chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		if t.err == nil {
			return nil, fmt.Errorf("%w: %w", wire.ErrNotSent, wire.ErrClosed)
		}
		return nil, fmt.Errorf("%w: %w", wire.ErrNotSent, t.err)
	}
	if m.Kind() == wire.Request {
		answered = make(chan struct{})
		t.waiting[idKey(m.ID)] = answered
	}
	return answered, nil
}

func (t *Transport) forget(m wire.Message) {
	if m.Kind() != wire.Request {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, idKey(m.ID))
}

// deposit posts a message; any 2xx says that it was taken.
func (t *Transport) deposit(ctx context.Context, out wire.Outgoing) error {
	var wrote atomic.Bool
	req := t.to.RequestTo(endpoint.Traced(ctx, &wrote), http.MethodPost, t.post)
	if out.ProtocolVersion != "" {
		req.Header["Mcp-Protocol-Version"] = []string{out.ProtocolVersion}
	}
	endpoint.SetMessage(req, out.Message.Raw)
	resp, err := t.to.Do(req)
	if err != nil {
		err = endpoint.Reason(ctx, err)
		if wrote.Load() {
			return err
		}
		return fmt.Errorf("%w: %w", wire.ErrNotSent, err)
	}
	defer func() {
		if endpoint.MediaType(resp) != endpoint.EventStream { // whose end may never come
			endpoint.Drain(resp)
		}
		_ = resp.Body.Close()
	}()
	switch {
	case resp.StatusCode/100 == 2:
		return nil
	case resp.StatusCode/100 == 3:
		return endpoint.Redirected(resp)
	case resp.StatusCode == http.StatusNotFound:
		t.stop(wire.ErrSessionLost)
		return errSessionLost
	}
	return endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))
}

// idKey makes a request's id comparable with that of its response: servers that
// keep numbers as text or floats send "1" and 1.0 for 1.
func idKey(id json.RawMessage) string {
	return strings.TrimSuffix(string(bytes.Trim(id, `"`)), ".0")
}
