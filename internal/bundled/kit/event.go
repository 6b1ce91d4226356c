package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK sends no notification but those it knows. A push of another name leaves
// it inside a progress notification, under this key of _meta, and is unwrapped on
// the way out: by [Transport] between SDK and stdio, by eventWriter between SDK
// and HTTP.
const eventKey = "kontor.dev/event"

type event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Push sends the notification method with params, which must encode to a JSON
// object, to one session. With the context of a request it goes out on that
// request's stream; with one from [Detached], on the session's own.
func Push(ctx context.Context, session *mcp.ServerSession, method string, params any) error {
	data, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode params of %s: %w", method, err)
	}
	err = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		Meta:          mcp.Meta{eventKey: event{Method: method, Params: data}},
		ProgressToken: eventKey,
	})
	if err != nil {
		return fmt.Errorf("push %s: %w", method, err)
	}
	return nil
}

// Detached is ctx without its values, by which the SDK finds the stream of the
// request that is being answered. It ends when ctx does.
func Detached(ctx context.Context) context.Context { return detached{ctx} }

type detached struct{ context.Context }

func (detached) Value(any) any { return nil }

// unwrap returns the push that params of a progress notification carry.
func unwrap(params json.RawMessage) (event, bool) {
	if !bytes.Contains(params, []byte(eventKey)) {
		return event{}, false
	}
	var carrier struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(params, &carrier); err != nil {
		return event{}, false
	}
	var e event
	if err := json.Unmarshal(carrier.Meta[eventKey], &e); err != nil || e.Method == "" {
		return event{}, false
	}
	return e, true
}

// Transport returns t with the pushes that [Push] sends. [Stdio] does it by
// itself; it is for servers that run in the same process as their client.
func Transport(t mcp.Transport) mcp.Transport { return eventTransport{t} }

type eventTransport struct{ mcp.Transport }

func (t eventTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return eventConn{conn}, nil
}

type eventConn struct{ mcp.Connection }

func (c eventConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if req, ok := msg.(*jsonrpc.Request); ok {
		if e, ok := unwrap(req.Params); ok {
			msg = &jsonrpc.Request{Method: e.Method, Params: e.Params}
		}
	}
	return c.Connection.Write(ctx, msg)
}

// eventWriter does over HTTP what [Transport] does over stdio. It relies on the
// SDK writing each server-sent event whole, in one Write.
type eventWriter struct{ http.ResponseWriter }

// Unwrap lets http.ResponseController flush.
func (w eventWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w eventWriter) Write(p []byte) (int, error) {
	out, err := rewriteEvent(p)
	if err != nil {
		return 0, err
	}
	if _, err := w.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

var errSplitEvent = errors.New("a push was cut in two on its way out")

// rewriteEvent replaces a server-sent event that carries a push; anything else
// stays as it is.
func rewriteEvent(p []byte) ([]byte, error) {
	const field = "data: "
	start := bytes.Index(p, []byte(field))
	if start < 0 || !bytes.Contains(p, []byte(`"`+eventKey+`"`)) {
		return p, nil
	}
	start += len(field)
	data, ok := bytes.CutSuffix(p[start:], []byte("\n\n"))
	if !ok {
		return nil, errSplitEvent
	}
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSplitEvent, err)
	}
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return p, nil
	}
	e, ok := unwrap(req.Params)
	if !ok {
		return p, nil
	}
	sent, err := jsonrpc.EncodeMessage(&jsonrpc.Request{Method: e.Method, Params: e.Params})
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Method, err)
	}
	return append(append(bytes.Clone(p[:start]), sent...), "\n\n"...), nil
}
