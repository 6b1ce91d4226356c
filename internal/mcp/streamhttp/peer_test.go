package streamhttp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official SDK's server is the peer: a session, an answer by event stream,
// a push by the GET stream, and the end of the session.
func TestAgainstTheOfficialSDK(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
	type none struct{}
	add := func(name string) {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(_ context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	}
	add("one")
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	peer := httptest.NewServer(handler)
	t.Cleanup(peer.Close)
	pool := &http.Transport{}
	t.Cleanup(pool.CloseIdleConnections)
	listening := make(chan struct{}, 1)
	tr, got := dialTo(t, peer.URL, roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := pool.RoundTrip(r)
		if r.Method == http.MethodGet && err == nil {
			listening <- struct{}{}
		}
		return resp, err
	}))

	opening := outgoing(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"k","version":"1"}}}`, latestLegacy))
	opening.ProtocolVersion = ""
	if err := tr.Send(t.Context(), opening); err != nil {
		t.Fatal(err)
	}
	if err := tr.Send(t.Context(), outgoing(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)); err != nil {
		t.Fatal(err)
	}
	if err := tr.Send(t.Context(), request(1, "tools/list")); err != nil {
		t.Fatal(err)
	}
	got.await(t, `"name":"one"`)

	tr.Listen(t.Context())
	<-listening
	add("two")
	got.await(t, " "+`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"`)

	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	for range server.Sessions() {
		t.Error("a session is left")
	}
}
