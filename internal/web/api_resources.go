package web

import (
	"context"

	"kontor.dev/kontor/internal/web/wire"
)

type byServerInput struct {
	Server string `query:"server"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor"`
}

type resourcesOutput struct{ Body wire.List[wire.Resource] }
type readInput struct{ Body wire.ReadResource }
type readOutput struct{ Body wire.ResourceContents }
type promptsOutput struct{ Body wire.List[wire.Prompt] }
type promptInput struct{ Body wire.GetPrompt }
type promptOutput struct{ Body wire.PromptMessages }
type completeInput struct{ Body wire.Complete }
type completeOutput struct{ Body wire.Completion }

func (s *Server) listResources(context.Context, *byServerInput) (*resourcesOutput, error) {
	return nil, nil
}
func (s *Server) readResource(context.Context, *readInput) (*readOutput, error) { return nil, nil }
func (s *Server) listPrompts(context.Context, *byServerInput) (*promptsOutput, error) {
	return nil, nil
}
func (s *Server) getPrompt(context.Context, *promptInput) (*promptOutput, error)    { return nil, nil }
func (s *Server) complete(context.Context, *completeInput) (*completeOutput, error) { return nil, nil }
