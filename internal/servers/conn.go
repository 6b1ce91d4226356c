package servers

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// Conn is a live connection to one server. Its errors are *model.Error in words
// that wrap their cause; only the cause of a ctx that ended comes as it is.
type Conn struct {
	client Client
	// config is what it was opened for, references unexpanded; with tells their
	// values.
	config model.Server
	with   fingerprint
	since  time.Time
	redact func(string) string
	// owner is set before anyone gets the connection.
	owner *owner
	// over is set once the server no longer knows the session, or is no longer there.
	// Answers under way may still come; nothing new is asked.
	over atomic.Bool

	mu      sync.Mutex
	uses    int
	retired bool
	idle    chan struct{} // closed once, when retired and not in use
}

func newConn(c Client, config model.Server, redact func(string) string) *Conn {
	return &Conn{client: c, config: config, since: time.Now(), redact: redact, idle: make(chan struct{})}
}

// CallTool runs a tool and returns the result as sent. It has no limit of its
// own: calls keep the time.
func (c *Conn) CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error) {
	return c.use(ctx, func() (json.RawMessage, error) { return c.client.CallTool(ctx, call) })
}

// ReadResource returns the result of resources/read as sent.
func (c *Conn) ReadResource(ctx context.Context, uri string) (json.RawMessage, error) {
	return c.ask(ctx, func(ctx context.Context, to Client) (json.RawMessage, error) { return to.ReadResource(ctx, uri) })
}

// GetPrompt returns the result of prompts/get as sent.
func (c *Conn) GetPrompt(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	return c.ask(ctx, func(ctx context.Context, to Client) (json.RawMessage, error) {
		return to.GetPrompt(ctx, name, arguments)
	})
}

// Complete returns the result of completion/complete as sent; params is its
// whole params object.
func (c *Conn) Complete(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	return c.ask(ctx, func(ctx context.Context, to Client) (json.RawMessage, error) { return to.Complete(ctx, params) })
}

// ask is use with the server's call limit, which begins anew while a person is
// asked something. What it asks for only reads: when the connection breaks, it is
// asked for once more on the next one; when the server is busy, once more soon after.
func (c *Conn) ask(ctx context.Context, do func(context.Context, Client) (json.RawMessage, error)) (json.RawMessage, error) {
	limit := c.owner.view().Config.WithDefaults().CallTimeout
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var timer *time.Timer
	armed := make(chan struct{})
	timer = time.AfterFunc(limit, func() {
		<-armed // timer is set
		if c.owner.asking.some() {
			timer.Reset(limit)
			return
		}
		cancel(redacted(explain(&limitError{limit}), c.redact))
	})
	close(armed)
	defer timer.Stop()
	raw, err := twice(ctx, func(ctx context.Context) (json.RawMessage, error) {
		return c.use(ctx, func() (json.RawMessage, error) { return do(ctx, c.client) })
	})
	if ctx.Err() != nil || !broke(err) {
		return raw, err
	}
	next, err := c.owner.await(ctx)
	if err != nil {
		return nil, err
	}
	return next.use(ctx, func() (json.RawMessage, error) { return do(ctx, next.client) })
}

// broke tells whether the connection, not the server's answer, is what went wrong.
func broke(err error) bool {
	return errors.Is(err, wire.ErrNotSent) || errors.Is(err, client.ErrOutcomeUnknown)
}

func (c *Conn) use(ctx context.Context, ask func() (json.RawMessage, error)) (json.RawMessage, error) {
	c.mu.Lock()
	c.uses++
	c.mu.Unlock()
	defer c.letGo()
	raw, err := ask()
	if err == nil {
		return raw, nil
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil, err
	}
	words := c.owner.why(redacted(explain(err), c.redact))
	switch {
	case errors.Is(err, wire.ErrSessionLost):
		// At once: who asked may ask for another connection.
		c.over.Store(true)
		c.owner.box.put(func() { c.owner.sessionLost(c) })
	case errors.Is(err, wire.ErrNotSent) && unreachable(words.Code):
		c.over.Store(true)
		c.owner.box.put(func() { c.owner.away(c, words) })
	case words.Code == model.CodeNeedsSignIn:
		c.owner.box.put(func() { c.owner.signInNeeded(c, words) })
	}
	return nil, words
}

func (c *Conn) letGo() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses--
	c.settle()
}

// settle tells a retired connection that nobody uses it. One who got hold of it
// before may still come; the closed client answers that nothing was sent. The
// caller holds mu.
func (c *Conn) settle() {
	if !c.retired || c.uses > 0 {
		return
	}
	select {
	case <-c.idle:
	default:
		close(c.idle)
	}
}

// alive tells whether the connection can still carry anything new.
func (c *Conn) alive() bool {
	if c.over.Load() {
		return false
	}
	select {
	case <-c.client.Done():
		return false
	default:
		return true
	}
}

// retire closes the connection once nobody uses it any more, or ctx ends.
func (c *Conn) retire(ctx context.Context) error {
	c.mu.Lock()
	c.retired = true
	c.settle()
	c.mu.Unlock()
	select {
	case <-c.idle:
	case <-ctx.Done():
	}
	return c.client.Close()
}

// redacted is e with the secrets in its words masked.
func redacted(e *model.Error, redact func(string) string) *model.Error {
	masked := *e
	masked.Message = redact(e.Message)
	return &masked
}
