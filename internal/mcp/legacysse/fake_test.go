package legacysse

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a server of 2024-11-05. endpoint is what its first event says; "" sends
// none. Every event sent on events goes out as it is, and closing it ends the
// stream. take sees each POST and its body, and answers it.
type fake struct {
	endpoint string
	events   chan string
	take     func(w http.ResponseWriter, r *http.Request, body string)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		f.take(w, r, string(body))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(event string) {
		_, _ = io.WriteString(w, event)
		_ = http.NewResponseController(w).Flush()
	}
	if f.endpoint != "" {
		say("event: endpoint\ndata: " + f.endpoint + "\n\n")
	} else {
		say(": hello\n\n")
	}
	for {
		select {
		case event, ok := <-f.events:
			if !ok {
				return
			}
			say(event)
		case <-r.Context().Done():
			return
		}
	}
}

// accepting is a fake that answers every request on the stream.
func accepting(at string) *fake {
	f := &fake{endpoint: at, events: make(chan string, 16)}
	f.take = func(w http.ResponseWriter, _ *http.Request, body string) {
		m, _ := wire.Parse([]byte(body))
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "Accepted")
		if m.Kind() == wire.Request {
			f.events <- fmt.Sprintf("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"m\":%q}}\n\n", m.ID, m.Method)
		}
	}
	return f
}

// received is what a transport handed over, one line each.
type received struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{}
}

func (r *received) add(line string) {
	r.mu.Lock()
	r.lines = append(r.lines, line)
	r.mu.Unlock()
	select {
	case r.more <- struct{}{}:
	default:
	}
}

func (r *received) await(t *testing.T, what string) {
	t.Helper()
	for deadline := time.After(10 * time.Second); ; {
		r.mu.Lock()
		all := strings.Join(r.lines, "\n")
		r.mu.Unlock()
		if strings.Contains(all, what) {
			return
		}
		select {
		case <-r.more:
		case <-deadline:
			t.Fatalf("%q never came; got\n%s", what, all)
		}
	}
}

func serve(t *testing.T, h http.Handler) (address string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL + "/sse"
}

// dial opens a transport; it is closed with the test.
func dial(ctx context.Context, t *testing.T, address string, change ...func(*endpoint.Options)) (*Transport, *received, error) {
	t.Helper()
	pool := &http.Transport{}
	t.Cleanup(pool.CloseIdleConnections)
	o := endpoint.Options{URL: address, Client: &http.Client{Transport: pool}, Header: http.Header{"Authorization": {"Bearer t"}}}
	for _, c := range change {
		c(&o)
	}
	open, err := Dialer(o)
	if err != nil {
		t.Fatal(err)
	}
	got := &received{more: make(chan struct{}, 1)}
	tr, err := open(ctx, wire.Receiver{
		Message: func(in wire.Incoming) { got.add(in.Stream + "|" + string(in.Message.Raw)) },
		Note:    func(n wire.Note) { got.add(string(n.Kind) + ": " + n.Text) },
	})
	if err != nil {
		return nil, got, err
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr.(*Transport), got, nil
}

func request(id int, method string) wire.Outgoing {
	return wire.Outgoing{Message: wire.NewRequest(int64(id), method, nil), ProtocolVersion: "2024-11-05"}
}
