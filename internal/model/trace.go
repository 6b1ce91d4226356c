package model

import "time"

// TraceEntry is one JSON-RPC message that passed between Kontor and a server, or the
// end of a request that no answer came to.
type TraceEntry struct {
	// Seq counts the messages of one server since Kontor was started, without gaps.
	Seq uint64
	At  time.Time
	// Conn tells the server's connections apart, since each counts its ids anew.
	Conn uint64
	// Dir is "in" (from the server) or "out".
	Dir string
	// Kind is "request", "response", "notification", "invalid", or "unanswered": then
	// Body says in words why no answer came to the request that Pair names.
	Kind string
	// Method is the message's own, for a response that of what it answers; empty
	// when nobody asked.
	Method string
	// ID is as sent; empty when there is none.
	ID string
	// Pair is the Seq of the answer to a request, and of the request that a
	// response answers; 0 while there is none. Took is the time between the two.
	Pair uint64
	Took time.Duration
	// CallID is the call that the message belongs to, if known.
	CallID string
	// Bytes is the whole message's size; Body is its redacted text, of which Cut
	// says that it ends too early.
	Bytes int
	Body  string
	Cut   bool
}
