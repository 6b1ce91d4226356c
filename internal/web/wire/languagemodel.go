package wire

import (
	"kontor.dev/kontor/internal/model"
)

// LanguageModel is a model that the person configured.
type LanguageModel struct {
	Name          string  `json:"name"`
	Provider      string  `json:"provider" enum:"openai,anthropic,scripted"`
	BaseURL       string  `json:"base_url" doc:"Empty for the provider's own address"`
	Model         string  `json:"model" doc:"Its id at the provider"`
	APIKey        Value   `json:"api_key"`
	ContextTokens int     `json:"context_tokens"`
	Images        bool    `json:"images" doc:"It can see"`
	Default       bool    `json:"default" doc:"New chats use it"`
	PriceInput    float64 `json:"price_input" doc:"For a million tokens; 0 when unknown"`
	PriceOutput   float64 `json:"price_output"`
	Script        string  `json:"script,omitempty" doc:"What a scripted one plays"`
}

// LanguageModelConfig is what the person writes of one.
type LanguageModelConfig struct {
	Name          string  `json:"name" minLength:"1" maxLength:"64"`
	Provider      string  `json:"provider" enum:"openai,anthropic,scripted"`
	BaseURL       string  `json:"base_url,omitempty"`
	Model         string  `json:"model,omitempty"`
	APIKey        Value   `json:"api_key,omitempty"`
	ContextTokens int     `json:"context_tokens,omitempty" minimum:"0" doc:"0 takes a careful default"`
	Images        bool    `json:"images,omitempty"`
	Default       bool    `json:"default,omitempty"`
	PriceInput    float64 `json:"price_input,omitempty" minimum:"0"`
	PriceOutput   float64 `json:"price_output,omitempty" minimum:"0"`
	Script        string  `json:"script,omitempty" maxLength:"1000000" doc:"Of a scripted one; left out: the demo's"`
}

// ModelTrial is what trying a model gave.
type ModelTrial struct {
	OK    bool         `json:"ok"`
	MS    int64        `json:"ms" doc:"To the first word"`
	Said  string       `json:"said"`
	Error *model.Error `json:"error,omitempty"`
}

// LanguageModelOf is a model on the wire, without its key.
func LanguageModelOf(m model.LanguageModel) LanguageModel {
	return LanguageModel{Name: m.Name, Provider: m.Provider, BaseURL: m.BaseURL, Model: m.Model, APIKey: ValueOf(m.APIKey),
		ContextTokens: m.ContextTokens, Images: m.Images, Default: m.Default, PriceInput: m.PriceInput,
		PriceOutput: m.PriceOutput, Script: m.Script}
}

// Merged is what to store, given what is stored now: a key left out or sent as
// {set: true} is kept. It stays with the address that it was entered for.
func (c LanguageModelConfig) Merged(old model.LanguageModel) (model.LanguageModel, error) {
	m := model.LanguageModel{Name: c.Name, Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model,
		APIKey: c.APIKey.stored(old.APIKey), ContextTokens: c.ContextTokens, Images: c.Images, Default: c.Default,
		PriceInput: c.PriceInput, PriceOutput: c.PriceOutput, Script: c.Script, CreatedAt: old.CreatedAt}
	moved := m.Provider != old.Provider || origin(m.BaseURL) != origin(old.BaseURL)
	switch kept := c.APIKey.Keep || !c.APIKey.sent; {
	case kept && m.Provider == model.ProviderScripted:
		m.APIKey = model.Value{}
	case kept && m.APIKey.Secret() && moved:
		return m, model.Errorf(model.CodeInvalid, "api_key was entered for another address: enter the key for this one")
	}
	return m, nil
}

// ModelTrialOf is a trial on the wire.
func ModelTrialOf(t model.ModelTrial) ModelTrial {
	return ModelTrial{OK: t.OK, MS: t.Took.Milliseconds(), Said: t.Said, Error: t.Error}
}
