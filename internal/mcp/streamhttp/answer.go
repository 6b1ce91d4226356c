package streamhttp

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

// maxRefusal is how long the JSON-RPC error of an HTTP error may be.
const maxRefusal = 1 << 20

// answer reads what came back for a message.
func (t *Transport) answer(x *exchange, resp *http.Response) error {
	if final := resp.Request.URL; *final != *t.to.URL {
		t.moved.Do(func() {
			t.receive.Note(wire.Note{Kind: wire.NoteLifecycle, Code: wire.CodeMoved,
				Text: fmt.Sprintf("the server redirects to %s; put that address into its settings", endpoint.Shown(final))})
		})
	}
	switch {
	case resp.StatusCode/100 == 3:
		return endpoint.Redirected(resp)
	case resp.StatusCode == http.StatusNotFound && x.session != "":
		endpoint.Drain(resp)
		t.lose(x.session)
		return errSessionLost
	case resp.StatusCode/100 != 2:
		return t.refusal(x, resp)
	case x.kind != wire.Request:
		if endpoint.MediaType(resp) != endpoint.EventStream { // whose end may never come
			endpoint.Drain(resp)
		}
		return nil
	}
	if x.initialize {
		t.keep(resp.Header.Get("Mcp-Session-Id"))
	}
	switch endpoint.MediaType(resp) {
	case endpoint.EventStream:
		return t.stream(x, resp)
	case "text/html":
		return endpoint.WebPage(resp, endpoint.Beginning(resp.Body))
	}
	return t.whole(x, resp)
}

// whole reads an answer that is one JSON body.
func (t *Transport) whole(x *exchange, resp *http.Response) error {
	body, err := endpoint.ReadBody(resp, t.to.Max)
	if err != nil {
		return fmt.Errorf("reading the answer: %w", endpoint.Reason(x.ctx, err))
	}
	messages, err := wire.ParseAll(body)
	switch trimmed := bytes.TrimLeft(body, " \t\r\n"); {
	case len(trimmed) == 0:
		return endpoint.Unusable(resp, nil, "the server took the request, but sent no answer (HTTP %d)", resp.StatusCode)
	case err != nil && trimmed[0] == '<':
		return endpoint.WebPage(resp, body)
	case err != nil:
		return endpoint.Unusable(resp, body, "the server's answer is %v", err)
	}
	for _, m := range messages {
		t.deliver(x, m, 0)
	}
	if !x.answered {
		return endpoint.Unusable(resp, body, "the server's answer is JSON, but no response to this request")
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
		return endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))
	}
	body, err := endpoint.ReadBody(resp, min(t.to.Max, maxRefusal))
	if err != nil || x.kind != wire.Request {
		return endpoint.HTTPError(resp, body)
	}
	m, err := wire.Parse(body)
	if err != nil || !answers(m, x.out.Message.ID) {
		return endpoint.HTTPError(resp, body)
	}
	t.deliver(x, m, resp.StatusCode)
	return nil
}
