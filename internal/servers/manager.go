package servers

import (
	"context"
	"encoding/json"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// Manager owns the servers.
type Manager struct{ o Options }

// New makes a manager without servers: see Start.
func New(o Options) *Manager { return &Manager{o: o} }

// Start reads the configurations and begins to connect, in the background.
func (m *Manager) Start(ctx context.Context) error { return nil }

// Close ends all connections side by side and waits for them, within the bounds
// of the transports.
func (m *Manager) Close() error { return nil }

// List returns every server, by name.
func (m *Manager) List() []View { return nil }

// Get returns one server, or CodeNotFound.
func (m *Manager) Get(name string) (View, error) { return View{}, nil }

// Server returns one server's configuration, or CodeNotFound.
func (m *Manager) Server(name string) (model.Server, error) { return model.Server{}, nil }

// Add saves a server and begins to connect. A taken name is CodeConflict.
func (m *Manager) Add(ctx context.Context, s model.Server) (View, error) { return View{}, nil }

// Update replaces a configuration, by its name.
func (m *Manager) Update(ctx context.Context, s model.Server, o UpdateOptions) (View, error) {
	return View{}, nil
}

// SetEnabled switches a server on or off.
func (m *Manager) SetEnabled(ctx context.Context, name string, enabled bool) (View, error) {
	return View{}, nil
}

// Delete ends a server and forgets it.
func (m *Manager) Delete(ctx context.Context, name string) error { return nil }

// Reconnect closes the connection and dials at once; it doesn't wait for it.
func (m *Manager) Reconnect(name string) (View, error) { return View{}, nil }

// Verify tries a configuration without saving it: it connects, lists and
// closes. Needing sign-in counts as started. The error is the failed stage's.
func (m *Manager) Verify(ctx context.Context, s model.Server) ([]Stage, error) { return nil, nil }

// Conn returns a live connection. It dials at once when there is none, whatever
// the backoff, and waits up to the start limit.
func (m *Manager) Conn(ctx context.Context, name string) (*Conn, error) { return nil, nil }

// Conn is a live connection to one server. Its errors are *model.Error in words
// that wrap their cause.
type Conn struct{}

// CallTool runs a tool and returns the result as sent.
func (c *Conn) CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error) {
	return nil, nil
}

// ReadResource returns the result of resources/read as sent.
func (c *Conn) ReadResource(ctx context.Context, uri string) (json.RawMessage, error) {
	return nil, nil
}

// GetPrompt returns the result of prompts/get as sent.
func (c *Conn) GetPrompt(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	return nil, nil
}

// Complete returns the result of completion/complete as sent; params is its
// whole params object.
func (c *Conn) Complete(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	return nil, nil
}
