package endpoint

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
)

// EventStream is the media type of an event stream.
const EventStream = "text/event-stream"

// shownBody is how much of a body that is no message an error carries.
const shownBody = 4 << 10

// AnswerError is an answer that can't be MCP, in words for a person. It wraps
// the *wire.HTTPError with the answer itself.
type AnswerError struct {
	Reason string
	Answer *wire.HTTPError
}

// Error returns the reason.
func (e *AnswerError) Error() string { return e.Reason }

// Unwrap returns the answer.
func (e *AnswerError) Unwrap() error { return e.Answer }

// ReadBody reads a whole body of at most max bytes; with an error it returns
// what it read.
func ReadBody(resp *http.Response, max int) ([]byte, error) {
	switch n := resp.ContentLength; {
	case n > int64(max):
		return Beginning(resp.Body), fmt.Errorf("%w: %d bytes, where %d are allowed", wire.ErrTooLarge, n, max)
	case n >= 0:
		body := make([]byte, n)
		read, err := io.ReadFull(resp.Body, body)
		return body[:read], err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(max)+1))
	if err == nil && len(body) > max {
		return body[:max], TooLarge(max)
	}
	return body, err
}

// TooLarge is wire.ErrTooLarge with the limit.
func TooLarge(max int) error {
	return fmt.Errorf("%w: over the %d bytes that are allowed", wire.ErrTooLarge, max)
}

// Beginning is the beginning of a body, at most 4 KiB.
func Beginning(r io.Reader) []byte {
	body, _ := io.ReadAll(io.LimitReader(r, shownBody))
	return body
}

// MediaType is the type of a body in lower case, without parameters.
func MediaType(resp *http.Response) string {
	name, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(name))
}

// HTTPError is an answer with the beginning of its body.
func HTTPError(resp *http.Response, body []byte) *wire.HTTPError {
	return &wire.HTTPError{
		Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Header: resp.Header,
		Body: bytes.Clone(body[:min(len(body), shownBody)]), URL: Shown(resp.Request.URL),
	}
}

// Unusable is an AnswerError.
func Unusable(resp *http.Response, body []byte, format string, args ...any) error {
	return &AnswerError{Reason: fmt.Sprintf(format, args...), Answer: HTTPError(resp, body)}
}

// WebPage is what to say of HTML.
func WebPage(resp *http.Response, body []byte) error {
	return Unusable(resp, body, "the server sent a web page, not MCP; check the address: %s", Shown(resp.Request.URL))
}

// Redirected explains a redirect that isn't followed. After 302 and 303 a client
// would get a page: in practice somebody's sign-in.
func Redirected(resp *http.Response) error {
	body := Beginning(resp.Body)
	to, err := resp.Location()
	switch {
	case err != nil:
		return Unusable(resp, body, "the server redirects nowhere (HTTP %d); check the address: %s", resp.StatusCode, Shown(resp.Request.URL))
	case resp.StatusCode == http.StatusFound || resp.StatusCode == http.StatusSeeOther:
		return Unusable(resp, body, "the server sent a web page, not MCP; check the address: it redirects to %s", Shown(to))
	}
	return Unusable(resp, body, "the server has moved to %s; check the address", Shown(to))
}
