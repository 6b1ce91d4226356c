package streamhttp

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// sessions is a server that gives a session to each initialize and answers 404,
// in the way of missing, to any other.
type sessions struct {
	missing http.HandlerFunc
	answer  http.HandlerFunc

	mu      sync.Mutex
	current string
	deleted []string
	without int // requests that had no session
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	current, session := s.current, r.Header.Get("Mcp-Session-Id")
	if session == "" {
		s.without++
	}
	if r.Method == http.MethodDelete {
		s.deleted = append(s.deleted, session)
	}
	s.mu.Unlock()
	switch {
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case session == "":
		w.Header().Set("Mcp-Session-Id", current)
		sendJSON(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idOf(r))
	case session != current:
		s.missing(w, r)
	default:
		s.answer(w, r)
	}
}

func (s *sessions) restart(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = session
}

func TestALostSessionIsRecognisedByAny404(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]http.HandlerFunc{
		"JSON-RPC": answerWith(404, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}}`),
		"no id":    answerWith(404, "application/json", `{"error":{"code":-32001,"message":"Session not found"}}`),
		"text":     answerWith(404, "text/plain", "session not found"),
		"empty":    answerWith(404, "", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &sessions{current: "a", missing: missing}
			server.answer = func(w http.ResponseWriter, r *http.Request) {
				sendJSON(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idOf(r))
			}
			tr, got := dial(t, server.ServeHTTP)
			initialize(t, tr)
			if err := tr.Send(t.Context(), request(1, "ping")); err != nil {
				t.Fatal(err)
			}
			server.restart("b")
			before := got.lines()
			if err := tr.Send(t.Context(), request(1, "tools/call")); !isAll(err, wire.ErrSessionLost, wire.ErrNotSent) {
				t.Errorf("Send = %v, want ErrSessionLost and ErrNotSent", err)
			}
			if got := got.lines(); got != before {
				t.Errorf("the 404 was also delivered: %s", got)
			}
			<-tr.Done()
			if err := tr.Err(); !isAll(err, wire.ErrSessionLost) {
				t.Errorf("Err = %v", err)
			}
			if err := tr.Send(t.Context(), request(2, "ping")); !isAll(err, wire.ErrSessionLost, wire.ErrNotSent) {
				t.Errorf("Send after the loss = %v", err)
			}
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
			if len(server.deleted) != 0 {
				t.Errorf("a lost session was deleted: %q", server.deleted)
			}
		})
	}
}

func TestWithoutASession404IsAnOrdinaryAnswer(t *testing.T) {
	t.Parallel()
	tr, got := dial(t, answerWith(404, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}`))
	if err := tr.Send(t.Context(), request(1, "x")); err != nil {
		t.Errorf("Send = %v", err)
	}
	got.await(t, "1 404 ")
	select {
	case <-tr.Done():
		t.Error("Done is closed")
	default:
	}
}

func TestALostSessionWaitsForWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	server := &sessions{current: "a", missing: answerWith(404, "", "")}
	server.answer = func(w http.ResponseWriter, r *http.Request) {
		id := idOf(r)
		send := streaming(w)
		send(": open\n\n")
		close(started)
		<-release
		send("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", id)
	}
	tr, got := dial(t, server.ServeHTTP)
	initialize(t, tr)
	slow := make(chan error, 1)
	go func() { slow <- tr.Send(context.Background(), request(1, "tools/call")) }()
	<-started
	server.restart("b")
	if err := tr.Send(t.Context(), request(2, "ping")); !isAll(err, wire.ErrSessionLost) {
		t.Fatalf("Send = %v", err)
	}
	select {
	case <-tr.Done():
		t.Error("Done is closed while an answer is still coming")
	default:
	}
	close(release)
	if err := <-slow; err != nil {
		t.Errorf("the call under way: %v", err)
	}
	got.await(t, `"id":1,`)
	<-tr.Done()
}

func TestGoodbyeIsBounded(t *testing.T) {
	t.Parallel()
	server := &sessions{current: "a"}
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			<-r.Context().Done()
			return
		}
		server.ServeHTTP(w, r)
	})
	initialize(t, tr)
	start := time.Now()
	var all sync.WaitGroup
	for range 3 { // at once, and only one goodbye
		all.Go(func() { _ = tr.Close() })
	}
	all.Wait()
	if took := time.Since(start); took < deleteTimeout/2 || took > 2*deleteTimeout {
		t.Errorf("Close took %v, want about %v", took, deleteTimeout)
	}
}

func TestNoSessionNoGoodbye(t *testing.T) {
	t.Parallel()
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Header["Mcp-Session-Id"] != nil {
			t.Errorf("%s %v", r.Method, r.Header)
		}
		// Only initialize opens a session.
		w.Header().Set("Mcp-Session-Id", "x")
		sendJSON(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idOf(r))
	})
	for i := range 2 {
		if err := tr.Send(t.Context(), request(i, "server/discover")); err != nil {
			t.Fatal(err)
		}
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
}
