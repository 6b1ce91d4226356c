// Package wire holds JSON-RPC 2.0 messages as MCP servers and clients exchange
// them. A message stays the bytes that were sent; this package only finds its
// envelope. It knows no method and no MCP revision.
package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Kind tells what a message is by the members that it has.
type Kind int

const (
	// Invalid is JSON, but no JSON-RPC message.
	Invalid Kind = iota
	// Request has a method and an id.
	Request
	// Notification has a method and no id.
	Notification
	// Response has an id (possibly null) and a result or an error.
	Response
)

// Message is one JSON-RPC message. Every member is a slice of the bytes that
// came in (or go out); none is re-encoded, so numbers, member order and unknown
// fields survive.
type Message struct {
	// Raw is the whole message, without a trailing newline.
	Raw []byte
	// ID is the id as it was written (`1`, `"a"`, `null`); empty when absent.
	ID json.RawMessage
	// Method is the decoded method name; empty in a response.
	Method string
	// Params, Result and Error are the members as written; nil when absent.
	Params, Result, Error json.RawMessage
}

// Kind classifies the message.
func (m Message) Kind() Kind {
	switch {
	case m.Method != "" && len(m.ID) > 0:
		return Request
	case m.Method != "":
		return Notification
	case m.Result != nil || m.Error != nil:
		return Response
	}
	return Invalid
}

// Err decodes the error of a response; nil if it has none. `"error": null` beside
// a result is none: some servers write both members always. An error that is
// not shaped as JSON-RPC says keeps what can be read of it.
func (m Message) Err() *Error {
	if len(m.Error) == 0 || string(m.Error) == "null" {
		return nil
	}
	if m.Error[0] != '{' {
		e := &Error{Code: CodeInternalError, Message: string(m.Error)}
		if words, ok := text(m.Error); ok {
			e.Message = words
		}
		return e
	}
	e := &Error{Data: Member(m.Error, "data")}
	e.Code, _ = strconv.ParseInt(string(Member(m.Error, "code")), 10, 64)
	if e.Message, _ = text(Member(m.Error, "message")); e.Message == "" {
		e.Message = string(m.Error)
	}
	return e
}

// SameID tells whether two ids, as sent, are one: the same bytes, white space
// around them aside. `1`, `1.0` and `"1"` are three ids. Ours are plain integers
// that we chose, and a server has to return them as they were.
func SameID(a, b json.RawMessage) bool {
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
}

// Error codes of JSON-RPC 2.0 and of MCP.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603

	// 2026-07-28, basic/index "Error codes".
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
	// 2025-11-25, client/elicitation "URL mode".
	CodeURLElicitationRequired = -32042
)

// Error is the error member of a response.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the server's own words.
func (e *Error) Error() string { return e.Message }
