package streamhttp

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

const latestLegacy = "2025-11-25"

// received is what a transport handed over.
type received struct {
	mu       sync.Mutex
	messages []wire.Incoming
	notes    []wire.Note
	changed  chan struct{}
}

func (r *received) receiver() wire.Receiver {
	tell := func() {
		select {
		case r.changed <- struct{}{}:
		default:
		}
	}
	return wire.Receiver{
		Message: func(in wire.Incoming) {
			r.mu.Lock()
			r.messages = append(r.messages, in)
			r.mu.Unlock()
			tell()
		},
		Note: func(n wire.Note) {
			r.mu.Lock()
			r.notes = append(r.notes, n)
			r.mu.Unlock()
			tell()
		},
	}
}

// lines shows the messages, one a line: stream, status if any, bytes.
func (r *received) lines() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, in := range r.messages {
		fmt.Fprintf(&b, "%s ", in.Stream)
		if in.Status != 0 {
			fmt.Fprintf(&b, "%d ", in.Status)
		}
		fmt.Fprintf(&b, "%s\n", in.Message.Raw)
	}
	return b.String()
}

func (r *received) noted() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, n := range r.notes {
		fmt.Fprintf(&b, "%s: %s\n", n.Kind, n.Text)
	}
	return b.String()
}

// await waits until the messages and notes hold what.
func (r *received) await(t *testing.T, what string) {
	t.Helper()
	for deadline := time.After(5 * time.Second); ; {
		if strings.Contains(r.lines()+r.noted(), what) {
			return
		}
		select {
		case <-r.changed:
		case <-deadline:
			t.Fatalf("%q never came; got\n%s%s", what, r.lines(), r.noted())
		}
	}
}

// dial connects to a server that answers as h does. Everything ends with the test.
func dial(t *testing.T, h http.HandlerFunc, change ...func(*endpoint.Options)) (*Transport, *received) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	pool := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(pool.CloseIdleConnections)
	return dialTo(t, server.URL+"/mcp", pool, change...)
}

func dialTo(t *testing.T, address string, rt http.RoundTripper, change ...func(*endpoint.Options)) (*Transport, *received) {
	t.Helper()
	o := endpoint.Options{URL: address, Client: &http.Client{Transport: rt}}
	for _, c := range change {
		c(&o)
	}
	got := &received{changed: make(chan struct{}, 1)}
	tr, err := New(o, got.receiver())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr, got
}

func request(id int, method string) wire.Outgoing {
	return outgoing(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{}}`, id, method))
}

func outgoing(raw string) wire.Outgoing {
	m, err := wire.Parse([]byte(raw))
	if err != nil {
		panic(err)
	}
	return wire.Outgoing{Message: m, ProtocolVersion: latestLegacy}
}

// initialize opens a session.
func initialize(t *testing.T, tr *Transport) {
	t.Helper()
	out := request(0, "initialize")
	out.ProtocolVersion = ""
	if err := tr.Send(t.Context(), out); err != nil {
		t.Fatal(err)
	}
}

// idOf is the id of the message in a request's body.
func idOf(r *http.Request) json.RawMessage {
	body, _ := io.ReadAll(r.Body)
	m, _ := wire.Parse(body)
	return m.ID
}

func sendJSON(w http.ResponseWriter, format string, args ...any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, format, args...)
}

// streaming begins an event stream and returns what sends a piece of it at once.
func streaming(w http.ResponseWriter) (send func(format string, args ...any)) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	return func(format string, args ...any) {
		_, _ = fmt.Fprintf(w, format, args...)
		_ = http.NewResponseController(w).Flush()
	}
}

// cut breaks the connection in the middle of an answer.
func cut() { panic(http.ErrAbortHandler) }
