package web

import (
	"context"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/web/wire"
)

type secretsOutput struct{ Body wire.List[wire.SecretName] }

type putSecretInput struct {
	Name string `path:"name"`
	Body wire.PutSecret
}

func (s *Server) listSecrets(ctx context.Context, _ *struct{}) (*secretsOutput, error) {
	names, err := s.o.Secrets.SecretNames(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]wire.SecretName, len(names))
	for i, n := range names {
		items[i] = wire.SecretName{Name: n}
	}
	return &secretsOutput{wire.ListOf(items, "")}, nil
}

func (s *Server) putSecret(ctx context.Context, in *putSecretInput) (*struct{}, error) {
	if err := secret.ValidName(in.Name); err != nil {
		return nil, err
	}
	if in.Body.Value == "" {
		return nil, model.Errorf(model.CodeInvalid, "value is missing: to remove a secret, delete it")
	}
	if err := s.o.Secrets.PutSecret(ctx, in.Name, in.Body.Value); err != nil {
		return nil, err
	}
	s.secretsChanged()
	return nil, nil
}

func (s *Server) deleteSecret(ctx context.Context, in *nameInput) (*struct{}, error) {
	if err := s.o.Secrets.DeleteSecret(ctx, in.Name); err != nil {
		return nil, err
	}
	s.secretsChanged()
	return nil, nil
}

// secretsChanged also lets servers that failed for want of a variable try again.
func (s *Server) secretsChanged() {
	s.o.Bus.Publish(model.SettingsChanged{})
	s.o.Servers.VariablesChanged()
}
