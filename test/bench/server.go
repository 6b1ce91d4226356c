package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolName is the one tool of the server under test: it answers with a text of a
// size that the arguments name.
const toolName = "text"

// The sizes of a result.
const (
	small = 64
	large = 1 << 20
)

// newServer is the server that both sides call: the SDK's own, with a handler that
// does next to nothing.
func newServer() *mcp.Server {
	// Lines as in a text that people read.
	text := strings.Repeat("A line of text that a tool gives back, as long as lines in a document.\n", large/70)
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{
		Name:        toolName,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"bytes":{"type":"integer"},"mark":{"type":"string"}},"required":["bytes"]}`),
	}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var arguments struct{ Bytes int }
		if err := json.Unmarshal(r.Params.Arguments, &arguments); err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text[:arguments.Bytes]}}}, nil
	})
	return server
}

func serveStdio(ctx context.Context) error { return newServer().Run(ctx, &mcp.StdioTransport{}) }

func peerHandler() http.Handler {
	server := newServer()
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
}
