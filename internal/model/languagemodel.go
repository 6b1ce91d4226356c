package model

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

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
	// ContextTokens is how much it takes in one request; 0 is DefaultContextTokens.
	ContextTokens int
	// Images says that it can see.
	Images bool
	// Default is the one that new chats use; one model is.
	Default bool
	// PriceInput and PriceOutput are for a million tokens, in the person's currency;
	// 0 when unknown.
	PriceInput, PriceOutput float64
	// Script is what a scripted one plays; empty for the demo's.
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

// OfferedModel is one that a provider says it has.
type OfferedModel struct {
	// ID is what the provider calls it.
	ID string
	// ContextTokens is how much it takes in one request; 0 when the provider doesn't say.
	ContextTokens int
}

// DefaultContextTokens is careful: more than it has room for is lost on a model.
const DefaultContextTokens = 32_768

// WithDefaults fills in what was left at zero.
func (m LanguageModel) WithDefaults() LanguageModel {
	m.ContextTokens = cmp.Or(m.ContextTokens, DefaultContextTokens)
	return m
}

// Validate says in words what is wrong with the configuration, or nil. Whether a
// script can be read is for who plays it.
func (m LanguageModel) Validate() error {
	if err := validModelName(m.Name); err != nil {
		return err
	}
	switch {
	case m.ContextTokens < 0 || m.PriceInput < 0 || m.PriceOutput < 0:
		return Errorf(CodeInvalid, "context_tokens and prices can't be negative")
	case m.Provider == ProviderScripted:
		if m.BaseURL != "" || m.APIKey.Text != "" || m.APIKey.Unreadable {
			return Errorf(CodeInvalid, "a scripted model takes no base_url or api_key")
		}
		return nil
	case m.Provider != ProviderOpenAI && m.Provider != ProviderAnthropic:
		return Errorf(CodeInvalid, "provider %q is unknown: use openai, anthropic or scripted", m.Provider)
	case strings.TrimSpace(m.Model) == "":
		return Errorf(CodeInvalid, "model is missing: write the model's id at its provider")
	case m.Script != "":
		return Errorf(CodeInvalid, "only a scripted model takes a script")
	case m.APIKey.Plain && m.APIKey.Text != "":
		return Errorf(CodeInvalid, "api_key can't be plain: a key is kept sealed and never shown")
	case m.BaseURL == "":
		return nil
	}
	return validBaseURL(m.BaseURL)
}

// validModelName leaves out what a path or a line can't show.
func validModelName(name string) error {
	switch {
	case name == "":
		return Errorf(CodeInvalid, "name is missing")
	case utf8.RuneCountInString(name) > 64 || strings.TrimSpace(name) != name || name == "." || name == ".." ||
		strings.ContainsFunc(name, func(r rune) bool { return r == '/' || !unicode.IsPrint(r) }):
		return Errorf(CodeInvalid, "name: use 1 to 64 characters, no slash, and no blank at either end")
	}
	return nil
}

// validBaseURL keeps keys out of the address, which may be read.
func validBaseURL(raw string) error {
	if err := ValidURL(raw); err != nil {
		return Errorf(CodeOf(err), "base_%w", err)
	}
	_, query, _ := strings.Cut(raw, "?")
	all, err := url.ParseQuery(variable.ReplaceAllString(query, ""))
	if err != nil {
		return Errorf(CodeInvalid, "base_url isn't an address")
	}
	for name, values := range all {
		secret := slices.ContainsFunc([]string{"key", "token", "secret", "password"}, func(word string) bool {
			return strings.Contains(strings.ToLower(name), word)
		})
		if secret && strings.Join(values, "") != "" {
			return Errorf(CodeInvalid, "base_url must not hold a key: use the field for it, or write ${NAME} for a stored secret")
		}
	}
	return nil
}
