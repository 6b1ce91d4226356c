package client

import (
	"context"
	"encoding/json"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// Era says which of the two handshakes a server speaks.
type Era string

const (
	// Legacy servers open with initialize (up to revision 2025-11-25).
	Legacy Era = "legacy"
	// Modern servers need no opening and no session (2026-07-28 and later);
	// every request carries its own version and capabilities.
	Modern Era = "modern"
)

// Options are what Connect needs to know about a server and its host.
type Options struct {
	// Dial opens a transport. It is called a second time when a server ends
	// because it didn't understand the probe. ctx bounds the opening only.
	Dial wire.Dialer
	// DialSSE opens the HTTP+SSE transport of 2024-11-05 at the same address; nil
	// where there is none. It is called when a server refuses initialize as one of
	// that revision does.
	DialSSE wire.Dialer
	// HTTP says that the transport is HTTP: rules of cancelling, headers and
	// falling back differ.
	HTTP bool
	// Name, Version and Title become clientInfo.
	Name, Version, Title string
	// ProtocolVersion pins a revision; empty negotiates.
	ProtocolVersion string
	// KnownEra is what was found last time; empty probes. A server that has
	// changed its era since is probed again.
	KnownEra Era
	// KnownSSE says that DialSSE led to the server last time: it is called first.
	// When that fails, the server is looked for as if nothing were known.
	KnownSSE bool
	// ProbeTimeout is the silence after which initialize follows beside the
	// open probe. Default 1 s, over HTTP 10 s.
	ProbeTimeout time.Duration
	// ListPageCap is how many pages of one list are read. Default 100.
	ListPageCap int
	// LogLevel asks the server for notifications/message of this level and
	// above (RFC 5424 names: debug, info, …), where it offers them. Empty asks
	// for none.
	LogLevel string
	Handlers Handlers
}

// Handlers are the host's ends of what a server starts by itself. Any may be
// nil. Without Elicit the client declares no elicitation.
type Handlers struct {
	// Elicit asks the person and blocks until there is an answer. ctx ends when
	// the asker no longer waits: its call ended, the server withdrew the
	// question, or the connection ended. A *RefusedError is told to the server.
	// It runs concurrently.
	Elicit func(ctx context.Context, q Question) (Answer, error)
	// Notification gets every notification in order, from one goroutine, except
	// those that the client itself uses up: notifications/progress (see
	// ToolCall.OnProgress) and notifications/cancelled for a request that the
	// server had sent, and what opens a subscription. It must return at once.
	Notification func(method string, params json.RawMessage)
	// Missed tells that the channel for what the server says unasked was down for a
	// while: notifications may have been lost. It is called concurrently and must
	// return at once.
	Missed func()
	// Trace gets every message both ways. It is called concurrently, on the path
	// of the message, and must return at once.
	Trace func(TraceEvent)
	// Note gets what the transport noted and what the client found odd. It is
	// called concurrently and must return at once.
	Note func(wire.Note)
}

// TraceEvent is one message that passed, or the end of a request without one.
type TraceEvent struct {
	// Out is true from us to the server.
	Out bool
	// Message holds the bytes; they must not be changed.
	Message wire.Message
	// Method is the method of the request, for a response the method of what it
	// answers; empty when nobody asked.
	Method string
	// CallID is the ToolCall's, when the message surely belongs to one.
	CallID string
	// Lost says why no answer comes any more to a request of ours; of Message only
	// the id is set then.
	Lost error
	// Private is true when the message carries what a person answered: its
	// params or result belong in no trace.
	Private bool
}

// Question is what a server asks the person (elicitation/create).
type Question struct {
	// Mode is "form" or "url".
	Mode string
	// Message is the server's wording.
	Message string
	// Schema is requestedSchema as sent; only with form. A server that sends
	// none gets the schema of an empty object: a plain yes or no.
	Schema json.RawMessage
	// URL and ElicitationID come with url; the id may be empty.
	URL, ElicitationID string
	// CallIDs name the calls that may be asking: exactly one where the protocol
	// tells (the call's own HTTP answer, an input_required round), else all that
	// were in flight. It is empty when the server asks on its own account.
	CallIDs []string
}

// Answer is what the person said.
type Answer struct {
	// Action is "accept", "decline" or "cancel".
	Action string
	// Content is an object with the form's values; only with accept.
	Content json.RawMessage
}

// ToolCall is one run of a tool.
type ToolCall struct {
	// CallID is the host's own name for the call; it never reaches the server.
	CallID string
	Name   string
	// Arguments is a JSON object as it shall be sent; empty or null sends {}.
	Arguments json.RawMessage
	// OnProgress gets each progress notification before the call returns, on the
	// path of the message: it must return at once.
	OnProgress func(Progress)
	// OnSent is called once, right before the first byte may leave.
	OnSent func()
}

// Progress is one sign of life of a running call. Numbers are as sent; Total is
// empty when the server doesn't know it.
type Progress struct {
	Progress, Total json.Number
	Message         string
}

// List is one of the server's lists, all pages joined.
type List struct {
	// Items are the entries as sent.
	Items []json.RawMessage
	// Pages is how many were read; 0 when the server declares no such list.
	Pages int
	// Cut is true when ListPageCap ended the reading.
	Cut bool
	// TTL is how long the list stays fresh, the shortest that any page said; nil when
	// the server doesn't say (2026-07-28, CacheableResult).
	TTL *time.Duration
	// Warnings tell what was left out or odd.
	Warnings []Warning
}

// Warning is something odd that didn't stop the work.
type Warning struct {
	// Code is stable: one of the Warn constants.
	Code string
	// Message is for people.
	Message string
	// Item is the entry's name (a resource's uri), when it is about one.
	Item string
}

// Codes of warnings.
const (
	WarnListCut        = "list_cut"
	WarnCursorRepeated = "cursor_repeated"
	WarnHeaderInvalid  = "header_annotation_invalid"
	WarnListNotArray   = "list_not_an_array"
	WarnVersionUnknown = "version_unknown"
	WarnVersionMissing = "version_missing"
)
