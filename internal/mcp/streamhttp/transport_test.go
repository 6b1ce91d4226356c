package streamhttp

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestARequestCarriesItsHeaders(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 10)
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Clone(context.WithoutCancel(r.Context()))
		if r.Method == http.MethodPost {
			w.Header().Set("Mcp-Session-Id", "s-1")
			sendJSON(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idOf(r))
		}
	}, func(o *endpoint.Options) {
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
			streaming(w)("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", id)
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
		streaming(w)(": open\n\n")
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
		streaming(w)("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
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
