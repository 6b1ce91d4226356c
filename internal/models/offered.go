package models

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

const (
	// maxOffered is how many models are offered: more than any provider has.
	maxOffered = 1000
	maxID      = 200
)

// Offered asks the provider of a model, which needs no name and no id yet, which
// models it has. They come by their ids.
func (s *Service) Offered(ctx context.Context, m model.LanguageModel) ([]model.OfferedModel, *model.Error) {
	all, err := s.offered(ctx, m)
	if err != nil {
		return nil, known(err)
	}
	return all, nil
}

func (s *Service) offered(ctx context.Context, m model.LanguageModel) ([]model.OfferedModel, error) {
	m.Name, m.Model = cmp.Or(m.Name, "new"), cmp.Or(m.Model, "unknown")
	if err := m.Validate(); err != nil {
		return nil, err
	}
	p, err := s.once(m)
	if err != nil {
		return nil, err
	}
	lister, ok := p.(llm.Lister)
	if !ok {
		return nil, model.Errorf(model.CodeInvalid, "This provider has no list of models.")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, tryFor, errSlowList)
	defer cancel()
	all, err := lister.Models(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errSlowList) {
		return nil, errSlowList
	}
	if err != nil {
		return nil, err
	}
	all = usable(all)
	if len(all) == 0 {
		return nil, errNoneOffered
	}
	return all, nil
}

var (
	errSlowList = &model.Error{Code: model.CodeTimeout, Message: "The provider didn't list its models within 15 seconds.",
		Fix: "Try again, or check the model's address."}
	errNoneOffered = &model.Error{Code: model.CodeNotFound, Message: "The provider lists no models.",
		Fix: "A local server may have to get or load one first."}
)

// usable are the models with an id that fits into a form, each once, by their ids.
func usable(all []model.OfferedModel) []model.OfferedModel {
	all = slices.DeleteFunc(slices.Clone(all), func(m model.OfferedModel) bool {
		return m.ID == "" || len(m.ID) > maxID || strings.ContainsFunc(m.ID, func(r rune) bool { return !unicode.IsGraphic(r) })
	})
	slices.SortStableFunc(all, func(a, b model.OfferedModel) int { return cmp.Compare(a.ID, b.ID) })
	all = slices.CompactFunc(all, func(a, b model.OfferedModel) bool { return a.ID == b.ID })
	return all[:min(len(all), maxOffered)]
}
