// Package kit is what the bundled MCP servers share: serving both revisions of
// the protocol over stdio and HTTP, asking the person something, sending a push
// of any name, and results whose numbers stay exact. It covers what the SDK
// leaves to its user and knows no tool. A bundled server imports nothing else of
// this module, so that it could be lifted out and run anywhere.
package kit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// About is what a server says of itself before any tool is added.
type About struct {
	// Name is for programs, Title for people, Version of the program.
	Name, Title, Version string
	// Description is one sentence for people.
	Description string
	// Instructions tell a model how to use the server.
	Instructions string
	// Complete answers completion/complete; nil when nothing can be completed.
	Complete func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error)
}

// New returns a server without tools that can be served by [Stdio] and [HTTP].
// One server serves any number of sessions of both revisions.
func New(about About) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{
		Name:        about.Name,
		Title:       about.Title,
		Version:     about.Version,
		Description: about.Description,
	}, &mcp.ServerOptions{
		Instructions:      about.Instructions,
		CompletionHandler: about.Complete,
	})
	server.AddSendingMiddleware(sendSchemasAsWritten)
	server.AddReceivingMiddleware(nullIsNoArguments, errorsAreJSON)
	return server
}

// nullIsNoArguments takes `"arguments": null`, which some clients send for none, as
// none. The SDK panics over it when the schema has defaults.
func nullIsNoArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && string(call.Arguments) == "null" {
			call.Arguments = nil
		}
		return next(ctx, method, req)
	}
}

// errorsAreJSON leaves out the data of an error that is no JSON. The SDK quotes the
// address of a resource that isn't there as Go does, and over an answer that it can't
// write it ends the whole server.
func errorsAreJSON(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if answer, ok := errors.AsType[*jsonrpc.Error](err); ok && len(answer.Data) > 0 && !json.Valid(answer.Data) {
			return nil, &jsonrpc.Error{Code: answer.Code, Message: answer.Message}
		}
		return result, err
	}
}

// ReadOnly are the hints of a tool that changes nothing and talks to nobody.
func ReadOnly() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}
}

// Additive are the hints of a tool that has an effect, but takes nothing away.
func Additive() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(false)}
}

// Text is a result of one text block.
func Text(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// Structured is a result with value as structuredContent, and the same JSON as
// text for clients that read no other.
//
// The SDK's own way to do this (returning the value from the handler) takes the
// JSON apart and makes it anew to fill in defaults, and integers over 2^53 come
// out as other integers. Here the bytes go out as encoding/json wrote them.
func Structured(value any) (*mcp.CallToolResult, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", value, err)
	}
	result := Text(string(data))
	result.StructuredContent = json.RawMessage(data)
	return result, nil
}
