package web

import (
	"context"
	"time"

	"kontor.dev/kontor/internal/web/wire"
)

type tokensOutput struct{ Body wire.List[wire.Token] }

type createTokenInput struct{ Body wire.CreateToken }

type createdTokenOutput struct{ Body wire.CreatedToken }

func (s *Server) listTokens(ctx context.Context, _ *struct{}) (*tokensOutput, error) {
	tokens, err := s.o.Access.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]wire.Token, len(tokens))
	for i, t := range tokens {
		items[i] = wire.TokenOf(t)
	}
	return &tokensOutput{wire.ListOf(items, "")}, nil
}

func (s *Server) createToken(ctx context.Context, in *createTokenInput) (*createdTokenOutput, error) {
	var expires time.Time
	if days := in.Body.ExpiresInDays; days > 0 {
		expires = time.Now().UTC().AddDate(0, 0, days)
	}
	value, t, err := s.o.Access.CreateToken(ctx, in.Body.Name, in.Body.Scope, expires)
	if err != nil {
		return nil, err
	}
	return &createdTokenOutput{wire.CreatedToken{Token: wire.TokenOf(t), Value: value}}, nil
}

func (s *Server) revokeToken(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, s.o.Access.RevokeToken(ctx, in.ID)
}
