package main

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect opens a session of the official SDK's client.
func connect(ctx context.Context, t mcp.Transport) (*mcp.ClientSession, error) {
	return mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, t, nil)
}

func overStdio(ctx context.Context, command string, args ...string) mcp.Transport {
	return &mcp.CommandTransport{Command: exec.CommandContext(ctx, command, args...)}
}

// overHTTP keeps as many connections as there are calls in flight; net/http's
// default of two would measure the making of connections.
func overHTTP(address string) mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: "http://" + address, HTTPClient: keepAlive()}
}

func keepAlive() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: mostInFlight}}
}

// direct calls the tool through a session.
func direct(session *mcp.ClientSession, size int) caller {
	return func(ctx context.Context) error {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: toolName, Arguments: map[string]int{"bytes": size}})
		if err != nil {
			return err
		}
		if len(result.Content) != 1 {
			return fmt.Errorf("%d blocks of content, want 1", len(result.Content))
		}
		if text, ok := result.Content[0].(*mcp.TextContent); !ok || len(text.Text) != size {
			return fmt.Errorf("the result is not a text of %d bytes", size)
		}
		return nil
	}
}
