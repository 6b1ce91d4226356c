package client

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	defaultProbeTimeout     = time.Second
	defaultProbeTimeoutHTTP = 10 * time.Second
	defaultListPageCap      = 100
)

// Client is one open connection. It is safe for concurrent use.
type Client struct {
	o       Options
	conn    *conn
	info    Info
	dialect *dialect
	// headers are the Mcp-Param rules of the tools last listed.
	headers paramHeaders
	// lists is the subscription to changes of lists; nil where there is none.
	lists         *subscription
	subscriptions subscriptions

	closing sync.Once
	closed  error
}

// Connect dials, finds the era and opens the connection. It lists nothing. ctx
// bounds the opening only; after a failure the transport is closed before Connect
// returns, which may take it a few seconds. Errors are *StartError.
func Connect(ctx context.Context, o Options) (*Client, error) {
	o = o.withDefaults()
	n := &opening{o: &o}
	info, err := n.run(ctx)
	if err != nil {
		if n.conn != nil {
			_ = n.conn.close() // the reason for the failure is worth more
			n.conn.explain(err)
		}
		return nil, err
	}
	c := &Client{o: o, conn: n.conn, info: info, dialect: n.conn.dressed.Load(),
		headers: paramHeaders{refreshing: make(chan struct{}, 1)}}
	c.setLogLevel()
	c.listenForLists()
	return c, nil
}

func (o Options) withDefaults() Options {
	if o.ProbeTimeout == 0 {
		o.ProbeTimeout = defaultProbeTimeout
		if o.HTTP {
			o.ProbeTimeout = defaultProbeTimeoutHTTP
		}
	}
	if o.ListPageCap == 0 {
		o.ListPageCap = defaultListPageCap
	}
	return o
}

// setLogLevel asks a legacy server for its log, in the background. Modern ones
// are asked in every request's _meta.
func (c *Client) setLogLevel() {
	if c.info.Era != Legacy || c.o.LogLevel == "" || !c.Supports("logging") {
		return
	}
	c.conn.spawn(&c.conn.byes, func() {
		ctx, cancel := context.WithTimeout(c.conn.base, farewell)
		defer cancel()
		if _, err := c.Request(ctx, "logging/setLevel", json.RawMessage(`{"level":`+quote(c.o.LogLevel)+`}`)); err != nil && c.conn.base.Err() == nil {
			c.conn.note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf("logging/setLevel: %v", err)})
		}
	})
}

// Info is what the server said about itself.
func (c *Client) Info() Info { return c.info }

// Supports tells whether the server declared a capability, see Info.Supports.
func (c *Client) Supports(capability string) bool { return c.info.Supports(capability) }

// Request sends any request and returns its result as sent. params is an object;
// empty sends none. There are no rounds of input_required here.
func (c *Client) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	members, dialect, err := c.dialect.membersOf(params)
	if err != nil {
		return nil, fmt.Errorf("%w: params of %s: %w", ErrArguments, method, err)
	}
	return c.attempt(ctx, &request{dialect: dialect, method: method, members: members})
}

// Close ends the connection. Requests in flight end first, with
// ErrOutcomeUnknown and wire.ErrClosed. It returns in bounded time whatever the
// server does, and is safe to call twice.
func (c *Client) Close() error {
	c.closing.Do(func() {
		c.subscriptions.close()
		c.closed = c.conn.close()
	})
	return c.closed
}

// Done is closed when the connection is over.
func (c *Client) Done() <-chan struct{} { return c.conn.done }

// Err says why Done was closed; nil before, and after Close.
func (c *Client) Err() error {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return c.conn.err
}
