package client

import (
	"errors"
	"fmt"
	"net/http"

	"kontor.dev/kontor/internal/mcp/wire"
)

// afterSending tells what an error means for a request that was handed to the
// transport. It stays as it is where the server is known not to have run the
// request, or where its answer is known to exist; everything else leaves the
// outcome open.
func afterSending(err error) error {
	var status *wire.HTTPError
	switch {
	case errors.Is(err, wire.ErrNotSent), errors.Is(err, wire.ErrSessionLost), errors.Is(err, wire.ErrTooLarge):
		return err
	case errors.As(err, &status) && refused(status.Status):
		return err
	}
	return &unknownOutcome{err}
}

// unknownOutcome is ErrOutcomeUnknown with its cause.
type unknownOutcome struct{ cause error }

func (u *unknownOutcome) Error() string   { return fmt.Sprintf("%v: %v", ErrOutcomeUnknown, u.cause) }
func (u *unknownOutcome) Unwrap() []error { return []error{ErrOutcomeUnknown, u.cause} }

// startError drops the open outcome: a handshake that broke leaves no question.
func startError(stage Stage, err error) *StartError {
	if u, ok := errors.AsType[*unknownOutcome](err); ok {
		err = u.cause
	}
	return &StartError{Stage: stage, Err: err}
}

// refused are the statuses that say no to the request itself. 408 and all of 5xx
// may also come from a proxy that lost sight of a running request, and 2xx
// without a message says nothing.
func refused(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusRequestTimeout ||
		status == http.StatusNotImplemented || status == http.StatusServiceUnavailable
}

// unavailable are the statuses that speak for the path to the server rather than
// for the server, whatever their body looks like.
func unavailable(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// head is the beginning of b, at most n bytes.
func head(b []byte, n int) []byte { return b[:min(len(b), n)] }
