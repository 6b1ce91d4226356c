package models

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Store keeps the models; exactly one is the default, once there are any.
type Store interface {
	LanguageModels(ctx context.Context) ([]model.LanguageModel, error)
	// LanguageModel is the default with an empty name; none is CodeNotFound.
	LanguageModel(ctx context.Context, name string) (model.LanguageModel, error)
	InsertLanguageModel(ctx context.Context, m model.LanguageModel) error
	// ReplaceLanguageModel may rename.
	ReplaceLanguageModel(ctx context.Context, name string, m model.LanguageModel) error
	DeleteLanguageModel(ctx context.Context, name string) error
}

// Expander replaces `${VAR}` references. It returns the values that it put in,
// too; a name without a value is an error with CodeMissingVariable.
type Expander interface {
	Expand(text string) (expanded string, used []string, err error)
}

// Redactor masks values wherever they would be shown. Set replaces the values of
// an owner.
type Redactor interface {
	Set(owner string, values []string)
}

// Options are what a Service works with.
type Options struct {
	Store    Store
	Expander Expander
	Redactor Redactor
	// HTTPClient makes the guarded client for a provider at an address.
	HTTPClient func(address string) (*http.Client, error)
	// Publish must not block.
	Publish func(model.Event)
	// Retries is llm.DefaultRetries when zero.
	Retries llm.Retries
}

// Service is safe for concurrent use.
type Service struct {
	o Options

	mu sync.Mutex
	// made are the providers in use, by name.
	made map[string]made
	// secrets are masked until the end, also those that were replaced: an answer
	// that quotes one may still be on its way.
	secrets []string
}

// made is a provider and what it was made of.
type made struct {
	of       settings
	provider llm.Provider
}

// New makes a service. The keys that are stored are masked from here on.
func New(ctx context.Context, o Options) (*Service, error) {
	if o.Retries == (llm.Retries{}) {
		o.Retries = llm.DefaultRetries()
	}
	s := &Service{o: o, made: map[string]made{}}
	all, err := o.Store.LanguageModels(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if m.APIKey.Secret() {
			s.hide(m.APIKey.Text)
		}
	}
	return s, nil
}

// List returns the models by name.
func (s *Service) List(ctx context.Context) ([]model.LanguageModel, error) {
	return s.o.Store.LanguageModels(ctx)
}

// Get returns one model, or CodeNotFound.
func (s *Service) Get(ctx context.Context, name string) (model.LanguageModel, error) {
	if name == "" {
		return model.LanguageModel{}, model.Errorf(model.CodeNotFound, "name is missing")
	}
	return s.o.Store.LanguageModel(ctx, name)
}

// Add stores a new model. A name that is taken is CodeConflict.
func (s *Service) Add(ctx context.Context, m model.LanguageModel) (model.LanguageModel, error) {
	m.CreatedAt = time.Now().UTC()
	m.UpdatedAt = m.CreatedAt
	return s.change(ctx, m, func() error { return s.o.Store.InsertLanguageModel(ctx, m) })
}

// Replace stores a model in the place of the one of that name, which may be
// another; the chats that use it follow.
func (s *Service) Replace(ctx context.Context, name string, m model.LanguageModel) (model.LanguageModel, error) {
	m.UpdatedAt = time.Now().UTC()
	return s.change(ctx, m, func() error { return s.o.Store.ReplaceLanguageModel(ctx, name, m) })
}

func (s *Service) change(ctx context.Context, m model.LanguageModel, store func() error) (model.LanguageModel, error) {
	if err := validate(m); err != nil {
		return model.LanguageModel{}, err
	}
	if m.APIKey.Secret() {
		s.hide(m.APIKey.Text)
	}
	if err := store(); err != nil {
		return model.LanguageModel{}, err
	}
	s.o.Publish(model.ModelsChanged{})
	return s.o.Store.LanguageModel(ctx, m.Name)
}

// Delete removes a model. An answer that is on its way is finished; the next step of
// its turn fails in words.
func (s *Service) Delete(ctx context.Context, name string) error {
	if err := s.o.Store.DeleteLanguageModel(ctx, name); err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.made, name)
	s.mu.Unlock()
	s.o.Publish(model.ModelsChanged{})
	return nil
}

// validate reads a script, too.
func validate(m model.LanguageModel) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if m.Provider != model.ProviderScripted {
		return nil
	}
	_, err := play(m.Script)
	return err
}

// hide masks values from now on.
func (s *Service) hide(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if v != "" && !slices.Contains(s.secrets, v) {
			s.secrets = append(s.secrets, v)
		}
	}
	s.o.Redactor.Set("language models", slices.Clone(s.secrets))
}
