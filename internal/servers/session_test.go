package servers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// forgetful is a server with sessions of 2025-11-25 that can forget them all. Its
// tool hang answers when release is closed, any other at once.
type forgetful struct {
	epoch   atomic.Int64 // sessions of another one are unknown
	opened  atomic.Int64 // initialize requests
	ran     atomic.Int64 // tools that were called
	reads   atomic.Int64
	hanging chan struct{}
	release chan struct{}
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	session := fmt.Sprint(f.epoch.Load())
	body, _ := io.ReadAll(r.Body)
	m, err := wire.Parse(body)
	answer := func(result string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
	switch {
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
	case err == nil && m.Method == "server/discover":
		w.WriteHeader(http.StatusBadRequest)
	case err == nil && m.Method == "initialize":
		f.opened.Add(1)
		w.Header().Set("Mcp-Session-Id", session)
		answer(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"f","version":"1"}}`)
	case r.Header.Get("Mcp-Session-Id") != session:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Session not found"}}`, m.ID)
	case m.Method == "tools/call":
		f.ran.Add(1)
		if name, _ := wire.Text(wire.Member(m.Params, "name")); name == "hang" {
			f.hanging <- struct{}{}
			<-f.release
		}
		answer(`{"content":[]}`)
	case m.Method == "resources/read":
		f.reads.Add(1)
		answer(`{"contents":[]}`)
	default:
		answer(`{"tools":[{"name":"hang","inputSchema":{"type":"object"}}],"resources":[],"resourceTemplates":[]}`)
	}
}

// The server forgets its sessions while 32 calls are under way: those are answered
// all the same, and 32 new ones, each refused with a 404, find one new session.
func TestSessionLostUnderManyCalls(t *testing.T) {
	t.Parallel()
	const calls = 32
	f := &forgetful{hanging: make(chan struct{}, calls), release: make(chan struct{})}
	listener := httptest.NewServer(f)
	t.Cleanup(listener.Close)
	r := real(t, remote("f", listener.URL))
	r.eventually(t, "f", "ready", ready)
	old, err := r.Conn(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	var underWay, later sync.WaitGroup
	for range calls {
		underWay.Go(func() {
			if _, err := old.CallTool(ctx, client.ToolCall{Name: "hang"}); err != nil {
				t.Errorf("a call under way: %v", err)
			}
		})
	}
	for range calls {
		<-f.hanging
	}
	f.epoch.Add(1)
	for range calls {
		later.Go(func() {
			if _, err := old.CallTool(ctx, client.ToolCall{Name: "quick"}); !errors.Is(err, wire.ErrSessionLost) || !errors.Is(err, wire.ErrNotSent) {
				t.Errorf("a call in the lost session: %v", err)
			}
			conn, err := r.Conn(ctx, "f")
			if err != nil || conn == old {
				t.Errorf("no new connection: %v", err)
				return
			}
			if _, err := conn.CallTool(ctx, client.ToolCall{Name: "quick"}); err != nil {
				t.Errorf("a call in the new session: %v", err)
			}
		})
	}
	later.Wait()
	close(f.release)
	underWay.Wait()
	if opened, ran := f.opened.Load(), f.ran.Load(); opened != 2 || ran != 2*calls {
		t.Errorf("%d sessions were opened and %d calls ran; want 2 and %d", opened, ran, 2*calls)
	}
	r.eventually(t, "f", "ready in the new session", ready)
}

// What only reads is asked for again without its asker noticing.
func TestReadsOutliveALostSession(t *testing.T) {
	t.Parallel()
	f := &forgetful{}
	listener := httptest.NewServer(f)
	t.Cleanup(listener.Close)
	r := real(t, remote("f", listener.URL))
	r.eventually(t, "f", "ready", ready)
	conn, err := r.Conn(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	f.epoch.Add(1)
	raw, err := conn.ReadResource(ctx, "test://r")
	if err != nil || string(raw) != `{"contents":[]}` {
		t.Errorf("got %s, %v", raw, err)
	}
	if opened, reads := f.opened.Load(), f.reads.Load(); opened != 2 || reads != 1 {
		t.Errorf("%d sessions were opened, and the server read %d times", opened, reads)
	}
}

// A read whose answer was cut is asked for once more, a call never.
func TestOnlyReadsAreRepeatedWhenTheAnswerIsCut(t *testing.T) {
	t.Parallel()
	f := &forgetful{}
	var cuts atomic.Int64
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		m, _ := wire.Parse(body)
		if m.Method == "tools/call" || m.Method == "resources/read" && cuts.Load() == 1 {
			cuts.Add(1)
			panic(http.ErrAbortHandler)
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		f.ServeHTTP(w, req)
	}))
	t.Cleanup(listener.Close)
	r := real(t, remote("f", listener.URL))
	r.eventually(t, "f", "ready", ready)
	conn, err := r.Conn(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.CallTool(ctx, client.ToolCall{Name: "quick", Arguments: json.RawMessage(`{}`)}); !errors.Is(err, client.ErrOutcomeUnknown) || cuts.Load() != 1 {
		t.Errorf("the call: %v, sent %d times", err, cuts.Load())
	}
	if _, err := conn.ReadResource(ctx, "test://r"); err != nil || cuts.Load() != 2 || f.reads.Load() != 1 {
		t.Errorf("the read: %v, cut %d times, answered %d times", err, cuts.Load()-1, f.reads.Load())
	}
}

// What was found about the era is kept for the next connection.
func TestTheEraIsRemembered(t *testing.T) {
	t.Parallel()
	f := &forgetful{}
	var probes atomic.Int64
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Mcp-Method") == "server/discover" {
			probes.Add(1)
		}
		f.ServeHTTP(w, req)
	}))
	t.Cleanup(listener.Close)
	r := real(t, remote("f", listener.URL))
	since := r.eventually(t, "f", "ready", ready).Since
	if _, err := r.Reconnect("f"); err != nil {
		t.Fatal(err)
	}
	r.eventually(t, "f", "ready again", func(s model.Status) bool { return ready(s) && s.Since.After(since) })
	if n := probes.Load(); n != 1 {
		t.Errorf("probed %d times", n)
	}
}
