package model

import (
	"context"
	"errors"
	"fmt"
)

// Code is a stable, machine-readable name of what went wrong. It is the same in
// call errors, server errors and the `code` of API problems.
type Code string

// Codes that more than one package uses.
const (
	CodeInvalid           Code = "invalid"
	CodeNotFound          Code = "not_found"
	CodeConflict          Code = "conflict"
	CodeGone              Code = "gone"
	CodeDenied            Code = "denied"
	CodeDisabled          Code = "disabled"
	CodeServerUnavailable Code = "server_unavailable"
	CodeNeedsSignIn       Code = "needs_sign_in"
	CodeInsufficientScope Code = "insufficient_scope"
	CodeTimeout           Code = "timeout"
	CodeProtocol          Code = "protocol"
	CodeServerError       Code = "server_error"
	CodeTooLarge          Code = "too_large"
	CodeRejected          Code = "rejected"
	CodeCancelled         Code = "cancelled"
	// CodeNotSent: cancelled while it waited for approval, so it certainly was not run.
	CodeNotSent         Code = "not_sent"
	CodeOutcomeUnknown  Code = "outcome_unknown"
	CodeMissingVariable Code = "missing_variable"
	CodeStorage         Code = "storage"
	CodeInternal        Code = "internal"
)

// Error is an error that may be shown to the person: a stable code, and a
// sentence that says what, where and what to do. It never holds a secret.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Fix is the likely remedy, as a sentence or two; empty where the message says it.
	Fix string `json:"fix,omitempty"`
	// Err is the cause, for logs and errors.Is; it is not shown.
	Err error `json:"-"`
}

// Errorf makes an Error; a %w operand becomes its cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrStopping is the cause by which everything is cancelled when Kontor stops. What
// waits for the person's approval or answer stays open then, for the next start.
var ErrStopping = &Error{Code: CodeCancelled, Message: "cancelled because Kontor was stopped", Err: context.Canceled}

// CodeOf returns the code of the first Error in err's chain, or CodeInternal.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
