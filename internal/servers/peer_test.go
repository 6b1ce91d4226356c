package servers

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/bundled/demo"
	"kontor.dev/kontor/internal/bundled/kit"
	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// childVariable makes this test binary a server instead of the tests: "demo",
// or one that fails to start.
const childVariable = "KONTOR_TEST_SERVERS_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
		goleak.VerifyTestMain(m)
	case "demo":
		server := demo.New(demo.Options{Version: "test", Stderr: os.Stderr})
		if kit.Stdio(context.Background(), server, os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "dies":
		os.Stderr.WriteString(os.Getenv("LAST_WORDS") + "\n")
		os.Exit(7)
	default:
		os.Stderr.WriteString("config.yaml: no such file\ntoken=" + os.Getenv("TOKEN") + "\n")
		os.Exit(3)
	}
}

// child is a server that runs this test binary.
func child(t *testing.T, name, what string) model.Server {
	t.Helper()
	command, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return model.Server{Name: name, Transport: model.TransportStdio, Command: command, Enabled: true, Env: map[string]model.Value{
		childVariable: {Text: what, Plain: true}, "TOKEN": {Text: "abc123-and-more"},
	}}
}

func remote(name, address string) model.Server {
	return model.Server{Name: name, Transport: model.TransportHTTP, URL: address, Enabled: true}
}

// real is a rig that connects for real.
func real(t *testing.T, configs ...model.Server) *rig {
	t.Helper()
	r := newRigWith(t, func(o *Options) {
		o.Connect = connect
		o.HTTPClient = func(model.Server) (*http.Client, error) {
			transport := &http.Transport{}
			t.Cleanup(transport.CloseIdleConnections)
			return &http.Client{Transport: transport}, nil
		}
	}, configs...)
	return r
}

// eventually polls a server's status until it is as wanted.
func (r *rig) eventually(t *testing.T, name, what string, ok func(model.Status) bool) model.Status {
	t.Helper()
	var st model.Status
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if st = r.state(t, name); ok(st) {
			return st
		}
	}
	t.Fatalf("%s: not %s: %+v (%v)", name, what, st, st.LastError)
	return st
}

func ready(st model.Status) bool  { return st.State == model.ServerReady }
func failed(st model.Status) bool { return st.State == model.ServerFailed }

func TestDemoOverStdio(t *testing.T) {
	t.Parallel()
	r := real(t, child(t, "demo", "demo"))
	st := r.eventually(t, "demo", "ready", ready)
	if st.Tools < 10 || st.Resources < 2 || st.Prompts < 2 || st.Era == "" || st.ServerName == "" {
		t.Errorf("status = %+v", st)
	}
	conn, err := r.Conn(ctx, "demo")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := conn.CallTool(ctx, client.ToolCall{CallID: "1", Name: "echo", Arguments: json.RawMessage(`{"text":"Messgerät 🔑"}`)})
	if err != nil || !strings.Contains(string(raw), "Messgerät 🔑") {
		t.Errorf("echo: %s, %v", raw, err)
	}
	asked := make(chan model.Item, 1)
	r.inbox.ask = func(_ context.Context, item model.Item) (model.Answer, error) {
		asked <- item
		return model.Answer{Action: model.ActionDecline}, nil
	}
	if _, err := conn.CallTool(ctx, client.ToolCall{CallID: "2", Name: "confirm"}); err != nil {
		t.Errorf("confirm: %v", err)
	}
	if item := <-asked; item.CallID != "2" || item.Server != "demo" {
		t.Errorf("asked %+v", item)
	}
}

func TestKilledServerComesBackForTheNextCall(t *testing.T) {
	t.Parallel()
	r := real(t, child(t, "demo", "demo"))
	r.eventually(t, "demo", "ready", ready)
	conn, err := r.Conn(ctx, "demo")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.client.Close() // as good as dead
	if _, err := conn.CallTool(ctx, client.ToolCall{Name: "echo"}); !errors.Is(err, wire.ErrNotSent) {
		t.Errorf("a call on a dead connection: %v", err)
	}
	again, err := r.Conn(ctx, "demo")
	if err != nil || again == conn {
		t.Fatalf("no new connection: %v", err)
	}
	if _, err := again.CallTool(ctx, client.ToolCall{Name: "echo", Arguments: json.RawMessage(`{"text":"a"}`)}); err != nil {
		t.Error(err)
	}
}

func TestServerThatFailsAtItsStartSaysWhy(t *testing.T) {
	t.Parallel()
	missing := child(t, "missing", "")
	missing.Command = "no-such-command"
	missing.Env = map[string]model.Value{"PATH": {Text: "/no/such/folder", Plain: true}}
	r := real(t, child(t, "exits", "exits"), missing)
	st := r.eventually(t, "exits", "failed", failed)
	for _, words := range []string{"exited with code 3", "config.yaml: no such file", "token=•••"} {
		if !strings.Contains(st.LastError.Message, words) {
			t.Errorf("no %q in %q", words, st.LastError.Message)
		}
	}
	st = r.eventually(t, "missing", "failed", failed)
	if e := st.LastError; e.Code != codeCommandNotFound || !strings.Contains(e.Message, `"no-such-command" not found in PATH "/no/such/folder"`) {
		t.Errorf("last error = %s %q", e.Code, e.Message)
	}
}

func TestHTTPServers(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object"}`)
	echo := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: req.Params.Arguments}, nil
	}
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: schema}, echo)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var signedIn atomic.Bool
	peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case req.URL.Path == "/page":
			w.Header().Set("Content-Type", "text/html")
		case req.URL.Path == "/guarded" && !signedIn.Load():
			w.WriteHeader(http.StatusUnauthorized)
		case req.Header.Get("Authorization") != "Bearer t0ken":
			w.WriteHeader(http.StatusForbidden)
		default:
			handler.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(peer.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()

	configs := []model.Server{
		remote("mcp", peer.URL+"/mcp"), remote("page", peer.URL+"/page"), remote("guarded", peer.URL+"/guarded"), remote("gone", gone.URL),
	}
	for i := range configs {
		configs[i].BearerToken = model.Value{Text: "t0ken"}
	}
	r := real(t, configs...)
	r.eventually(t, "mcp", "ready with its tool", func(st model.Status) bool { return ready(st) && st.Tools == 1 })
	if st := r.eventually(t, "page", "failed", failed); st.LastError.Code != "html" {
		t.Errorf("page: %s %q", st.LastError.Code, st.LastError.Message)
	}
	if st := r.eventually(t, "gone", "failed", failed); st.LastError.Code != codeConnectionRefused {
		t.Errorf("gone: %s %q", st.LastError.Code, st.LastError.Message)
	}
	r.eventually(t, "guarded", "waiting for a sign-in", func(st model.Status) bool { return st.State == model.ServerNeedsSignIn })
	signedIn.Store(true)
	conn, err := r.Conn(ctx, "guarded")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := conn.CallTool(ctx, client.ToolCall{Name: "echo", Arguments: json.RawMessage(`{"n":7960607143101464577}`)})
	if err != nil || !strings.Contains(string(raw), "7960607143101464577") {
		t.Errorf("echo: %s, %v", raw, err)
	}
	server.AddTool(&mcp.Tool{Name: "late", InputSchema: schema}, echo)
	r.eventually(t, "mcp", "aware of the new tool", func(st model.Status) bool { return st.Tools == 2 })
}
