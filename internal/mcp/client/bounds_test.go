package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/streamhttp"
	"kontor.dev/kontor/internal/mcp/wire"
)

// unhurried is a server with sessions of 2025-11-25 whose GET stream never begins
// and whose calls never end: hang is what it does with one.
func unhurried(t *testing.T, called chan<- struct{}, hang http.HandlerFunc) Options {
	t.Helper()
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m, _ := wire.Parse(body)
		switch {
		case r.Method == http.MethodGet:
			<-r.Context().Done()
		case m.Method == "tools/call":
			called <- struct{}{}
			hang(w, r)
		case m.Kind() == wire.Request:
			w.Header().Set("Mcp-Session-Id", "a")
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"tools":[]}}`, m.ID)
		}
	}))
	t.Cleanup(listener.Close)
	dial, err := streamhttp.Dialer(endpoint.Options{URL: listener.URL, Client: listener.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return Options{HTTP: true, Dial: dial, KnownEra: Legacy}
}

// within fails the test when do takes longer.
func within(t *testing.T, limit time.Duration, what string, do func()) {
	t.Helper()
	start := time.Now()
	do()
	if took := time.Since(start); took > limit {
		t.Errorf("%s took %s, over %s", what, took, limit)
	}
}

func TestAGETThatIsNeverAnsweredHoldsUpNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := unhurried(t, nil, nil)
	var c *Client
	within(t, 5*time.Second, "Connect", func() {
		var err error
		if c, err = Connect(ctx, o); err != nil {
			t.Fatal(err)
		}
	})
	within(t, 5*time.Second, "a list", func() {
		if _, err := c.ListTools(ctx); err != nil {
			t.Error(err)
		}
	})
	within(t, 5*time.Second, "Close", func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Whatever the server does with calls that run, Close ends them and returns.
func TestCloseIsBoundedWhileCallsRun(t *testing.T) {
	t.Parallel()
	const calls = 8
	called := make(chan struct{}, 3*calls)
	for name, o := range map[string]Options{
		"stdio": {Dial: stdio.Dialer(stdio.Options{Command: os.Args[0], Env: []string{peerVar + "=1"}})},
		"HTTP, no answer": unhurried(t, called, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}),
		"HTTP, an open stream": unhurried(t, called, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", endpoint.EventStream)
			_, _ = io.WriteString(w, "id: 1\ndata:\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := Connect(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			sent, ended := make(chan struct{}, calls), make(chan error, calls)
			for range calls {
				go func() {
					_, err := c.CallTool(context.Background(), ToolCall{Name: "stuck", OnSent: func() { sent <- struct{}{} }})
					ended <- err
				}()
			}
			for range calls {
				<-sent
				if o.HTTP {
					<-called
				}
			}
			within(t, 12*time.Second, "Close", func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			})
			for range calls {
				if err := <-ended; !errors.Is(err, ErrOutcomeUnknown) && !errors.Is(err, wire.ErrNotSent) {
					t.Errorf("a call ended with %v", err)
				}
			}
		})
	}
}
