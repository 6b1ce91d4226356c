package demo

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/bundled/kit"
)

// childVariable makes this test binary the server instead of the tests.
const childVariable = "KONTOR_TEST_DEMO_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		server := New(Options{Version: "test", Stderr: os.Stderr})
		if err := kit.Stdio(context.Background(), server, os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// Both revisions, and the three ways to a server.
const (
	older = "2025-11-25"
	newer = "2026-07-28"
)

type way struct{ transport, revision string }

// everyWay runs test once for each combination of transport and revision.
func everyWay(t *testing.T, test func(*testing.T, way)) {
	t.Helper()
	t.Parallel()
	for _, transport := range []string{"memory", "stdio", "http"} {
		for _, revision := range []string{older, newer} {
			t.Run(transport+" "+revision, func(t *testing.T) {
				t.Parallel()
				test(t, way{transport, revision})
			})
		}
	}
}

// peer is a connected client and everything that the server said to it.
type peer struct {
	*mcp.ClientSession
	heard  *recorder
	stderr *recorder
}

// connect starts a server, connects a client to it and ends both with the test.
func connect(t *testing.T, w way, o *mcp.ClientOptions) *peer {
	t.Helper()
	p := &peer{heard: &recorder{}, stderr: &recorder{}}
	var transport mcp.Transport
	switch w.transport {
	case "memory":
		transport = p.memory(t)
	case "stdio":
		command := exec.CommandContext(t.Context(), os.Args[0])
		command.Env = append(os.Environ(), childVariable+"=1", "GORACE=atexit_sleep_ms=0")
		command.Stderr = p.stderr
		transport = tap{&mcp.CommandTransport{Command: command}, p.heard}
	case "http":
		transport = p.http(t)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: w.revision})
	if err != nil {
		t.Fatalf("connect by %s: %v", w.transport, err)
	}
	p.ClientSession = session
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != w.revision {
		t.Fatalf("negotiated %s, want %s", got, w.revision)
	}
	return p
}

func (p *peer) memory(t *testing.T) mcp.Transport {
	ours, theirs := mcp.NewInMemoryTransports()
	server := New(Options{Version: "test", Stderr: p.stderr})
	session, err := server.Connect(t.Context(), kit.Transport(theirs), nil)
	if err != nil {
		t.Fatalf("connect server: %v", err)
	}
	t.Cleanup(func() { _ = session.Wait() })
	return tap{ours, p.heard}
}

func (p *peer) http(t *testing.T) mcp.Transport {
	listener, err := kit.Loopback(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, New(Options{Version: "test", Stderr: p.stderr}), listener)
	connections := &http.Transport{}
	t.Cleanup(connections.CloseIdleConnections)
	return &mcp.StreamableClientTransport{
		Endpoint:   "http://" + listener.Addr().String() + "/mcp",
		HTTPClient: &http.Client{Transport: tapHTTP{connections, p.heard}},
	}
}

// serve serves until the test is over and its other clean-ups have run.
func serve(t *testing.T, server *mcp.Server, listener net.Listener) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- kit.HTTP(ctx, server, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

// call calls a tool that must not end in a protocol error.
func (p *peer) call(t *testing.T, name string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	return result
}

// text is the text of a result's only block.
func text(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("got %d blocks, want 1", len(result.Content))
	}
	block, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("got a %T, want text", result.Content[0])
	}
	return block.Text
}

// recorder keeps what is written to it.
type recorder struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

func (r *recorder) count(part string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.buf.String(), part)
}

// await waits until part has been written n times.
func (r *recorder) await(t *testing.T, part string, n int) {
	t.Helper()
	deadline := time.NewTimer(10 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for r.count(part) < n {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("heard %q %d times, want %d", part, r.count(part), n)
		}
	}
}

// tap records each message that a client reads from a stream.
type tap struct {
	mcp.Transport
	heard *recorder
}

func (c tap) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := c.Transport.Connect(ctx)
	return tapConn{conn, c.heard}, err
}

type tapConn struct {
	mcp.Connection
	heard *recorder
}

func (c tapConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if err == nil {
		if data, err := jsonrpc.EncodeMessage(msg); err == nil {
			_, _ = c.heard.Write(append(data, '\n'))
		}
	}
	return msg, err
}

// tapHTTP records response bodies. (A wrapped transport would take the SDK's client
// its session over HTTP.)
type tapHTTP struct {
	next  http.RoundTripper
	heard *recorder
}

func (r tapHTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(resp.Body, r.heard), resp.Body}
	}
	return resp, err
}
