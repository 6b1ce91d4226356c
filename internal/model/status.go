package model

import "time"

// ServerState is where a server's connection stands.
type ServerState string

// The states of a server.
const (
	ServerDisabled    ServerState = "disabled"
	ServerConnecting  ServerState = "connecting"
	ServerReady       ServerState = "ready"
	ServerNeedsSignIn ServerState = "needs_sign_in"
	ServerFailed      ServerState = "failed"
)

// Status is what is known about a server's connection now.
type Status struct {
	State ServerState
	// Era is "legacy" (initialize) or "modern" (2026-07-28); empty until known.
	Era             string
	ProtocolVersion string
	Since           time.Time
	// LastError says why it is not ready; kept as history once it is.
	LastError *Error
	// LastStderr is the last line that a stdio server wrote to stderr, redacted.
	LastStderr string
	// Attempts counts the dials since it was last ready.
	Attempts int
	// NextAttemptAt is zero when it won't be tried again by itself.
	NextAttemptAt             time.Time
	Tools, Resources, Prompts int
	// ListedAt is when they were listed last; zero when they never were. Saved says
	// that this was before Kontor was started: the server hasn't confirmed it since.
	ListedAt time.Time
	Saved    bool
	// Latency of the last handshake or list.
	Latency time.Duration
	// ServerName and ServerVersion are what the server calls itself.
	ServerName, ServerVersion string
	Instructions              string
	Warnings                  []Warning
	Auth                      Auth
}

// Warning is something cut, left out, odd or duplicate, shown on the server's page.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Tool    string `json:"tool,omitempty"`
}
