package client

import (
	"encoding/json"
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
	return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
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

// rpcError reads an error member. One of another shape keeps its text: it is the
// server's only word.
func rpcError(raw json.RawMessage) *wire.Error {
	var e wire.Error
	if json.Unmarshal(raw, &e) == nil && (e.Code != 0 || e.Message != "") {
		return &e
	}
	return &wire.Error{Code: wire.CodeInternalError, Message: string(head(raw, 1024)), Data: raw}
}

// head is the beginning of b, at most n bytes.
func head(b []byte, n int) []byte { return b[:min(len(b), n)] }
