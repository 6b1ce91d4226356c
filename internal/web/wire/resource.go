package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Resource is something a server offers to be read: a resource, or a template
// whose address has variables.
type Resource struct {
	Server      string          `json:"server"`
	Kind        string          `json:"kind" enum:"resource,template"`
	URI         string          `json:"uri" doc:"The address, or a template of it (RFC 6570)"`
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	MIMEType    string          `json:"mime_type"`
	Size        *int64          `json:"size" doc:"Bytes, when the server says so"`
	Annotations json.RawMessage `json:"annotations"`
	Icons       json.RawMessage `json:"icons"`
}

// ReadResource is the request to read one.
type ReadResource struct {
	Server string `json:"server" minLength:"1"`
	URI    string `json:"uri" minLength:"1"`
}

// ResourceContents is what was read.
type ResourceContents struct {
	Server   string          `json:"server"`
	URI      string          `json:"uri"`
	Contents []model.Content `json:"contents"`
}

// Prompt is a prompt that a server offers.
type Prompt struct {
	Server      string           `json:"server"`
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Arguments   []PromptArgument `json:"arguments"`
	Icons       json.RawMessage  `json:"icons"`
}

// PromptArgument is one argument of a prompt.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// GetPrompt is the request to render one.
type GetPrompt struct {
	Server    string            `json:"server" minLength:"1"`
	Name      string            `json:"name" minLength:"1"`
	Arguments map[string]string `json:"arguments,omitempty"`
}

// PromptMessages is a rendered prompt.
type PromptMessages struct {
	Description string          `json:"description"`
	Messages    []PromptMessage `json:"messages"`
}

// PromptMessage is one message of a rendered prompt.
type PromptMessage struct {
	Role    string        `json:"role" doc:"user or assistant"`
	Content model.Content `json:"content"`
}

// Complete is the request to complete an argument of a prompt or a template.
type Complete struct {
	Server   string            `json:"server" minLength:"1"`
	Ref      CompleteRef       `json:"ref"`
	Argument CompleteArgument  `json:"argument"`
	Context  map[string]string `json:"context,omitempty" doc:"Arguments that are filled in already"`
}

// CompleteRef says what is being filled in.
type CompleteRef struct {
	Type string `json:"type" enum:"prompt,resource"`
	Name string `json:"name,omitempty" doc:"Of the prompt"`
	URI  string `json:"uri,omitempty" doc:"Of the template"`
}

// CompleteArgument is the argument and what was typed so far.
type CompleteArgument struct {
	Name  string `json:"name" minLength:"1"`
	Value string `json:"value"`
}

// Completion is what the server suggests.
type Completion struct {
	Values  []string `json:"values"`
	Total   *int64   `json:"total" doc:"How many there are, when the server says so"`
	HasMore bool     `json:"has_more"`
}
