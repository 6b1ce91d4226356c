package web

import (
	"context"
	"encoding/json"

	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/web/wire"
)

type promptsOutput struct{ Body wire.List[wire.Prompt] }

type promptInput struct{ Body wire.GetPrompt }

type promptOutput struct{ Body wire.PromptMessages }

func (s *Server) listPrompts(_ context.Context, in *byServerInput) (*promptsOutput, error) {
	page, next, err := pageOf(s.o.Catalogue.Prompts(in.Server), in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	items := make([]wire.Prompt, len(page))
	for i, p := range page {
		items[i] = wire.Prompt{
			Server: p.Server, Name: p.Name, Title: p.Title, Description: p.Description,
			Arguments: promptArguments(p.Arguments), Icons: members(p.Raw)["icons"],
		}
	}
	return &promptsOutput{wire.ListOf(items, next)}, nil
}

func promptArguments(raw json.RawMessage) []wire.PromptArgument {
	var entries []json.RawMessage
	_ = json.Unmarshal(raw, &entries) // no list, no arguments
	arguments := make([]wire.PromptArgument, 0, len(entries))
	for _, e := range entries {
		m := members(e)
		arguments = append(arguments, wire.PromptArgument{
			Name: m.text("name"), Title: m.text("title"), Description: m.text("description"),
			Required: string(m["required"]) == "true",
		})
	}
	return arguments
}

func (s *Server) getPrompt(ctx context.Context, in *promptInput) (*promptOutput, error) {
	conn, err := s.o.Servers.Conn(ctx, in.Body.Server)
	if err != nil {
		return nil, err
	}
	arguments, err := json.Marshal(in.Body.Arguments)
	if err != nil {
		return nil, err
	}
	if in.Body.Arguments == nil {
		arguments = nil
	}
	raw, err := conn.GetPrompt(ctx, in.Body.Name, arguments)
	if err != nil {
		return nil, err
	}
	description, messages, err := calls.ReadPrompt(raw, s.o.Media)
	if err != nil {
		return nil, err
	}
	out := wire.PromptMessages{Description: description, Messages: []wire.PromptMessage{}}
	for _, m := range messages {
		out.Messages = append(out.Messages, wire.PromptMessage(m))
	}
	return &promptOutput{out}, nil
}
