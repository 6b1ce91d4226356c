package calls

import (
	"context"
	"encoding/json"
	"log/slog"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
)

// Conn is a live connection to a server. Its errors carry a *model.Error in
// words; they wrap wire.ErrNotSent or wire.ErrSessionLost when the server is
// known not to have run the call, and client.ErrOutcomeUnknown when it may have.
type Conn interface {
	CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error)
}

// Catalogue resolves names.
type Catalogue interface {
	// Resolve finds a tool by full name or alias, or answers CodeNotFound.
	Resolve(name string) (model.Tool, error)
	// Listed tells whether a server's tools are known.
	Listed(server string) bool
}

// Store keeps one row per call. Both writes return once committed.
type Store interface {
	InsertCall(ctx context.Context, call model.Call) error
	FinishCall(ctx context.Context, call model.Call) error
	// Call answers CodeNotFound for an unknown id.
	Call(ctx context.Context, id string) (model.Call, error)
	// ListCalls returns the newest first, and a cursor for more.
	ListCalls(ctx context.Context, f Filter) (items []model.Call, next string, err error)
}

// Media keeps bytes; too large ones are refused with CodeTooLarge.
type Media interface {
	Put(data []byte, mimeType string) (model.Media, error)
}

// Options are what a Service works with. All but Rights and Log are needed.
type Options struct {
	// Open is where the calls are while they run.
	Open *Registry
	// Server returns a configured server.
	Server func(name string) (model.Server, error)
	// Connect returns a live connection. It dials at once when there is none,
	// and waits up to the server's start limit.
	Connect func(ctx context.Context, server string) (Conn, error)
	// Rights waits until the person grants what a call was refused for. Left out, the
	// call fails.
	Rights    func(ctx context.Context, call model.Call) error
	Catalogue Catalogue
	Store     Store
	Media     Media
	// Publish must not block.
	Publish func(model.Event)
	Log     *slog.Logger
}

// Filter chooses calls of a list.
type Filter = store.CallFilter

// Request is a wish to run a tool.
type Request = model.CallRequest
