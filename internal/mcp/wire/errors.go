package wire

import (
	"errors"
	"fmt"
	"net/http"
)

var (
	// ErrNotSent marks errors after which the server is known not to have seen
	// the message: it can be sent again.
	ErrNotSent = errors.New("not sent")
	// ErrSessionLost is a 404 (or its JSON-RPC form) for a session that the
	// server no longer knows: the request itself did not run.
	ErrSessionLost = errors.New("the server no longer knows this session")
	// ErrClosed is what a closed transport answers.
	ErrClosed = errors.New("connection closed")
	// ErrEndpointRefused is an address that a server wants its messages at, and
	// that they are not sent to.
	ErrEndpointRefused = errors.New("the server's endpoint is refused")
	// ErrTooLarge is a message over the limit.
	ErrTooLarge = errors.New("message too large")
)

// HTTPError is an HTTP answer that carried no MCP message.
type HTTPError struct {
	Status      int
	ContentType string
	Header      http.Header
	// Body is the beginning of the answer's body, at most 4 KiB.
	Body []byte
	// URL is the address that answered, after redirects.
	URL string
}

// Error says the status in words.
func (e *HTTPError) Error() string {
	return fmt.Sprintf("the server answered HTTP %d %s", e.Status, http.StatusText(e.Status))
}
