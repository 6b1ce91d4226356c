package models

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/anthropic"
	"kontor.dev/kontor/internal/llm/openai"
	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

// codeUnreadable is a stored key that the data folder's key doesn't open.
const codeUnreadable model.Code = "secret_unreadable"

// settings are what a provider is made of, its references expanded.
type settings struct {
	provider, baseURL, key, script string
}

// Provider returns the model of that name, its defaults filled in, and what speaks to
// it; the default one with an empty name. Without any the error is CodeNotFound. A
// provider stays the same until its settings do not: it learns what its endpoint
// takes, and a script goes on where it was.
func (s *Service) Provider(ctx context.Context, name string) (llm.Provider, model.LanguageModel, error) {
	m, err := s.o.Store.LanguageModel(ctx, name)
	if model.CodeOf(err) == model.CodeNotFound {
		return nil, m, missing(name)
	}
	if err != nil {
		return nil, m, err
	}
	of, err := s.expand(m)
	if err != nil {
		return nil, m, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, ok := s.made[m.Name]; ok && have.of == of {
		return have.provider, m.WithDefaults(), nil
	}
	p, err := s.build(of)
	if err != nil {
		return nil, m, err
	}
	p = llm.Retry(p, s.o.Retries)
	s.made[m.Name] = made{of: of, provider: p}
	return p, m.WithDefaults(), nil
}

func missing(name string) error {
	if name == "" {
		return &model.Error{Code: model.CodeNotFound, Message: "No language model is set up.",
			Fix: "Add one in Settings, Models. Until then you can run tools yourself."}
	}
	return &model.Error{Code: model.CodeNotFound, Message: "There is no language model “" + name + "” any more.",
		Fix: "Choose another model for this chat."}
}

// expand puts in what the references stand for, and masks it from now on.
func (s *Service) expand(m model.LanguageModel) (settings, error) {
	of := settings{provider: m.Provider, script: m.Script}
	if m.APIKey.Unreadable {
		return of, &model.Error{Code: codeUnreadable, Message: "The key of this language model can't be read.",
			Fix: "Enter it again in Settings, Models, or start Kontor with the key that it was sealed with."}
	}
	key, used, err := s.o.Expander.Expand(m.APIKey.Text)
	if err != nil {
		return of, model.Errorf(model.CodeOf(err), "api_key: %w", err)
	}
	address, more, err := s.o.Expander.Expand(m.BaseURL)
	if err != nil {
		return of, model.Errorf(model.CodeOf(err), "base_url: %w", err)
	}
	if used = append(used, more...); len(used) > 0 {
		s.hide(used...)
	}
	of.key, of.baseURL = key, address
	return of, nil
}

// build makes a provider; it connects to nothing.
func (s *Service) build(of settings) (llm.Provider, error) {
	switch of.provider {
	case model.ProviderScripted:
		script, err := play(of.script)
		return scripted.New(script), err
	case model.ProviderOpenAI:
		if of.baseURL == "" {
			of.baseURL = openai.DefaultBaseURL
		}
		client, err := s.o.HTTPClient(of.baseURL)
		if err != nil {
			return nil, wrongAddress(err)
		}
		return openai.New(openai.Options{BaseURL: of.baseURL, Key: of.key, HTTP: client})
	case model.ProviderAnthropic:
		if of.baseURL == "" {
			of.baseURL = anthropic.DefaultBaseURL
		}
		client, err := s.o.HTTPClient(of.baseURL)
		if err != nil {
			return nil, wrongAddress(err)
		}
		return anthropic.New(anthropic.Options{BaseURL: of.baseURL, Key: of.key, HTTP: client})
	}
	return nil, errors.New("models: unknown provider " + of.provider)
}

//go:embed demo.script
var demo string

// play reads a script; an empty one is the demo's.
func play(script string) (scripted.Script, error) {
	if strings.TrimSpace(script) == "" {
		script = demo
	}
	return scripted.Parse(script)
}

func wrongAddress(err error) error {
	return model.Errorf(model.CodeInvalid, "base_url isn't an address that a model can be reached at: %w", err)
}
