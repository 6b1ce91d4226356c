package servers

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/demo"
	"kontor.dev/kontor/internal/bundled/kit"
	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// A tool that a call adds is listed soon after, however the server says so: on the
// shared channel, the GET stream, a subscription, or the stream of 2024-11-05.
func TestAChangedListIsReadAgain(t *testing.T) {
	t.Parallel()
	newDemo := func() *mcp.Server { return demo.New(demo.Options{Version: "test", Stderr: os.Stderr}) }
	serve := func(handler http.Handler) model.Server {
		listener := httptest.NewServer(handler)
		t.Cleanup(listener.Close)
		return remote("demo", listener.URL+"/mcp")
	}
	get := func() func(*http.Request) *mcp.Server {
		server := newDemo()
		return func(*http.Request) *mcp.Server { return server }
	}
	for name, c := range map[string]struct {
		config model.Server
		era    client.Era
	}{
		"stdio":               {child(t, "demo", "demo"), client.Modern},
		"HTTP, both eras":     {serve(kit.Handler(newDemo())), client.Modern},
		"HTTP with sessions":  {serve(mcp.NewStreamableHTTPHandler(get(), nil)), client.Legacy},
		"HTTP without":        {serve(mcp.NewStreamableHTTPHandler(get(), &mcp.StreamableHTTPOptions{Stateless: true})), client.Modern},
		"the older transport": {serve(mcp.NewSSEHandler(get(), nil)), client.Legacy},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := real(t, c.config)
			before := r.eventually(t, "demo", "ready", ready)
			if before.Era != string(c.era) {
				t.Errorf("era %s, want %s", before.Era, c.era)
			}
			conn, err := r.Conn(ctx, "demo")
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				what string
				more int
			}{{"add", 1}, {"remove", 0}} {
				arguments := json.RawMessage(`{"count":0,"tools":"` + step.what + `"}`)
				if _, err := conn.CallTool(ctx, client.ToolCall{Name: "notify", Arguments: arguments}); err != nil {
					t.Fatal(err)
				}
				r.eventually(t, "demo", "listed anew after "+step.what, func(st model.Status) bool { return st.Tools == before.Tools+step.more })
			}
		})
	}
}

// What was found about the older transport is kept for the next connection.
func TestTheOlderTransportIsRemembered(t *testing.T) {
	t.Parallel()
	server := demo.New(demo.Options{Version: "test", Stderr: os.Stderr})
	handler := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)
	requests := make(chan string, 1000)
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		requests <- req.Method + " " + req.URL.Path
		handler.ServeHTTP(w, req)
	}))
	t.Cleanup(listener.Close)
	r := real(t, remote("old", listener.URL+"/sse"))
	r.eventually(t, "old", "ready", ready)
	if first := <-requests; first != "POST /sse" {
		t.Errorf("the first request is %s", first)
	}
	r.log.mu.Lock()
	if all := strings.Join(r.log.lines, "\n"); !strings.Contains(all, "lifecycle the server speaks the older HTTP+SSE transport") {
		t.Errorf("the log says nothing of it:\n%s", all)
	}
	r.log.mu.Unlock()
	for len(requests) > 0 {
		<-requests
	}
	since := r.state(t, "old").Since
	if _, err := r.Reconnect("old"); err != nil {
		t.Fatal(err)
	}
	r.eventually(t, "old", "ready again", func(st model.Status) bool { return ready(st) && st.Since.After(since) })
	if first := <-requests; first != "GET /sse" {
		t.Errorf("the first request of the second connection is %s", first)
	}
}
