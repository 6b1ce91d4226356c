package kit

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// parked returns a server with the tool park, which runs until it is cancelled.
func parked() (server *mcp.Server, started, stopped chan struct{}) {
	server = New(About{Name: "test", Version: "1"})
	started, stopped = make(chan struct{}), make(chan struct{})
	mcp.AddTool(server, &mcp.Tool{Name: "park"},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			close(started)
			<-ctx.Done()
			close(stopped)
			return nil, nil, ctx.Err()
		})
	return server, started, stopped
}

const parkRequest = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"park","arguments":{},"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}}}`

// within fails the test when ch isn't ready in good time.
func within[T any](t *testing.T, what string, ch <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-ch:
	case <-time.After(10 * time.Second):
		t.Fatalf("still waiting: %s", what)
	}
	return value
}

func TestStdioEndsWithItsContextWhateverRuns(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{"context", "end of input"} {
		server, started, stopped := parked()
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		go func() { _, _ = io.Copy(io.Discard, fromServer) }()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- Stdio(ctx, server, fromClient, toClient) }()
		if _, err := io.WriteString(toServer, parkRequest+"\n"); err != nil {
			t.Fatal(err)
		}
		within(t, "the tool to start", started)
		if ending == "context" {
			stop()
		} else {
			_ = toServer.Close()
		}
		within(t, "the tool to stop", stopped)
		if err := within(t, "the server to stop", served); err != nil {
			t.Errorf("%s: got %v, want a regular end", ending, err)
		}
		stop()
		_ = toServer.Close()
		_ = toClient.Close()
	}
}

// served starts server over HTTP; end stops it and waits.
func served(t *testing.T, server *mcp.Server) (url string, end func()) {
	t.Helper()
	listener, err := Loopback(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- HTTP(ctx, server, listener) }()
	return "http://" + listener.Addr().String() + "/mcp", func() {
		stop()
		if err := within(t, "the server to stop", done); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
}

func TestHTTPEndsWithItsContextWhateverRuns(t *testing.T) {
	t.Parallel()
	server, started, stopped := parked()
	url, end := served(t, server)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	answered := make(chan error, 1)
	go func() {
		resp, err := client.Do(post(t, url, parkRequest, map[string]string{
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "park",
		}))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		answered <- err
	}()
	within(t, "the tool to start", started)
	end()
	within(t, "the tool to stop", stopped)
	within(t, "the answer", answered)
}

func post(t *testing.T, url, body string, headers map[string]string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	return req
}

func TestOneAddressAnswersInTheRevisionOfTheRequest(t *testing.T) {
	t.Parallel()
	server, _, _ := parked()
	url, end := served(t, server)
	defer end()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	discover := strings.Replace(parkRequest, `"tools/call"`, `"server/discover"`, 1)
	for _, tt := range []struct {
		name, body string
		headers    map[string]string
		status     int
		session    bool
		want       string
	}{
		{"older", initialize, nil, http.StatusOK, true, `"protocolVersion":"2025-11-25"`},
		{"newer", discover, map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"},
			http.StatusOK, false, `"2026-07-28"`},
		{"newer, by another page", discover, map[string]string{
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover", "Origin": "https://example.com",
		}, http.StatusForbidden, false, ""},
		{"older, by another page", initialize, map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden, false, ""},
	} {
		resp, err := client.Do(post(t, url, tt.body, tt.headers))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if resp.StatusCode != tt.status || (resp.Header.Get("Mcp-Session-Id") != "") != tt.session {
			t.Errorf("%s: got status %d and session %q", tt.name, resp.StatusCode, resp.Header.Get("Mcp-Session-Id"))
		}
		if body := firstData(t, resp.Body); !strings.Contains(body, tt.want) {
			t.Errorf("%s: got %q, want it to hold %q", tt.name, body, tt.want)
		}
		_ = resp.Body.Close()
	}
}

// firstData is the first data of an event stream, or the last line of another body.
func firstData(t *testing.T, body io.Reader) (line string) {
	t.Helper()
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		line = lines.Text()
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return data
		}
	}
	return line
}

func TestForStatelessGoesByTheHeaders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		version, method string
		want            bool
	}{
		{"", "", false},
		{"2024-11-05", "", false},
		{"2025-11-25", "", false},
		{"2026-07-28", "", true},
		{"2027-01-01", "", true},
		{"", "tools/list", true},
	} {
		header := http.Header{}
		header.Set("Mcp-Protocol-Version", tt.version)
		header.Set("Mcp-Method", tt.method)
		if got := forStateless(header); got != tt.want {
			t.Errorf("version %q, method %q: got %v, want %v", tt.version, tt.method, got, tt.want)
		}
	}
}

func TestLoopbackRefusesPublicAddresses(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1:0", "localhost:0"} {
		listener, err := Loopback(t.Context(), addr)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		_ = listener.Close()
	}
	for _, addr := range []string{":0", "0.0.0.0:0", "nonsense"} {
		if listener, err := Loopback(t.Context(), addr); err == nil {
			t.Errorf("%s: listens at %s", addr, listener.Addr())
			_ = listener.Close()
		}
	}
}
