package llm

import (
	"context"
	"encoding/json"
	"iter"
)

// Provider streams a model's answers. Its methods are safe for concurrent use.
type Provider interface {
	// Stream sends the request when it is ranged over, once for each range, and
	// yields the answer as it comes. It ends in one of two ways: with Finished and
	// a nil error, or with a nil event and an error, which is a *model.Error with
	// one of the codes in error.go. Leaving the loop, or cancelling ctx, closes the
	// connection before the loop returns.
	Stream(ctx context.Context, r Request) iter.Seq2[Event, error]
}

// Request is one round: the whole conversation so far, and what the model may call.
type Request struct {
	// Model is the model's id as the provider knows it.
	Model string
	// System is the system prompt; empty for none.
	System   string
	Messages []Message
	Tools    []Tool
	// MaxTokens limits the answer, in tokens; 0 is the provider's own limit, or
	// DefaultMaxTokens where it insists on one.
	MaxTokens int
	// NoImages is for a model that can't see: an image goes out as a line of text
	// that says what it was.
	NoImages bool
}

// DefaultMaxTokens is the limit of an answer for providers that want one named.
const DefaultMaxTokens = 8192

// Tool is something that the model may call.
type Tool struct {
	// Name is what the model calls it: 1 to 64 of [A-Za-z0-9_-], unique in a
	// request (see CheckTools). Aliases of longer names are made by the caller.
	Name        string
	Description string
	// Schema is the JSON Schema of its arguments, as adapted by toolschema.
	Schema json.RawMessage
}

// Role is who a message is from.
type Role string

// The roles of a message. A Tool message holds ToolResults only, an Assistant
// message Text, Reasoning and ToolCalls, a User message Text and Images.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	FromTool  Role = "tool"
)

// Message is one turn of the conversation.
type Message struct {
	Role  Role
	Parts []Part
}

// Part is a piece of a message: Text, Image, Reasoning, ToolCall or ToolResult.
type Part interface{ part() }

// Text is words.
type Text struct{ Text string }

// Image is a picture by its bytes. MIME is image/png, image/jpeg, image/gif or
// image/webp: what the providers take.
type Image struct {
	MIME  string
	Bytes []byte
}

// Reasoning is what a model thought aloud. One with a signature, or a redacted
// one, must go back to the model that made it, unchanged, with the calls that
// follow it; adapters that have no place for it leave it out.
type Reasoning struct {
	Text string
	// Signature is the provider's seal; of a redacted one it is all there is.
	Signature string
	Redacted  bool
}

// ToolCall is the model's wish to run a tool.
type ToolCall struct {
	// ID pairs the call with its result. Providers that gave none, or one twice,
	// have it made up here.
	ID, Name string
	// Arguments is a JSON object, its numbers as the model wrote them. It is `{}`
	// when Fault is set.
	Arguments json.RawMessage
	// Fault is set when the arguments could not be read: a sentence for the model
	// that says what is wrong with them. Such a call must not be run; the sentence
	// is its result.
	Fault string
}

// ToolResult answers a ToolCall. Every call of an assistant message needs one
// before the next request.
type ToolResult struct {
	CallID string
	// Parts are Text and Image, in the order to be read.
	Parts   []Part
	IsError bool
}

func (Text) part()       {}
func (Image) part()      {}
func (Reasoning) part()  {}
func (ToolCall) part()   {}
func (ToolResult) part() {}
