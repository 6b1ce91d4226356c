package streamhttp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// shownBody is how much of a body that is no message an error carries.
	shownBody = 4 << 10
	// maxRefusal is how long the JSON-RPC error of an HTTP error may be.
	maxRefusal = 1 << 20
)

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

// answer reads what came back for a message.
func (t *Transport) answer(x *exchange, resp *http.Response) error {
	if final := resp.Request.URL; *final != *t.url {
		t.moved.Do(func() {
			t.note(wire.NoteLifecycle, "the server redirects to %s; put that address into its settings", shown(final))
		})
	}
	switch {
	case resp.StatusCode/100 == 3:
		return redirected(resp)
	case resp.StatusCode == http.StatusNotFound && x.session != "":
		drain(resp)
		t.lose(x.session)
		return errSessionLost
	case resp.StatusCode/100 != 2:
		return t.refusal(x, resp)
	case x.kind != wire.Request:
		if mediaType(resp) != streamType { // whose end may never come
			drain(resp)
		}
		return nil
	}
	if x.initialize {
		t.keep(resp.Header.Get("Mcp-Session-Id"))
	}
	switch mediaType(resp) {
	case streamType:
		return t.stream(x, resp)
	case "text/html":
		return webPage(resp, beginning(resp.Body))
	}
	return t.whole(x, resp)
}

// whole reads an answer that is one JSON body.
func (t *Transport) whole(x *exchange, resp *http.Response) error {
	body, err := readBody(resp, t.max)
	if err != nil {
		return fmt.Errorf("reading the answer: %w", inner(x.ctx, err))
	}
	messages, err := wire.ParseAll(body)
	switch trimmed := bytes.TrimLeft(body, " \t\r\n"); {
	case len(trimmed) == 0:
		return unusable(resp, nil, "the server took the request, but sent no answer (HTTP %d)", resp.StatusCode)
	case err != nil && trimmed[0] == '<':
		return webPage(resp, body)
	case err != nil:
		return unusable(resp, body, "the server's answer is %v", err)
	}
	for _, m := range messages {
		t.deliver(x, m, 0)
	}
	if !x.answered {
		return unusable(resp, body, "the server's answer is JSON, but no response to this request")
	}
	return nil
}

// deliver passes a message on, as it came.
func (t *Transport) deliver(x *exchange, m wire.Message, status int) {
	x.answered = x.answered || answers(m, x.out.Message.ID)
	t.receive.Message(wire.Incoming{Message: m, Stream: string(x.out.Message.ID), Status: status})
}

// answers tells whether m, from the answer to the request with this id, is the
// response to it. An error without an id is: JSON-RPC 2.0 §5 has null where the
// id could not be read. Numbers that come back as text or floats count too.
func answers(m wire.Message, id []byte) bool {
	if m.Kind() != wire.Response {
		return false
	}
	switch got := string(m.ID); got {
	case "", "null":
		return m.Error != nil
	case string(id):
		return true
	default:
		return strings.TrimSuffix(strings.Trim(got, `"`), ".0") == string(bytes.Trim(id, `"`))
	}
}

// refusal reads an answer outside 2xx. One whose body is the response to this
// request is a message; but where the headers are the answer (a challenge, a
// time to come back), it stays an error.
func (t *Transport) refusal(x *exchange, resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return httpError(resp, beginning(resp.Body))
	}
	body, err := readBody(resp, min(t.max, maxRefusal))
	if err != nil || x.kind != wire.Request {
		return httpError(resp, body)
	}
	m, err := wire.Parse(body)
	if err != nil || !answers(m, x.out.Message.ID) {
		return httpError(resp, body)
	}
	t.deliver(x, m, resp.StatusCode)
	return nil
}

// readBody reads a whole body of at most max bytes; with an error it returns
// what it read.
func readBody(resp *http.Response, max int) ([]byte, error) {
	switch n := resp.ContentLength; {
	case n > int64(max):
		return beginning(resp.Body), fmt.Errorf("%w: %d bytes, where %d are allowed", wire.ErrTooLarge, n, max)
	case n >= 0:
		body := make([]byte, n)
		read, err := io.ReadFull(resp.Body, body)
		return body[:read], err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(max)+1))
	if err == nil && len(body) > max {
		return body[:max], tooLarge(max)
	}
	return body, err
}

func tooLarge(max int) error {
	return fmt.Errorf("%w: over the %d bytes that are allowed", wire.ErrTooLarge, max)
}

func beginning(r io.Reader) []byte {
	body, _ := io.ReadAll(io.LimitReader(r, shownBody))
	return body
}

// mediaType is the type of a body in lower case, without parameters.
func mediaType(resp *http.Response) string {
	name, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(name))
}

func httpError(resp *http.Response, body []byte) *wire.HTTPError {
	return &wire.HTTPError{
		Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Header: resp.Header,
		Body: bytes.Clone(body[:min(len(body), shownBody)]), URL: shown(resp.Request.URL),
	}
}

func unusable(resp *http.Response, body []byte, format string, args ...any) error {
	return &AnswerError{Reason: fmt.Sprintf(format, args...), Answer: httpError(resp, body)}
}

func webPage(resp *http.Response, body []byte) error {
	return unusable(resp, body, "the server sent a web page, not MCP; check the address: %s", shown(resp.Request.URL))
}

// redirected explains a redirect that isn't followed. After 302 and 303 a client
// would get a page: in practice somebody's sign-in.
func redirected(resp *http.Response) error {
	body := beginning(resp.Body)
	to, err := resp.Location()
	switch {
	case err != nil:
		return unusable(resp, body, "the server redirects nowhere (HTTP %d); check the address: %s", resp.StatusCode, shown(resp.Request.URL))
	case resp.StatusCode == http.StatusFound || resp.StatusCode == http.StatusSeeOther:
		return unusable(resp, body, "the server sent a web page, not MCP; check the address: it redirects to %s", shown(to))
	}
	return unusable(resp, body, "the server has moved to %s; check the address", shown(to))
}
