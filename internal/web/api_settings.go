package web

import (
	"context"

	"kontor.dev/kontor/internal/web/wire"
)

type secretsOutput struct{ Body wire.List[wire.SecretName] }
type putSecretInput struct {
	Name string `path:"name"`
	Body wire.PutSecret
}
type settingsOutput struct{ Body wire.Settings }
type settingsInput struct{ Body wire.PatchSettings }
type aboutOutput struct{ Body wire.About }

func (s *Server) listSecrets(context.Context, *struct{}) (*secretsOutput, error)  { return nil, nil }
func (s *Server) putSecret(context.Context, *putSecretInput) (*struct{}, error)   { return nil, nil }
func (s *Server) deleteSecret(context.Context, *nameInput) (*struct{}, error)     { return nil, nil }
func (s *Server) getSettings(context.Context, *struct{}) (*settingsOutput, error) { return nil, nil }
func (s *Server) changeSettings(context.Context, *settingsInput) (*settingsOutput, error) {
	return nil, nil
}
func (s *Server) about(context.Context, *struct{}) (*aboutOutput, error) { return nil, nil }
