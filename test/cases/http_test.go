package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// ServeHTTP is a decent server over Streamable HTTP without sessions.
func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodDelete:
		return
	default:
		w.Header().Set("Allow", "POST")
		http.Error(w, "no stream here", http.StatusMethodNotAllowed)
		return
	}
	m := received(r)
	switch answer := s.answer(m, func(string) {}); {
	case m.ID == nil || m.Method == "":
		w.WriteHeader(http.StatusAccepted)
	default:
		answerJSON(w, answer)
	}
}

// received reads the message of a POST and leaves it there for others.
func received(r *http.Request) message {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client has left
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var m message
	_ = json.Unmarshal(body, &m) // no message has no method
	return m
}

func answerJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

// stream begins an event stream and returns what sends more of it.
func stream(w http.ResponseWriter) (send func(format string, args ...any)) {
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	_ = control.Flush()
	return func(format string, args ...any) {
		fmt.Fprintf(w, format, args...)
		_ = control.Flush()
	}
}

// on has one method answered by f, the others as usual.
func on(method string, f func(w http.ResponseWriter, r *http.Request, m message)) func(http.Handler) http.Handler {
	return func(usual http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				usual.ServeHTTP(w, r)
			} else if m := received(r); m.Method == method {
				f(w, r, m)
			} else {
				usual.ServeHTTP(w, r)
			}
		})
	}
}

// listen serves a fake over HTTP until the test ends and returns its configuration.
func listen(t *testing.T, h http.Handler) kontor.Config {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return kontor.Config{"url": s.URL + "/mcp"}
}
