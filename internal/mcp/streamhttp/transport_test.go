package streamhttp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/mcp/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
func dial(t *testing.T, h http.HandlerFunc, change ...func(*Options)) (*Transport, *received) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	pool := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(pool.CloseIdleConnections)
	return dialTo(t, server.URL+"/mcp", pool, change...)
}

func dialTo(t *testing.T, address string, rt http.RoundTripper, change ...func(*Options)) (*Transport, *received) {
	t.Helper()
	o := Options{URL: address, Client: &http.Client{Transport: rt}}
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

// sse begins an event stream and returns what sends a piece of it at once.
func sse(w http.ResponseWriter) (send func(format string, args ...any)) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	return func(format string, args ...any) {
		_, _ = fmt.Fprintf(w, format, args...)
		_ = http.NewResponseController(w).Flush()
	}
}

// cut breaks the connection in the middle of an answer.
func cut() { panic(http.ErrAbortHandler) }

func TestARequestCarriesItsHeaders(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 10)
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Clone(context.WithoutCancel(r.Context()))
		if r.Method == http.MethodPost {
			w.Header().Set("Mcp-Session-Id", "s-1")
			sendJSON(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idOf(r))
		}
	}, func(o *Options) {
		o.Header = http.Header{"authorization": {"Bearer t"}, "Accept": {"text/html"}, "X-Two": {"a", "b"}}
	})
	initialize(t, tr)
	first := (<-seen).Header
	out := request(1, "tools/call")
	out.Header = http.Header{"Mcp-Method": {"tools/call"}, "mcp-name": {"echo"}}
	if err := tr.Send(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	second := <-seen
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	last := <-seen

	for name, want := range map[string][2]string{
		"Accept":               {"application/json, text/event-stream", "application/json, text/event-stream"},
		"Content-Type":         {"application/json", "application/json"},
		"Authorization":        {"Bearer t", "Bearer t"},
		"Mcp-Protocol-Version": {"", latestLegacy},
		"Mcp-Session-Id":       {"", "s-1"},
		"Mcp-Method":           {"", "tools/call"},
		"Mcp-Name":             {"", "echo"},
	} {
		if got := [2]string{first.Get(name), second.Header.Get(name)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := second.Header.Values("X-Two"); len(got) != 2 {
		t.Errorf("X-Two: %q", got)
	}
	if second.ContentLength <= 0 {
		t.Errorf("Content-Length: %d", second.ContentLength)
	}
	if last.Method != http.MethodDelete || last.Header.Get("Mcp-Session-Id") != "s-1" ||
		last.Header.Get("Mcp-Protocol-Version") != latestLegacy || last.Header.Get("Authorization") != "Bearer t" {
		t.Errorf("goodbye: %s %v", last.Method, last.Header)
	}
	want := `0 {"jsonrpc":"2.0","id":0,"result":{}}` + "\n" + `1 {"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
	if got := got.lines(); got != want {
		t.Errorf("received\n%swant\n%s", got, want)
	}
}

func TestManyCallsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	connections := make(map[string]bool)
	var mu sync.Mutex
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		connections[r.RemoteAddr] = true
		mu.Unlock()
		id := idOf(r)
		if n, _ := strconv.Atoi(string(id)); n%2 == 0 {
			sse(w)("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", id)
			return
		}
		sendJSON(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
	})
	const sequential, workers, each = 1000, 64, 10
	for i := range sequential {
		if err := tr.Send(t.Context(), request(i, "ping")); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	if len(connections) > 2 { // the idle connection may be just on its way back
		t.Errorf("%d calls one after another took %d connections", sequential, len(connections))
	}
	mu.Unlock()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range each {
				if err := tr.Send(t.Context(), request(sequential+w*each+i, "ping")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(got.messages); n != sequential+workers*each {
		t.Errorf("%d messages came, want %d", n, sequential+workers*each)
	}
	if len(connections) > 2*workers {
		t.Errorf("%d calls at a time took %d connections", workers, len(connections))
	}
	if len(tr.inflight) != 0 {
		t.Errorf("%d exchanges are left", len(tr.inflight))
	}
}

func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	arrived, left := make(chan struct{}), make(chan struct{})
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		sse(w)(": open\n\n")
		close(arrived)
		<-r.Context().Done()
		close(left)
	})
	sent := make(chan error, 1)
	go func() { sent <- tr.Send(context.Background(), request(1, "tools/call")) }()
	<-arrived
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; !isAll(err, wire.ErrClosed) || isAll(err, wire.ErrNotSent) {
		t.Errorf("a call under way ended with %v, want ErrClosed alone", err)
	}
	<-left
	<-tr.Done()
	if err := tr.Err(); err != nil {
		t.Errorf("Err after Close = %v", err)
	}
	if err := tr.Send(t.Context(), request(2, "ping")); !isAll(err, wire.ErrClosed, wire.ErrNotSent) {
		t.Errorf("Send after Close = %v, want ErrClosed, not sent", err)
	}
}

func TestCancellingClosesTheStream(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		sse(w)("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		<-r.Context().Done()
		close(left)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	sent := make(chan error, 1)
	go func() { sent <- tr.Send(ctx, request(1, "tools/call")) }()
	got.await(t, "notifications/progress")
	cancel(io.ErrNoProgress)
	if err := <-sent; !isAll(err, io.ErrNoProgress) || isAll(err, wire.ErrNotSent) {
		t.Errorf("Send = %v, want the cause of the cancel", err)
	}
	<-left
}
