package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// endWait is how long the end of a connection may take to follow a failed write.
const endWait = 3 * time.Second

// request is one request before it has an id.
type request struct {
	dialect *dialect
	method  string
	// members are the inside of params, without _meta.
	members []byte
	// first are the members of the first round; nil in it.
	first []byte
	// name is mirrored into Mcp-Name, params into Mcp-Param-*.
	name   string
	params http.Header
	// callID, onProgress and onSent are the ToolCall's.
	callID     string
	onProgress func(Progress)
	onSent     func()
	// progress asks for a progress token.
	progress bool
	// private marks members that hold what a person typed.
	private bool
	// standing is set where the answer comes only when the server ends it.
	standing *standing
	// handshake marks initialize, which has no version header yet, and
	// server/discover before the era is known: giving one up is never told.
	handshake bool
}

// reply is how an exchange ended: an answer, or what kept it from coming.
type reply struct {
	message wire.Message
	status  int
	err     error
}

// result reads the reply: the result as sent, or the server's error.
func (r reply) result() (json.RawMessage, error) {
	switch {
	case r.err != nil:
		return nil, r.err
	case unavailable(r.status):
		return nil, afterSending(&wire.HTTPError{Status: r.status, ContentType: "application/json", Body: head(r.message.Raw, 4096)})
	case r.message.Err() != nil:
		return nil, r.message.Err()
	case r.message.Result == nil:
		return nil, fmt.Errorf("%w: a response with neither result nor error", ErrProtocol)
	}
	return r.message.Result, nil
}

// exchange is one request on its way. Whoever takes it out of conn.waiting
// settles it, exactly once.
type exchange struct {
	*request
	conn *conn
	id   int64
	// asks are open questions that this request may have raised; under conn.mu.
	asks     []*ask
	answered chan reply
	stream   *stream
}

// begin sends a request. Over stdio it returns once the line is written, over
// HTTP at once. ctx gives the send its values, and over stdio its end.
func (c *conn) begin(ctx context.Context, r *request) (*exchange, error) {
	e := &exchange{request: r, conn: c, answered: make(chan reply, 1)}
	if c.http {
		e.stream = newStream(c.base, ctx)
	}
	if err := c.register(e); err != nil {
		e.closeStream()
		return nil, err
	}
	var token int64
	if r.progress {
		token = e.id
	}
	m := wire.NewRequest(e.id, r.method, r.dialect.params(r.members, token))
	out := wire.Outgoing{Message: m, ProtocolVersion: r.dialect.version, Header: c.header(r), Standing: r.standing != nil}
	if r.onSent != nil {
		r.onSent()
	}
	c.trace(TraceEvent{Out: true, Message: m, Method: r.method, CallID: r.callID, Private: r.private})
	if c.http {
		if !c.spawn(&c.tasks, func() { e.sendHTTP(out) }) {
			e.stream.close() // the connection has ended and settled the exchange
		}
		return e, nil
	}
	if err := c.transport.Send(ctx, out); err != nil {
		return e, e.unsent(ctx, err)
	}
	return e, nil
}

// unsent settles an exchange whose line could not be written. nil means that its
// end has come another way.
func (e *exchange) unsent(ctx context.Context, err error) error {
	if !errors.Is(err, wire.ErrNotSent) && ctx.Err() == nil {
		// A line that can't be written is mostly a process that has ended. How it
		// ended tells more than "broken pipe", and comes soon.
		select {
		case <-e.conn.done:
			return nil
		case <-ctx.Done():
		case <-time.After(endWait):
		}
	}
	switch {
	case ctx.Err() != nil && errors.Is(err, wire.ErrNotSent):
		if e.conn.take(e.id) != nil {
			e.lost(context.Cause(ctx))
		}
		return context.Cause(ctx)
	case ctx.Err() != nil:
		e.abandon(context.Cause(ctx))
		return context.Cause(ctx)
	case e.conn.take(e.id) == nil:
		return nil
	}
	e.lost(err)
	return afterSending(err)
}

// register gives the exchange its id. A connection that is over refuses it.
func (c *conn) register(e *exchange) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		err := c.err
		if err == nil {
			err = wire.ErrClosed
		}
		if errors.Is(err, wire.ErrNotSent) {
			return err
		}
		return fmt.Errorf("%w: %w", wire.ErrNotSent, err)
	}
	c.lastID++
	e.id = c.lastID
	c.waiting[e.id] = e
	return nil
}

// take removes an exchange from those that wait; nil when it wasn't there.
func (c *conn) take(id int64) *exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.waiting[id]
	if e != nil {
		delete(c.waiting, id)
		e.releaseAsks()
	}
	return e
}

// drop is take for an exchange whose answer may still come and is unwanted.
func (c *conn) drop(id int64) *exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.waiting[id]
	if e == nil {
		return nil
	}
	delete(c.waiting, id)
	e.releaseAsks()
	if len(c.gone) == rememberedIDs {
		c.gone = slices.Delete(c.gone, 0, 1)
	}
	c.gone = append(c.gone, id)
	return e
}

// do sends a request and waits for its end.
func (c *conn) do(ctx context.Context, r *request) (json.RawMessage, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	e, err := c.begin(ctx, r)
	if err != nil {
		return nil, err
	}
	select {
	case reply := <-e.answered:
		return reply.result()
	case <-ctx.Done():
		e.abandon(context.Cause(ctx))
		return nil, context.Cause(ctx)
	}
}

// settle ends the exchange. Only the one that took it calls it.
func (e *exchange) settle(r reply) {
	if e.stream != nil && r.err == nil {
		e.stream.linger()
	}
	e.answered <- r
}

// abandon gives the exchange up and tells the server, in the background: by
// closing the stream where that is the signal (2026-07-28, Streamable HTTP
// "Cancellation"), else by notifications/cancelled.
func (e *exchange) abandon(cause error) {
	c := e.conn
	if c.drop(e.id) == nil {
		return // its end came in the same moment
	}
	e.lost(cause)
	if e.handshake || c.http && e.dialect.modern {
		e.closeStream()
		return
	}
	c.tell(cancelled(e.id, cause), e.callID, e.closeStream)
}

func (e *exchange) closeStream() {
	if e.stream != nil {
		e.stream.close()
	}
}

// sendHTTP runs the POST and settles the exchange if no response did.
func (e *exchange) sendHTTP(out wire.Outgoing) {
	err := e.conn.transport.Send(e.stream.ctx, out)
	e.stream.close()
	if e.conn.take(e.id) == nil {
		return
	}
	if err == nil {
		err = fmt.Errorf("%w: the answer ended without a response", ErrProtocol)
	}
	e.lost(err)
	e.settle(reply{err: afterSending(err)})
}

// lost tells the trace that no answer comes any more.
func (e *exchange) lost(err error) {
	e.conn.trace(TraceEvent{Message: wire.Message{ID: json.RawMessage(strconv.FormatInt(e.id, 10))}, Method: e.method, CallID: e.callID, Lost: err})
}

// cancelled builds notifications/cancelled.
func cancelled(id int64, cause error) wire.Message {
	return wire.NewNotification("notifications/cancelled",
		json.RawMessage(fmt.Sprintf(`{"requestId":%d,"reason":%s}`, id, quote(reason(cause)))))
}

// reason is what a server may know about our reasons: no text of ours that could
// carry something private.
func reason(cause error) string {
	if errors.Is(cause, context.DeadlineExceeded) {
		return "the time limit has passed"
	}
	return "cancelled by the client"
}
