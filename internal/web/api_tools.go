package web

import (
	"context"
	"strconv"

	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

type toolsInput struct {
	Server string `query:"server"`
	Limit  int    `query:"limit" minimum:"1" maximum:"5000" default:"5000"`
	Cursor string `query:"cursor"`
}

type toolsOutput struct{ Body wire.List[wire.Tool] }

func (s *Server) listTools(_ context.Context, in *toolsInput) (*toolsOutput, error) {
	page, next, err := pageOf(s.o.Catalogue.Tools(catalogue.Filter{Server: in.Server}), in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	items := make([]wire.Tool, len(page))
	for i, t := range page {
		items[i] = wire.ToolOf(t)
	}
	return &toolsOutput{wire.ListOf(items, next)}, nil
}

type acceptInput struct {
	Body struct {
		Name string    `json:"name" doc:"mcp__<server>__<tool>"`
		At   wire.Time `json:"at" doc:"changed.at of what the person saw; when the tool has changed again since, the answer is 409"`
	}
}

type toolOutput struct{ Body wire.Tool }

func (s *Server) acceptTool(ctx context.Context, in *acceptInput) (*toolOutput, error) {
	tool, err := s.o.Catalogue.Resolve(in.Body.Name)
	if err != nil {
		return nil, err
	}
	if tool, err = s.o.Catalogue.Accept(ctx, tool.Server, tool.Name, in.Body.At.Time); err != nil {
		return nil, err
	}
	return &toolOutput{wire.ToolOf(tool)}, nil
}

// pageOf cuts a list that is in memory. The cursor is a place in it: a change in
// between may show an entry twice or not, which the news of the change makes good.
func pageOf[T any](all []T, cursor string, limit int) (page []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 {
			return nil, "", model.Errorf(model.CodeInvalid, "cursor isn't one that a list gave")
		}
	}
	from = min(from, len(all))
	to := min(from+limit, len(all))
	if to < len(all) {
		next = strconv.Itoa(to)
	}
	return all[from:to], next, nil
}
