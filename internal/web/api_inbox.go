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

type resolveApprovalInput struct {
	ID   string `path:"id"`
	Body wire.ResolveApproval
}

type resolveQuestionInput struct {
	ID   string `path:"id"`
	Body wire.ResolveQuestion
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
		return nil, unresolved(err, "body.content")
	}
	return s.resolved(ctx, in.ID)
}

func (s *Server) resolveApproval(ctx context.Context, in *resolveApprovalInput) (*resolutionOutput, error) {
	answer := model.Answer{Action: model.ActionDecline, Note: in.Body.Note}
	if in.Body.Action == "approve" {
		answer = model.Answer{Action: model.ActionAccept, Scope: in.Body.Scope, ForArguments: in.Body.ForArguments}
		if answer.Scope == "" {
			answer.Scope = model.ScopeOnce
		}
	}
	return s.resolve(ctx, in.ID, model.ItemApproval, answer)
}

func (s *Server) resolveQuestion(ctx context.Context, in *resolveQuestionInput) (*resolutionOutput, error) {
	answer := model.Answer{Action: model.ActionAccept, Text: in.Body.Text}
	if in.Body.Action == "decline" {
		answer = model.Answer{Action: model.ActionDecline}
	}
	return s.resolve(ctx, in.ID, model.ItemQuestion, answer)
}

func (s *Server) dismissNotification(ctx context.Context, in *idInput) (*resolutionOutput, error) {
	return s.resolve(ctx, in.ID, model.ItemNotification, model.Answer{Action: model.ActionAccept})
}

// resolve answers an item of a kind.
func (s *Server) resolve(ctx context.Context, id string, kind model.ItemKind, answer model.Answer) (*resolutionOutput, error) {
	item, err := s.o.Inbox.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if item.Kind != kind {
		return nil, model.Errorf(model.CodeNotFound, "there is no %s of this id in the inbox", kind)
	}
	if err := s.o.Inbox.Resolve(ctx, id, answer, s.resolver(ctx)); err != nil {
		return nil, unresolved(err, "body")
	}
	return s.resolved(ctx, id)
}

// resolved is how an item ended, read back as it was recorded.
func (s *Server) resolved(ctx context.Context, id string) (*resolutionOutput, error) {
	item, err := s.o.Inbox.Get(ctx, id)
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

// unresolved is the answer to an answer that didn't count. place is where its fields
// are in the request.
func unresolved(err error, place string) error {
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
			p.Errors = append(p.Errors, wire.FieldError{Location: joined(place, f.Field), Message: f.Message})
		}
		return p
	}
	return err
}

// joined is where a field of an answer is in the request.
func joined(place, field string) string {
	if field == "" {
		return place
	}
	return place + "." + field
}
