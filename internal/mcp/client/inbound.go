package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// maxInbound is how many of the server's requests are served at a time;
	// pings and refusals of used ids may go up to twice as many.
	maxInbound = 32
	// replyTime bounds the sending of an answer.
	replyTime = 30 * time.Second
)

var (
	errWithdrawn = errors.New("the server withdrew its request")
	errAskerGone = errors.New("the call that asked has ended")
)

// inbound is a request of the server's that is being served.
type inbound struct {
	message wire.Message
	callIDs []string
	cancel  context.CancelCauseFunc
	// refusal is set when the request is answered without being served.
	refusal *wire.Error
}

// ask ties a question to the requests that may have raised it: when the last of
// them ends, nobody waits for the answer any more.
type ask struct {
	open   int // under conn.mu
	cancel context.CancelCauseFunc
}

// releaseAsks notes the end of a request for the questions that hang on it.
// Callers hold conn.mu.
func (e *exchange) releaseAsks() {
	for _, a := range e.asks {
		if a.open--; a.open == 0 {
			a.cancel(errAskerGone)
		}
	}
	e.asks = nil
}

// receiveRequest serves a request of the server's in a goroutine of its own.
func (c *conn) receiveRequest(in wire.Incoming) {
	ctx, cancel := context.WithCancelCause(c.base)
	r := &inbound{message: in.Message, cancel: cancel}
	admitted := c.admit(ctx, r, in.Stream)
	callID := ""
	if in.Stream != "" && len(r.callIDs) == 1 {
		callID = r.callIDs[0]
	}
	c.trace(TraceEvent{Message: in.Message, Method: in.Message.Method, CallID: callID})
	if !admitted {
		cancel(nil)
	}
}

// admit starts the goroutine that serves r; without room r is refused.
func (c *conn) admit(ctx context.Context, r *inbound, stream string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		return false
	case c.serving >= 2*maxInbound, c.serving >= maxInbound && r.message.Method != "ping":
		c.refuse(r.message.ID)
		return false
	}
	if key := idKey(r.message.ID); c.inbound[key] != nil {
		r.refusal = &wire.Error{Code: wire.CodeInvalidRequest, Message: "a request with this id is still open"}
	} else {
		c.inbound[key] = r
		if r.message.Method == "elicitation/create" {
			r.callIDs = c.tie(&ask{cancel: r.cancel}, stream)
		}
	}
	c.serving++
	c.tasks.Go(func() {
		defer r.cancel(nil)
		c.serve(ctx, r)
	})
	return true
}

// tie finds the requests in flight that a question may come from: the one whose
// HTTP answer carries it, else all. It answers their CallIDs. Callers hold mu.
func (c *conn) tie(a *ask, stream string) (callIDs []string) {
	ids := slices.Sorted(maps.Keys(c.waiting))
	if stream != "" {
		id, _ := parseID(json.RawMessage(stream))
		ids = []int64{id}
		if c.waiting[id] == nil {
			a.cancel(errAskerGone)
			return nil
		}
	}
	for _, id := range ids {
		e := c.waiting[id]
		if e.standing != nil {
			continue // it asks nothing
		}
		e.asks = append(e.asks, a)
		a.open++
		if e.callID != "" {
			callIDs = append(callIDs, e.callID)
		}
	}
	return callIDs
}

// serve answers one request, unless the server has withdrawn it.
func (c *conn) serve(ctx context.Context, r *inbound) {
	select {
	case <-c.ready:
	case <-c.base.Done():
		return
	}
	answer, refusal := json.RawMessage(nil), r.refusal
	if refusal == nil {
		answer, refusal = c.answer(ctx, r)
	}
	c.mu.Lock()
	c.serving--
	if key := idKey(r.message.ID); c.inbound[key] == r {
		delete(c.inbound, key)
	}
	c.mu.Unlock()
	if c.base.Err() != nil || errors.Is(context.Cause(ctx), errWithdrawn) {
		return
	}
	m := wire.NewResult(r.message.ID, answer)
	if refusal != nil {
		m = wire.NewErrorResponse(r.message.ID, refusal)
	}
	ctx, cancel := context.WithTimeout(c.base, replyTime)
	defer cancel()
	private := r.message.Method == "elicitation/create"
	if err := c.send(ctx, TraceEvent{Message: m, Method: r.message.Method, Private: private}); err != nil && c.base.Err() == nil {
		c.note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf("the answer to %s could not be sent: %v", r.message.Method, err)})
	}
}

// answer is what each request of a server gets. An empty list of roots is no
// declaration of roots: it is for servers that ask regardless.
func (c *conn) answer(ctx context.Context, r *inbound) (json.RawMessage, *wire.Error) {
	switch r.message.Method {
	case "ping":
		return json.RawMessage(`{}`), nil
	case "roots/list":
		return json.RawMessage(`{"roots":[]}`), nil
	case "elicitation/create":
		if c.handlers.Elicit != nil {
			return c.elicit(ctx, r)
		}
	}
	return nil, &wire.Error{Code: wire.CodeMethodNotFound, Message: "method not found: " + r.message.Method}
}

// elicit puts the server's question to the person.
func (c *conn) elicit(ctx context.Context, r *inbound) (json.RawMessage, *wire.Error) {
	q, refusal := readQuestion(r.message.Params, r.callIDs)
	if refusal != nil {
		return nil, refusal
	}
	answer, err := c.handlers.put(ctx, q)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return json.RawMessage(`{"action":"cancel"}`), nil
	}
	if declined, ok := errors.AsType[*RefusedError](err); ok {
		return nil, &wire.Error{Code: wire.CodeInternalError, Message: declined.Reason}
	}
	c.note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf("a question could not be asked: %v", err)})
	// The reason is ours and may hold something private; the server gets none.
	return nil, &wire.Error{Code: wire.CodeInternalError, Message: "the question could not be asked"}
}

// withdraw ends the request that the server cancels; false when it is none of
// its own that are open.
func (c *conn) withdraw(params json.RawMessage) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.inbound[idKey(wire.Member(params, "requestId"))]
	if r != nil {
		r.cancel(errWithdrawn)
	}
	return r != nil
}

// idKey makes ids comparable however they are escaped; 1 and "1" stay different.
func idKey(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return quote(text)
	}
	return string(id)
}
