package client

import (
	"errors"
	"fmt"
)

var (
	// ErrOutcomeUnknown wraps what broke after a request may have reached the
	// server and before its answer came: it may or may not have run.
	ErrOutcomeUnknown = errors.New("no answer came; whether the request ran is unknown")
	// ErrArguments wraps what is wrong with a request that was therefore not sent.
	ErrArguments = errors.New("these arguments can't be sent")
	// ErrNoCommonVersion means that server and client share no revision.
	ErrNoCommonVersion = errors.New("no protocol version in common")
	// ErrProtocol wraps answers that are no MCP.
	ErrProtocol = errors.New("the server broke the protocol")
	// ErrInputUnsupported means that a server asked, in an input_required
	// result, for something that this client never declared.
	ErrInputUnsupported = errors.New("the server asks for input that is not offered")
)

// Stage names the step of Connect that failed.
type Stage string

const (
	StageDial       Stage = "dial"
	StageProbe      Stage = "probe"
	StageInitialize Stage = "initialize"
	StageVersion    Stage = "version"
)

// StartError is how Connect fails. Err may be a *wire.HTTPError (401 means
// signing in is needed), a *wire.Error, ErrNoCommonVersion, the cause of ctx,
// or what the transport said.
type StartError struct {
	Stage Stage
	Err   error
	// Stray says in words what was answered instead of what was asked; mostly empty.
	Stray string
}

func (e *StartError) Error() string { return fmt.Sprintf("%s: %v", e.Stage, e.Err) }

// Unwrap returns Err.
func (e *StartError) Unwrap() error { return e.Err }

// RefusedError is what Handlers.Elicit answers to a question that isn't put
// before the person. The server is told the reason, as a JSON-RPC error.
type RefusedError struct{ Reason string }

// Error is the reason.
func (e *RefusedError) Error() string { return e.Reason }
