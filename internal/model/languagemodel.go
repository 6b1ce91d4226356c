package model

import "time"

// The providers of language models.
const (
	ProviderOpenAI    = "openai"
	ProviderAnthropic = "anthropic"
	// ProviderScripted plays a script: for tests, and for a look without a key.
	ProviderScripted = "scripted"
)

// LanguageModel is a model that the person configured.
type LanguageModel struct {
	// Name is what the person calls it: 1 to 64 characters, unique.
	Name string
	// Provider is one of the Provider constants; BaseURL is empty for its own address.
	Provider, BaseURL string
	// Model is its id at the provider.
	Model  string
	APIKey Value
	// ContextTokens is how much it takes in one request.
	ContextTokens int
	// Images says that it can see.
	Images bool
	// Default is the one that new chats use; one model is.
	Default bool
	// PriceInput and PriceOutput are for a million tokens, in the person's currency;
	// 0 when unknown.
	PriceInput, PriceOutput float64
	// Script is what a scripted one plays.
	Script               string
	CreatedAt, UpdatedAt time.Time
}

// ModelTrial is what trying a language model gave.
type ModelTrial struct {
	OK bool
	// Took is the time to the first word.
	Took time.Duration
	// Said is the beginning of its answer.
	Said  string
	Error *Error
}
