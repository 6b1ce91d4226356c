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
	var old model.LanguageModel
	if in.Name != "" {
		var err error
		if old, err = s.o.Models.Get(ctx, in.Name); err != nil {
			return nil, err
		}
	}
	m, err := in.Body.Merged(old)
	if err != nil {
		return nil, err
	}
	return &modelTrialOutput{wire.ModelTrialOf(s.o.Models.Try(ctx, m))}, nil
}

func modelled(m model.LanguageModel, err error) (*modelOutput, error) {
	if err != nil {
		return nil, err
	}
	return &modelOutput{wire.LanguageModelOf(m)}, nil
}
