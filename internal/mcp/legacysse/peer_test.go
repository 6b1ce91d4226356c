package legacysse

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/mcp/wire"
)

// The official SDK's server of that revision is the peer.
func TestAgainstTheOfficialSDK(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
	type none struct{}
	add := func(name string) {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	}
	add("one")
	address := serve(t, mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	tr, got, err := dial(t.Context(), t, address)
	if err != nil {
		t.Fatal(err)
	}
	opening := wire.NewRequest(1, "initialize", json.RawMessage(
		`{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"k","version":"1"}}`))
	for _, m := range []wire.Message{
		opening, wire.NewNotification("notifications/initialized", nil), wire.NewRequest(2, "tools/list", nil),
	} {
		if err := tr.Send(t.Context(), wire.Outgoing{Message: m}); err != nil {
			t.Fatalf("%s: %v", m.Method, err)
		}
	}
	got.await(t, `"name":"one"`)
	add("two")
	got.await(t, `|{"jsonrpc":"2.0","method":"notifications/tools/list_changed"`)
}
