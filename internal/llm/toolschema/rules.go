// Package toolschema bends a tool's JSON Schema to what a provider takes, and a
// model's arguments back to what the server's own schema asks for. Everything in
// it is a pure function of its arguments.
//
// A provider answers one schema that it doesn't like by refusing the whole
// request, so that one tool of one server would silence a chat. Hence: what is
// refused is rewritten; what can't be rewritten is said in words, in the schema's
// description; a tool is never left out; and each change is told as a badge for
// the person. The server's own schema stays what arguments are checked against.
package toolschema

import (
	"net/url"
	"regexp"
	"strings"
)

// Rules are what a provider takes.
type Rules struct {
	// Provider is its name in badges.
	Provider string
	// Narrow leaves nothing but types, properties, items, enum, anyOf, bounds and
	// annotations: what OpenAPI-shaped APIs and grammar-constrained local servers
	// have in common.
	Narrow bool
	// Keys is what property names must match; nil is anything.
	Keys *regexp.Regexp
	// MaxDepth is how deep a schema may nest, MaxBytes how long it may be.
	MaxDepth, MaxBytes int
}

// keys is Anthropic's rule (the API's own error text: "Property keys should match
// pattern '^[a-zA-Z0-9_.-]{1,64}$'"), and Gemini's.
var keys = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// OpenAI is OpenAI's own API without strict mode: an object at the root, and no
// anyOf, oneOf, allOf, enum or not there; arrays must say what their items are.
func OpenAI() Rules { return Rules{Provider: "OpenAI", MaxDepth: 10, MaxBytes: 64 << 10} }

// Anthropic is the Messages API: valid JSON Schema 2020-12 with an object and no
// anyOf, oneOf or allOf at the root.
func Anthropic() Rules {
	return Rules{Provider: "Anthropic", Keys: keys, MaxDepth: 16, MaxBytes: 64 << 10}
}

// Compatible is for every other server that speaks OpenAI's API.
func Compatible() Rules {
	return Rules{Provider: "this provider", Narrow: true, Keys: keys, MaxDepth: 8, MaxBytes: 32 << 10}
}

// For chooses by the kind of a model's provider and its address.
func For(provider, baseURL string) Rules {
	switch provider {
	case "anthropic":
		return Anthropic()
	case "openai":
		u, err := url.Parse(baseURL)
		if baseURL == "" || err == nil && (u.Hostname() == "api.openai.com" || strings.HasSuffix(u.Hostname(), ".openai.azure.com")) {
			return OpenAI()
		}
	}
	return Compatible()
}
