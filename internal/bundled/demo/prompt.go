package demo

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (d *demo) addPrompts() {
	d.server.AddPrompt(&mcp.Prompt{
		Name:        "tour",
		Title:       "Tour",
		Description: "Has the assistant show what the demo server can do.",
	}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return ask("Show me what the demo server can do: draw a picture, show a table, then ask me with a form."), nil
	})
	d.server.AddPrompt(&mcp.Prompt{
		Name:        poemPrompt,
		Title:       "Poem",
		Description: "Has the assistant write a poem.",
		Arguments: []*mcp.PromptArgument{
			{Name: "topic", Title: "Topic", Description: "What it is about.", Required: true},
			{Name: "form", Title: "Form", Description: "Which kind of poem; a haiku when left out."},
		},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		topic, form := req.Params.Arguments["topic"], req.Params.Arguments["form"]
		if topic == "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument topic is missing"}
		}
		if form == "" {
			form = "haiku"
		}
		return ask(fmt.Sprintf("Write a %s about %s.", form, topic)), nil
	})
}

const poemPrompt = "poem"

// ask is a prompt of one message in the person's name.
func ask(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: text}},
	}}
}
