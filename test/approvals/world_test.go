package approvals

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// world is what is there whether or not Kontor runs: the database, and a server.
type world struct {
	path string

	mu      sync.Mutex
	sent    []client.ToolCall
	deleted bool
	offers  string // the list of its tools
	trusted bool
	created time.Time // the server
}

const plainTool = `{"name":"run","description":"Runs it","inputSchema":{"type":"object"}}`

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{path: filepath.Join(t.TempDir(), "kontor.db"), offers: plainTool}
}

func (w *world) server(name string) (model.Server, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if name != "s" || w.deleted {
		return model.Server{}, model.Errorf(model.CodeNotFound, "there is no server %s", name)
	}
	return model.Server{Name: "s", Enabled: true, Trusted: w.trusted, CreatedAt: w.created}, nil
}

// connect is the server: it notes what it is sent, and answers at once.
func (h *house) connect(context.Context, string) (calls.Conn, error) {
	if _, err := h.server("s"); err != nil {
		return nil, err
	}
	return conn{h}, nil
}

type conn struct{ *house }

func (c conn) CallTool(_ context.Context, call client.ToolCall) (json.RawMessage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, call)
	return json.RawMessage(`{"content":[{"type":"text","text":"ran"}]}`), nil
}

func (w *world) received() []client.ToolCall {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent
}

// list has the server list its tools.
func (h *house) list() {
	h.mu.Lock()
	offers := h.offers
	h.mu.Unlock()
	h.shelf.Replace("s", model.ListTools, []json.RawMessage{json.RawMessage(offers)})
}

// offer changes what the server offers.
func (h *house) offer(tool string) {
	h.mu.Lock()
	h.offers = tool
	h.mu.Unlock()
	h.list()
}
