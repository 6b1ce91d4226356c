package web

import (
	"context"

	"kontor.dev/kontor/internal/web/wire"
)

type inboxOutput struct{ Body wire.Inbox }

type resolveInput struct {
	ID   string `path:"id"`
	Body wire.ResolveElicitation
}

type resolutionOutput struct{ Body wire.Resolution }

func (s *Server) getInbox(context.Context, *struct{}) (*inboxOutput, error) { return nil, nil }
func (s *Server) resolveElicitation(context.Context, *resolveInput) (*resolutionOutput, error) {
	return nil, nil
}
