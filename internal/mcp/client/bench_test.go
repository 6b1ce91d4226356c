package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/streamhttp"
)

// BenchmarkCall compares a call over Streamable HTTP with the official SDK's
// client against the same server, 64 calls in flight.
func BenchmarkCall(b *testing.B) {
	for size, text := range map[string]string{"small": "x", "1MiB": strings.Repeat("x", 1<<20)} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
			})
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
		listener := httptest.NewServer(handler)
		defer listener.Close()
		listener.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = 64
		b.Run(size+"/ours", func(b *testing.B) {
			dial, err := streamhttp.Dialer(endpoint.Options{URL: listener.URL, Client: listener.Client()})
			if err != nil {
				b.Fatal(err)
			}
			c, err := Connect(b.Context(), Options{HTTP: true, Dial: dial, Name: "b", Version: "1"})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			inFlight(b, func() error {
				_, err := c.CallTool(b.Context(), ToolCall{Name: "t"})
				return err
			})
		})
		b.Run(size+"/sdk", func(b *testing.B) {
			c, err := mcp.NewClient(&mcp.Implementation{Name: "b", Version: "1"}, nil).Connect(b.Context(),
				&mcp.StreamableClientTransport{Endpoint: listener.URL, HTTPClient: listener.Client()}, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			inFlight(b, func() error {
				_, err := c.CallTool(b.Context(), &mcp.CallToolParams{Name: "t"})
				return err
			})
		})
	}
}

// inFlight runs b.N calls, 64 at a time.
func inFlight(b *testing.B, call func() error) {
	b.ReportAllocs()
	b.ResetTimer()
	turns := make(chan struct{})
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range turns {
				if err := call(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for range b.N {
		turns <- struct{}{}
	}
	close(turns)
	all.Wait()
}
