package web

import (
	"context"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

type modelsOutput struct {
	Body wire.List[wire.LanguageModel]
}

type modelOutput struct{ Body wire.LanguageModel }

type newModelInput struct{ Body wire.LanguageModelConfig }

type replaceModelInput struct {
	Name string `path:"name"`
	Body wire.LanguageModelConfig
}

type tryModelInput struct {
	Name string `query:"name" doc:"A stored model whose key is used where the body has none"`
	Body wire.LanguageModelConfig
}

type offeredModelsInput struct {
	Name string `query:"name" doc:"As in test-model"`
	Body wire.ModelEndpoint
}

type offeredModelsOutput struct{ Body wire.OfferedModels }

type modelTrialOutput struct{ Body wire.ModelTrial }

func (s *Server) listModels(ctx context.Context, _ *struct{}) (*modelsOutput, error) {
	all, err := s.o.Models.List(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]wire.LanguageModel, len(all))
	for i, m := range all {
		items[i] = wire.LanguageModelOf(m)
	}
	return &modelsOutput{wire.ListOf(items, "")}, nil
}

func (s *Server) addModel(ctx context.Context, in *newModelInput) (*modelOutput, error) {
	m, err := in.Body.Merged(model.LanguageModel{})
	if err != nil {
		return nil, err
	}
	return modelled(s.o.Models.Add(ctx, m))
}

func (s *Server) replaceModel(ctx context.Context, in *replaceModelInput) (*modelOutput, error) {
	old, err := s.o.Models.Get(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	m, err := in.Body.Merged(old)
	if err != nil {
		return nil, err
	}
	return modelled(s.o.Models.Replace(ctx, in.Name, m))
}

func (s *Server) deleteModel(ctx context.Context, in *nameInput) (*struct{}, error) {
	return nil, s.o.Models.Delete(ctx, in.Name)
}

func (s *Server) tryModel(ctx context.Context, in *tryModelInput) (*modelTrialOutput, error) {
	m, err := s.mergedModel(ctx, in.Name, in.Body)
	if err != nil {
		return nil, err
	}
	return &modelTrialOutput{wire.ModelTrialOf(s.o.Models.Try(ctx, m))}, nil
}

func (s *Server) offeredModels(ctx context.Context, in *offeredModelsInput) (*offeredModelsOutput, error) {
	m, err := s.mergedModel(ctx, in.Name, in.Body.Config())
	if err != nil {
		return nil, err
	}
	return &offeredModelsOutput{wire.OfferedModelsOf(s.o.Models.Offered(ctx, m))}, nil
}

// mergedModel is a configuration that need not be stored, with the key of a stored
// model where it has none; name is empty for none.
func (s *Server) mergedModel(ctx context.Context, name string, c wire.LanguageModelConfig) (model.LanguageModel, error) {
	if name == "" {
		return c.Merged(model.LanguageModel{})
	}
	old, err := s.o.Models.Get(ctx, name)
	if err != nil {
		return old, err
	}
	return c.Merged(old)
}

func modelled(m model.LanguageModel, err error) (*modelOutput, error) {
	if err != nil {
		return nil, err
	}
	return &modelOutput{wire.LanguageModelOf(m)}, nil
}
