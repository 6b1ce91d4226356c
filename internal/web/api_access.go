package web

import (
	"context"
	"net/http"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

type accessOutput struct{ Body wire.Access }

type passwordInput struct{ Body wire.SetPassword }

type removePasswordInput struct{ Body wire.RemovePassword }

type webSessionsOutput struct{ Body wire.List[wire.WebSession] }

type logOutOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
}

func (s *Server) getAccess(ctx context.Context, _ *struct{}) (*accessOutput, error) {
	set, err := s.o.Access.PasswordSet(ctx)
	if err != nil {
		return nil, err
	}
	return &accessOutput{wire.Access{
		PasswordSet: set, PasswordFixed: s.o.Access.PasswordFixed(),
		APIToken: s.o.Access.TokenFromEnvironment(), BaseURL: s.BaseURL(),
	}}, nil
}

func (s *Server) setPassword(ctx context.Context, in *passwordInput) (*struct{}, error) {
	if in.Body.Password == "" {
		return nil, model.Errorf(model.CodeInvalid, "password is missing")
	}
	return nil, s.o.Access.ChangePassword(ctx, clientOf(ctx), in.Body.Current, in.Body.Password, identityOf(ctx).ID)
}

func (s *Server) removePassword(ctx context.Context, in *removePasswordInput) (*struct{}, error) {
	if err := s.needsPassword(ctx); err != nil {
		return nil, err
	}
	return nil, s.o.Access.ChangePassword(ctx, clientOf(ctx), in.Body.Current, "", identityOf(ctx).ID)
}

// needsPassword refuses to leave an address that others reach without one.
func (s *Server) needsPassword(ctx context.Context) error {
	if !config.Public(s.o.ListenAddr) {
		return nil
	}
	tokens, err := s.o.Access.Tokens(ctx)
	if err != nil {
		return err
	}
	if len(tokens) == 0 && !s.o.Access.TokenFromEnvironment() {
		return model.Errorf(model.CodeConflict, "Kontor listens on %s, which other machines may reach: it needs a password or a token", s.o.ListenAddr)
	}
	return nil
}

func (s *Server) listWebSessions(ctx context.Context, _ *struct{}) (*webSessionsOutput, error) {
	sessions, err := s.o.Access.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]wire.WebSession, len(sessions))
	for i, w := range sessions {
		items[i] = wire.WebSessionOf(w, identityOf(ctx).ID)
	}
	return &webSessionsOutput{wire.ListOf(items, "")}, nil
}

func (s *Server) revokeWebSession(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, s.o.Access.EndSession(ctx, in.ID)
}

func (s *Server) logOut(ctx context.Context, _ *struct{}) (*logOutOutput, error) {
	id := identityOf(ctx)
	if id.Kind != access.KindSession {
		return nil, model.Errorf(model.CodeConflict, "a token has no session to end: revoke it instead")
	}
	if err := s.o.Access.EndSession(ctx, id.ID); err != nil {
		return nil, err
	}
	gone := s.sessionCookie("")
	gone.MaxAge = -1
	return &logOutOutput{*gone}, nil
}
