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
