package cases

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// streams are answers that come as events.
func streams() []fault {
	return []fault{
		{
			name:   "answers-as-an-event-stream",
			server: server{tools: echo},
			over: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m message) {
				send := stream(w)
				token := member(member(m.Params, "_meta"), "progressToken")
				send("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":3,\"total\":4,\"message\":\"nearly\"}}\n\n", token)
				send("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"warning\",\"data\":\"it is hot\"}}\n\n")
				send("data: %s\n\n", response(m.ID, text("done")))
			}),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				if c.State != "done" || c.Text() != "done" {
					t.Errorf("got %s, %q, %+v", c.State, c.Text(), c.Error)
				}
				if c.Progress == nil || c.Progress.Progress != "3" || c.Progress.Total != "4" || c.Progress.Message != "nearly" {
					t.Errorf("the progress is %+v", c.Progress)
				}
				logged(t, k, name, "warning: it is hot")
			},
		},
		{
			name:   "an-unreadable-event",
			server: server{tools: echo},
			over: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ message) {
				stream(w)("data: {\"jsonrpc\":\"2.0\",\n\n")
			}),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				// It may have run: what it came to can't be read.
				failed(t, k, name, "echo", "unknown", "outcome_unknown")
				logged(t, k, name, `not_protocol: an event that is`)
			},
		},
		{
			name:   "one-event-in-pieces",
			server: server{tools: echo},
			over: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m message) {
				send := stream(w)
				event := "data: " + response(m.ID, text(strings.Repeat("ü", 30<<10))) + "\n\n"
				for len(event) > 0 {
					n := min(8<<10, len(event))
					send("%s", event[:n])
					event = event[n:]
					time.Sleep(20 * time.Millisecond)
				}
			}),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if got := done(t, k, name, "echo", `{}`); got != strings.Repeat("ü", 30<<10) {
					t.Errorf("got %d bytes", len(got))
				}
			},
		},
		{
			name:   "keep-alives-of-all-kinds",
			server: server{tools: echo},
			over: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m message) {
				send := stream(w)
				for range 10 {
					send(": ping\n\nevent: ping\ndata: now\n\ndata:\n\n")
					time.Sleep(50 * time.Millisecond)
				}
				send("data: %s\n\n", response(m.ID, text("still here")))
			}),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if got := done(t, k, name, "echo", `{}`); got != "still here" {
					t.Errorf("got %q", got)
				}
				if strings.Contains(k.Log(name), "not_protocol") {
					t.Errorf("it is told of what only keeps a stream alive:\n%s", k.Log(name))
				}
			},
		},
		{
			name:   "dies-in-the-middle-of-an-answer",
			server: server{tools: echo},
			over:   dying(new(atomic.Int32)),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				failed(t, k, name, "echo", "unknown", "outcome_unknown")
				if got := done(t, k, name, "echo", `{}`); got != "call 2" {
					t.Errorf("got %q: the call that broke was sent again", got)
				}
			},
		},
		{
			name:   "speaks-the-first-of-the-transports",
			server: server{tools: echo},
			over:   eventsFirst("/messages?id=1"),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				holds(t, done(t, k, name, "echo", `{"s":1}`), `{"s":1}`)
				logged(t, k, name, "2024-11-05")
			},
		},
		{
			name:   "sends-its-messages-elsewhere",
			server: server{tools: echo},
			over:   eventsFirst("http://192.0.2.1/messages"),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				s := k.AwaitState(name, "failed")
				holds(t, s.Status.LastError.Message, "192.0.2.1")
			},
		},
	}
}

// dying breaks the first call's stream off, and counts the calls.
func dying(calls *atomic.Int32) func(http.Handler) http.Handler {
	return on("tools/call", func(w http.ResponseWriter, _ *http.Request, m message) {
		n := calls.Add(1)
		if n == 1 {
			stream(w)("data: {\"jsonrpc\":\"2.0\",")
			panic(http.ErrAbortHandler)
		}
		answerJSON(w, response(m.ID, text("call "+string('0'+rune(n)))))
	})
}

// eventsFirst is the transport of 2024-11-05: a GET opens the stream of all answers,
// whose first event says where messages are posted to.
func eventsFirst(endpoint string) func(http.Handler) http.Handler {
	return func(usual http.Handler) http.Handler {
		var mu sync.Mutex
		var answers chan string
		mux := http.NewServeMux()
		mux.HandleFunc("GET /mcp", func(w http.ResponseWriter, r *http.Request) {
			own := make(chan string, 64)
			mu.Lock()
			answers = own
			mu.Unlock()
			send := stream(w)
			send("event: endpoint\ndata: %s\n\n", endpoint)
			for {
				select {
				case answer := <-own:
					send("event: message\ndata: %s\n\n", answer)
				case <-r.Context().Done():
					return
				}
			}
		})
		mux.HandleFunc("/mcp", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", "GET")
			w.WriteHeader(http.StatusMethodNotAllowed)
		})
		mux.HandleFunc("POST /messages", func(w http.ResponseWriter, r *http.Request) {
			m := received(r)
			w.WriteHeader(http.StatusAccepted)
			if answer := usual.(server).answer(m, nil); answer != "" {
				mu.Lock()
				answers <- answer
				mu.Unlock()
			}
		})
		return mux
	}
}

// listenAt listens at an address that was listened at before.
func listenAt(t *testing.T, address string) net.Listener {
	t.Helper()
	var l net.Listener
	kontor.Poll(t, kontor.Patience, address+" free again", func() bool {
		var err error
		l, err = net.Listen("tcp", address)
		return err == nil
	})
	return l
}
