package web

import (
	"context"
	"errors"

	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

type inboxOutput struct{ Body wire.Inbox }

type resolveInput struct {
	ID   string `path:"id"`
	Body wire.ResolveElicitation
}

type resolutionOutput struct{ Body wire.Resolution }

func (s *Server) getInbox(context.Context, *struct{}) (*inboxOutput, error) {
	return &inboxOutput{wire.InboxOf(s.o.Inbox.Open())}, nil
}

func (s *Server) resolveElicitation(ctx context.Context, in *resolveInput) (*resolutionOutput, error) {
	item, err := s.o.Inbox.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if item.Kind != model.ItemElicitation {
		return nil, model.Errorf(model.CodeNotFound, "this item isn't a question of a server")
	}
	answer := model.Answer{Action: in.Body.Action, Content: in.Body.Content}
	if err := s.o.Inbox.Resolve(ctx, in.ID, answer, s.resolver(ctx)); err != nil {
		return nil, unresolved(err)
	}
	item, err = s.o.Inbox.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	r := wire.ResolutionOf(item)
	if r == nil {
		return nil, model.Errorf(model.CodeInternal, "the answer was given but not recorded")
	}
	return &resolutionOutput{*r}, nil
}

// resolver says who answers: the owner, or a token by its name.
func (s *Server) resolver(ctx context.Context) string {
	if id := identityOf(ctx); id.Kind == access.KindToken {
		return id.Label
	}
	return "you"
}

// unresolved is the answer to an answer that didn't count.
func unresolved(err error) error {
	var gone *inbox.GoneError
	if errors.As(err, &gone) {
		p := wire.NewProblem(model.CodeGone, gone.Error())
		p.Resolution = wire.ResolutionOf(gone.Item)
		return p
	}
	var invalid *inbox.InvalidError
	if errors.As(err, &invalid) {
		p := wire.NewProblem(model.CodeInvalid, invalid.Error())
		for _, f := range invalid.Fields {
			p.Errors = append(p.Errors, wire.FieldError{Location: contentLocation(f.Field), Message: f.Message})
		}
		return p
	}
	return err
}

// contentLocation is where a field of an answer is in the request.
func contentLocation(field string) string {
	if field == "" {
		return "body.content"
	}
	return "body.content." + field
}
