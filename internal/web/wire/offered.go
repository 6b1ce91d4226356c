package wire

import "kontor.dev/kontor/internal/model"

// ModelEndpoint is where a language model is asked for: what of its configuration is
// needed to list the others.
type ModelEndpoint struct {
	Provider string `json:"provider" enum:"openai,anthropic"`
	BaseURL  string `json:"base_url,omitempty"`
	APIKey   Value  `json:"api_key,omitempty"`
}

// OfferedModels are what a provider says it has, or why it doesn't say.
type OfferedModels struct {
	Items []OfferedModel `json:"items"`
	Error *model.Error   `json:"error,omitempty"`
}

// OfferedModel is a model at its provider.
type OfferedModel struct {
	ID            string `json:"id"`
	ContextTokens int    `json:"context_tokens" doc:"0 when the provider doesn't say"`
}

// Config is a configuration with nothing else in it.
func (e ModelEndpoint) Config() LanguageModelConfig {
	return LanguageModelConfig{Provider: e.Provider, BaseURL: e.BaseURL, APIKey: e.APIKey}
}

// OfferedModelsOf is a provider's list on the wire.
func OfferedModelsOf(all []model.OfferedModel, err *model.Error) OfferedModels {
	items := make([]OfferedModel, len(all))
	for i, m := range all {
		items[i] = OfferedModel{ID: m.ID, ContextTokens: m.ContextTokens}
	}
	return OfferedModels{Items: items, Error: err}
}
