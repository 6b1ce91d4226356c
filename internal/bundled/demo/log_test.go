package demo

//lint:file-ignore SA1019 2026-07-28 deprecates logging; see log.go

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestLogWritesToStderrAndToTheClient(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		levels := make(chan mcp.LoggingLevel, 10)
		p := connect(t, w, &mcp.ClientOptions{
			LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) { levels <- req.Params.Level },
		})
		params := &mcp.CallToolParams{Name: "log", Arguments: map[string]any{"message": "ping", "lines": 2}}
		if w.revision == newer {
			params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "warning"}
		} else if err := p.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		for _, want := range []mcp.LoggingLevel{"warning", "error", "critical", "alert", "emergency"} {
			if got := <-levels; got != want {
				t.Errorf("got a message at level %s, want %s", got, want)
			}
		}
		p.stderr.await(t, "ping (line 2 of 2)\n", 1)
	})
}
