package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kontor.dev/kontor/internal/mcp/wire"
)

// CallTool runs a tool and returns its result as sent. The request goes out
// once; only where the server has refused it before running it, or asks for
// input, a further one follows: input_required, -32042, -32022.
//
// When ctx ends it returns context.Cause(ctx) at once, and the server is told in
// the background.
func (c *Client) CallTool(ctx context.Context, call ToolCall) (json.RawMessage, error) {
	arguments, err := compactObject(call.Arguments)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrArguments, err)
	}
	r := &request{
		dialect: c.dialect, method: "tools/call", name: call.Name, progress: true,
		members: splice(`"name":`, quote(call.Name), `,"arguments":`, string(arguments)),
		callID:  call.CallID, onProgress: call.OnProgress, onSent: call.OnSent,
	}
	if c.mirrorsParams() {
		if r.params, err = c.paramHeaders(ctx, call.Name, arguments); err != nil {
			return nil, err
		}
	}
	result, err := c.rounds(ctx, r)
	var rpc *wire.Error
	if errors.As(err, &rpc) && rpc.Code == wire.CodeHeaderMismatch {
		c.headers.forget(call.Name) // the schema has changed: the next call asks for it
	}
	return result, err
}

// ReadResource reads a resource by its uri.
func (c *Client) ReadResource(ctx context.Context, uri string) (json.RawMessage, error) {
	return c.rounds(ctx, &request{dialect: c.dialect, method: "resources/read", name: uri, members: splice(`"uri":`, quote(uri))})
}

// GetPrompt fills in a prompt. arguments is an object of strings; empty sends
// none.
func (c *Client) GetPrompt(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	members := splice(`"name":`, quote(name))
	if len(arguments) > 0 {
		object, err := compactObject(arguments)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrArguments, err)
		}
		members = append(append(members, `,"arguments":`...), object...)
	}
	return c.rounds(ctx, &request{dialect: c.dialect, method: "prompts/get", name: name, members: members})
}

// Complete asks for completions; params is CompleteRequestParams.
func (c *Client) Complete(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	return c.Request(ctx, "completion/complete", params)
}

func splice(parts ...string) []byte {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	b := make([]byte, 0, size)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}
