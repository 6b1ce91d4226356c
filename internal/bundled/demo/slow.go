package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type slowArgs struct {
	Steps   int `json:"steps"`
	DelayMs int `json:"delay_ms"`
}

func (d *demo) addSlow() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "slow",
		Title:       "Slow work",
		Description: "Works in steps, tells its progress after each, and stops at once when it is cancelled, which it writes to stderr.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"steps": {"type": "integer", "title": "Steps", "description": "How many steps.", "minimum": 1, "maximum": 1000, "default": 5},
				"delay_ms": {"type": "integer", "title": "Delay", "description": "How long each step takes, in milliseconds.", "minimum": 0, "maximum": 600000, "default": 500}
			},
			"additionalProperties": false
		}`),
	}, func(ctx context.Context, req *mcp.CallToolRequest, args slowArgs) (*mcp.CallToolResult, any, error) {
		delay := time.Duration(args.DelayMs) * time.Millisecond
		for step := range args.Steps {
			select {
			case <-ctx.Done():
				// The client no longer hears an answer; the log shows that the cancel arrived.
				stopped := fmt.Sprintf("slow: stopped in step %d of %d", step+1, args.Steps)
				return nil, nil, errors.Join(errors.New(stopped), d.writeLine(stopped))
			case <-time.After(delay):
			}
			if err := progress(ctx, req, step+1, args.Steps); err != nil {
				return nil, nil, err
			}
		}
		return kit.Text(fmt.Sprintf("Done in %d steps.", args.Steps)), nil, nil
	})
}

// progress tells a client that asked for it (by sending a token) that step is done.
func progress(ctx context.Context, req *mcp.CallToolRequest, step, steps int) error {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token,
		Progress:      float64(step),
		Total:         float64(steps),
		Message:       fmt.Sprintf("Step %d of %d done", step, steps),
	})
}

type failArgs struct {
	Message string `json:"message"`
	How     string `json:"how"`
}

// failCode is a JSON-RPC error of this server's own (outside the reserved range).
const failCode = -31000

func (d *demo) addFail() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "fail",
		Title:       "Failure",
		Description: "Fails with a message, as a tool does (a result marked as an error) or as a server does (a protocol error).",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"message": {"type": "string", "title": "Message", "description": "What the error says.", "minLength": 1, "maxLength": 100000, "default": "This tool always fails."},
				"how": {"type": "string", "title": "How", "description": "result: isError. protocol: a JSON-RPC error.", "enum": ["result", "protocol"], "default": "result"}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args failArgs) (*mcp.CallToolResult, any, error) {
		if args.How == "protocol" {
			return nil, nil, &jsonrpc.Error{Code: failCode, Message: args.Message}
		}
		return nil, nil, errors.New(args.Message)
	})
}
