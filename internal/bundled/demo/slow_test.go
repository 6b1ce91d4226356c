package demo

import (
	"context"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestSlowTellsItsProgress(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		told := make(chan *mcp.ProgressNotificationParams, 10)
		p := connect(t, w, &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
				told <- req.Params
			},
		})
		params := &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"steps": 3, "delay_ms": 1}}
		params.SetProgressToken("a token")
		result, err := p.CallTool(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := text(t, result), "Done in 3 steps."; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for step := 1; step <= 3; step++ {
			got := <-told
			if got.ProgressToken != "a token" || got.Progress != float64(step) || got.Total != 3 || got.Message == "" {
				t.Errorf("got %+v, want step %d of 3", got, step)
			}
		}
	})
}

func TestSlowTellsNothingToWhoDidNotAsk(t *testing.T) {
	t.Parallel()
	p := connect(t, way{"memory", newer}, nil)
	p.call(t, "slow", map[string]any{"steps": 3, "delay_ms": 0})
	if got := p.heard.count("notifications/progress"); got != 0 {
		t.Errorf("heard of progress %d times, want none", got)
	}
}

func TestSlowStopsWhenCancelled(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		started := make(chan struct{}, 1000)
		p := connect(t, w, &mcp.ClientOptions{
			ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
				started <- struct{}{}
			},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			params := &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"steps": 1000, "delay_ms": 60}}
			params.SetProgressToken("t")
			_, err := p.CallTool(ctx, params)
			done <- err
		}()
		<-started
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want cancelled", err)
		}
		p.stderr.await(t, "slow: stopped in step", 1)
		p.call(t, "echo", map[string]any{"text": "still there"})
	})
}

func TestFailFailsBothWays(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		result := p.call(t, "fail", map[string]any{"message": "no luck"})
		if got := text(t, result); !result.IsError || got != "no luck" {
			t.Errorf("got %q (an error: %v), want the error no luck", got, result.IsError)
		}
		_, err := p.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "fail", Arguments: map[string]any{"message": "no luck", "how": "protocol"},
		})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != failCode || wire.Message != "no luck" {
			t.Errorf("got %v, want the protocol error no luck", err)
		}
	})
}
