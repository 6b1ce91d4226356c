package wire

import (
	"context"
	"net/http"
)

// Transport carries messages to and from one server. Implementations are safe
// for concurrent use.
type Transport interface {
	// Send hands one message over. Over stdio it returns once the line is
	// written. Over HTTP it returns when the answer's body has ended, by which
	// time every message in it was received; cancelling ctx closes that body.
	// Over HTTP, nil for a request means that its response was received, and an
	// error that it was not.
	//
	// An error that wraps ErrNotSent promises that the server never saw the
	// message. After any other error it may have. ErrSessionLost always comes
	// together with ErrNotSent: the message did not run, and can be sent again
	// once a new transport has been initialized.
	Send(ctx context.Context, out Outgoing) error
	// Close ends the transport within a few seconds, whatever the server does.
	Close() error
	// Done is closed when no message can be carried any more: the process
	// exited, or the HTTP session is lost and the last Send has returned.
	Done() <-chan struct{}
	// Err says why Done was closed; nil before, and after Close.
	Err() error
}

// Outgoing is one message on its way to a server, with what HTTP needs to know
// about it without reading the body again.
type Outgoing struct {
	Message Message
	// ProtocolVersion goes into MCP-Protocol-Version; empty leaves it out.
	ProtocolVersion string
	// Header holds the standard request headers of 2026-07-28 (Mcp-Method,
	// Mcp-Name, Mcp-Param-*); nil in older revisions. stdio ignores it.
	Header http.Header
	// Standing marks a request whose answer goes on until one side ends it, and
	// that the sender repeats when it has ended: it may be cut when it falls
	// silent.
	Standing bool
}

// Incoming is one message from a server.
type Incoming struct {
	Message Message
	// Stream is the id, as sent, of the request whose HTTP answer carried this
	// message. Empty on a channel that all requests share.
	Stream string
	// Status is the HTTP status of an answer outside 2xx whose body was the
	// response to this request (2026-07-28 sends its errors with 400 and 404);
	// Send then returns nil. 0 everywhere else. 401, 403, 429 and 503 always
	// come as an *HTTPError from Send, since their headers are the answer.
	Status int
	// Err is nil for what the server sent. It is set when the transport made
	// Message up, an error response in place of an answer that it could not
	// carry, and says why: it wraps ErrTooLarge.
	Err error
}

// Listener is a Transport with a separate channel for what the server says
// unasked: the GET stream of Streamable HTTP up to 2025-11-25. Listen opens it
// in the background and returns at once; call it once, after the handshake. It
// stays open until ctx ends or the transport is closed; its messages have an
// empty Stream. What goes wrong with it becomes a Note and fails nothing else.
// tried is closed once the first attempt to open it has had its answer, whatever
// that was: before, what the server says there is lost. With a server that accepts
// the attempt and is silent, it may never be.
type Listener interface {
	Transport
	Listen(ctx context.Context) (tried <-chan struct{})
}

// Receiver takes what a transport reads. Both are called from one goroutine per
// stream, in the order of arrival, and must return quickly.
type Receiver struct {
	// Message takes every JSON-RPC message, and JSON that is none (Kind Invalid).
	Message func(Incoming)
	// Note takes what else is worth a line in the server's log.
	Note func(Note)
	// Missed is called when the channel for what the server says unasked is open
	// again after a break, and nothing makes up for what was said meanwhile. It
	// must return quickly, and may be nil.
	Missed func()
}

// Note is a line about a server that is no JSON-RPC message.
type Note struct {
	Kind NoteKind
	Text string
	// Code is set where the person should do something about it, or know for as long
	// as the connection lasts.
	Code string
}

// CodeMoved is the Code of a server that redirects to another address.
const CodeMoved = "address_moved"

// NoteKind tells where a Note comes from.
type NoteKind string

const (
	// NoteStderr is one line that the process wrote to stderr.
	NoteStderr NoteKind = "stderr"
	// NoteNotProtocol is something on the protocol channel that isn't JSON-RPC.
	NoteNotProtocol NoteKind = "not_protocol"
	// NoteLifecycle is an event of the transport itself: started, exited, reopened.
	NoteLifecycle NoteKind = "lifecycle"
)

// Dialer opens a transport; messages go to r from the moment it returns, or
// before.
type Dialer func(ctx context.Context, r Receiver) (Transport, error)
