package web

import (
	"context"

	"kontor.dev/kontor/internal/web/wire"
)

type accessOutput struct{ Body wire.Access }
type passwordInput struct{ Body wire.SetPassword }
type removePasswordInput struct{ Body wire.RemovePassword }
type webSessionsOutput struct{ Body wire.List[wire.WebSession] }
type tokensOutput struct{ Body wire.List[wire.Token] }
type createTokenInput struct{ Body wire.CreateToken }
type createdTokenOutput struct{ Body wire.CreatedToken }
type logOutOutput struct {
	SetCookie string `header:"Set-Cookie"`
}

func (s *Server) getAccess(context.Context, *struct{}) (*accessOutput, error)    { return nil, nil }
func (s *Server) setPassword(context.Context, *passwordInput) (*struct{}, error) { return nil, nil }
func (s *Server) removePassword(context.Context, *removePasswordInput) (*struct{}, error) {
	return nil, nil
}
func (s *Server) listWebSessions(context.Context, *struct{}) (*webSessionsOutput, error) {
	return nil, nil
}
func (s *Server) revokeWebSession(context.Context, *idInput) (*struct{}, error) { return nil, nil }
func (s *Server) logOut(context.Context, *struct{}) (*logOutOutput, error)      { return nil, nil }
func (s *Server) listTokens(context.Context, *struct{}) (*tokensOutput, error)  { return nil, nil }
func (s *Server) createToken(context.Context, *createTokenInput) (*createdTokenOutput, error) {
	return nil, nil
}
func (s *Server) revokeToken(context.Context, *idInput) (*struct{}, error) { return nil, nil }
