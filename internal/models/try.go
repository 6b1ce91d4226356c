package models

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

const (
	// tryFor bounds a trial: local models load for a while before the first word.
	tryFor = 15 * time.Second
	// trySaid is how much of the answer is shown, in bytes.
	trySaid = 200
)

// Try sends a model that need not be stored a short request with one tool, as a
// chat's would be, and tells how it went. Nothing is sent twice.
func (s *Service) Try(ctx context.Context, m model.LanguageModel) model.ModelTrial {
	if err := validate(m); err != nil {
		return failed(err)
	}
	p, err := s.once(m)
	if err != nil {
		return failed(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, tryFor, errSlow)
	defer cancel()
	return hear(ctx, p, m)
}

// once makes a provider for a model that need not be stored; its key is masked from
// now on.
func (s *Service) once(m model.LanguageModel) (llm.Provider, error) {
	if m.APIKey.Secret() {
		s.hide(m.APIKey.Text)
	}
	of, err := s.expand(m)
	if err != nil {
		return nil, err
	}
	return s.build(of)
}

var errSlow = &model.Error{Code: model.CodeTimeout, Message: "The model didn't finish a short answer within 15 seconds.",
	Fix: "A local model may still be loading: try again in a moment. Otherwise choose a faster one."}

func hear(ctx context.Context, p llm.Provider, m model.LanguageModel) model.ModelTrial {
	var t model.ModelTrial
	var said strings.Builder
	began := time.Now()
	for e, err := range p.Stream(ctx, question(m)) {
		if err != nil && errors.Is(context.Cause(ctx), errSlow) {
			err = errSlow
		}
		if err != nil {
			f := failed(err)
			f.Took, f.Said = t.Took, beginning(said.String())
			return f
		}
		switch e := e.(type) {
		case llm.TextDelta:
			said.WriteString(e.Text)
		case llm.ToolCallDone:
			said.WriteString("[it called the tool for this trial]")
		case llm.Finished:
			t.OK = true
		}
		if t.Took == 0 {
			t.Took = max(time.Since(began), 1)
		}
	}
	t.Said = beginning(said.String())
	return t
}

// question has a tool, so that a model which takes none is found out here.
func question(m model.LanguageModel) llm.Request {
	return llm.Request{
		Model:     m.Model,
		Messages:  []llm.Message{{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "Say hello in one short sentence. Don't call a tool."}}}},
		Tools:     []llm.Tool{{Name: "trial", Description: "Does nothing.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}},
		MaxTokens: 512,
	}
}

func failed(err error) model.ModelTrial {
	return model.ModelTrial{Error: known(err)}
}

func known(err error) *model.Error {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e
	}
	return &model.Error{Code: model.CodeInternal, Message: err.Error(), Err: err}
}

func beginning(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= trySaid {
		return s
	}
	return strings.ToValidUTF8(s[:trySaid], "") + "…"
}
