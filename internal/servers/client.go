package servers

import (
	"context"
	"encoding/json"

	"kontor.dev/kontor/internal/mcp/client"
)

// Client is the MCP client's side of an open connection.
type Client interface {
	Info() client.Info
	// Hears tells whether the server announces changes of what it declared as a
	// capability, and is listened to.
	Hears(capability string) bool
	ListTools(ctx context.Context) (client.List, error)
	ListResources(ctx context.Context) (client.List, error)
	ListResourceTemplates(ctx context.Context) (client.List, error)
	ListPrompts(ctx context.Context) (client.List, error)
	CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error)
	ReadResource(ctx context.Context, uri string) (json.RawMessage, error)
	GetPrompt(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error)
	Complete(ctx context.Context, params json.RawMessage) (json.RawMessage, error)
	// Close ends the connection within bounds, whatever the server does.
	Close() error
	Done() <-chan struct{}
	Err() error
}

var _ Client = (*client.Client)(nil)
