package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/legacysse"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/streamhttp"
	"kontor.dev/kontor/internal/mcp/wire"
)

// newPeer is a server on the official Go SDK with tools that use what both sides
// have to agree about.
func newPeer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, &mcp.ServerOptions{Instructions: "be kind"})
	object := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"},"s":{"type":"string","x-mcp-header":"S"}}}`)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: object}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: req.Params.Arguments}, nil
	})
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: object}, askName)
	s.AddTool(&mcp.Tool{Name: "grow", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(&mcp.Tool{Name: "grown", InputSchema: object}, runSlowly)
		return &mcp.CallToolResult{}, nil
	})
	s.AddTool(&mcp.Tool{Name: "slow", InputSchema: object}, runSlowly)
	s.AddTool(&mcp.Tool{Name: "stuck", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		time.Sleep(time.Hour) // whoever cancels it
		return &mcp.CallToolResult{}, nil
	})
	s.AddResource(&mcp.Resource{Name: "r", URI: "test://r"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "test://r", Text: "hello"}}}, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "p"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Description: "a prompt"}, nil
	})
	return s
}

func askName(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer, ok := req.Params.InputResponses["name"].(*mcp.ElicitResult)
	if !ok {
		return &mcp.CallToolResult{
			RequestState: "state",
			InputRequests: mcp.InputRequestMap{"name": &mcp.ElicitParams{Message: "Who?",
				RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)}},
		}, nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{
		Text: fmt.Sprint(answer.Action, " ", answer.Content["name"])}}}, nil
}

// runSlowly gives a sign of life and then runs until it is cancelled. That it was is
// told to the one place that all peers share with their test: a file.
func runSlowly(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var arguments struct{ S string }
	if err := json.Unmarshal(req.Params.Arguments, &arguments); err != nil {
		return nil, err
	}
	if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: req.Params.GetProgressToken(), Progress: 0.5, Total: 1, Message: "halfway"}); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return &mcp.CallToolResult{}, os.WriteFile(arguments.S, nil, 0o600)
	case <-time.After(2 * time.Second): // the stateless SDK server tells no tool of a closed answer
		return &mcp.CallToolResult{}, nil
	}
}

// peers are the ways to reach the peer, with the era that is found there.
func peers(t *testing.T) map[string]struct {
	options Options
	era     Era
} {
	t.Helper()
	overHTTP := func(o *mcp.StreamableHTTPOptions) Options {
		server := newPeer()
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, o)
		listener := httptest.NewServer(handler)
		t.Cleanup(listener.Close)
		dial, err := streamhttp.Dialer(endpoint.Options{URL: listener.URL, Client: listener.Client()})
		if err != nil {
			t.Fatal(err)
		}
		return Options{HTTP: true, Dial: dial}
	}
	older := newPeer()
	olderListener := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return older }, nil))
	t.Cleanup(olderListener.Close)
	at := endpoint.Options{URL: olderListener.URL, Client: olderListener.Client()}
	overSSE := Options{HTTP: true}
	for dial, dialer := range map[*wire.Dialer]func(endpoint.Options) (wire.Dialer, error){
		&overSSE.Dial: streamhttp.Dialer, &overSSE.DialSSE: legacysse.Dialer,
	} {
		var err error
		if *dial, err = dialer(at); err != nil {
			t.Fatal(err)
		}
	}
	process := Options{Dial: stdio.Dialer(stdio.Options{Command: os.Args[0], Env: []string{peerVar + "=1"}})}
	pinned := process
	pinned.ProtocolVersion = newestLegacy
	return map[string]struct {
		options Options
		era     Era
	}{
		"stdio":              {process, Modern},
		"stdio pinned":       {pinned, Legacy},
		"http sse":           {overSSE, Legacy},
		"http stateful":      {overHTTP(&mcp.StreamableHTTPOptions{}), Legacy},
		"http stateful json": {overHTTP(&mcp.StreamableHTTPOptions{JSONResponse: true}), Legacy},
		"http stateless":     {overHTTP(&mcp.StreamableHTTPOptions{Stateless: true}), Modern},
	}
}

func TestTheOfficialServerUnderstandsUs(t *testing.T) {
	t.Parallel()
	for name, peer := range peers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			o := peer.options
			o.Name, o.Version = "kontor", "1"
			o.Handlers.Elicit = func(_ context.Context, q Question) (Answer, error) {
				if q.Message != "Who?" || !strings.Contains(string(q.Schema), `"name"`) || len(q.CallIDs) != 1 || q.CallIDs[0] != "the-call" {
					t.Errorf("the question is %+v", q)
				}
				return Answer{Action: "accept", Content: json.RawMessage(`{"name":"Zoë"}`)}, nil
			}
			news := make(chan string, 64)
			o.Handlers.Notification = func(method string, _ json.RawMessage) { news <- method }
			o.Handlers.Note = func(n wire.Note) { t.Logf("%s: %s", n.Kind, n.Text) }
			c, err := Connect(ctx, o)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}()
			if info := c.Info(); info.Era != peer.era || info.Name != "peer" || info.Instructions != "be kind" || len(info.Warnings) > 0 {
				t.Errorf("info is %+v", info)
			}
			t.Run("lists", func(t *testing.T) { peerLists(ctx, t, c) })
			t.Run("calls", func(t *testing.T) { peerCalls(ctx, t, c) })
			if name != "http stateful json" { // which has no channel for a question
				t.Run("question", func(t *testing.T) { peerQuestion(ctx, t, c) })
			}
			t.Run("changes", func(t *testing.T) { peerChanges(ctx, t, c, news) })
			t.Run("cancel", func(t *testing.T) {
				marker := peerCancel(ctx, t, c, name != "http stateful json")
				if name != "http stateless" {
					awaitFile(t, marker)
				}
			})
		})
	}
}

func peerLists(ctx context.Context, t *testing.T, c *Client) {
	for kind, list := range map[string]func(context.Context) (List, error){
		"tools 5": c.ListTools, "resources 1": c.ListResources, "templates 0": c.ListResourceTemplates, "prompts 1": c.ListPrompts,
	} {
		got, err := list(ctx)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if want := kind[strings.Index(kind, " ")+1:]; fmt.Sprint(len(got.Items)) != want || len(got.Warnings) > 0 {
			t.Errorf("%s: got %d, %v", kind, len(got.Items), got.Warnings)
		}
	}
	if got, err := c.ReadResource(ctx, "test://r"); err != nil || !strings.Contains(string(got), "hello") {
		t.Errorf("the resource is %s, %v", got, err)
	}
	if got, err := c.GetPrompt(ctx, "p", nil); err != nil || !strings.Contains(string(got), "a prompt") {
		t.Errorf("the prompt is %s, %v", got, err)
	}
}

func peerCalls(ctx context.Context, t *testing.T, c *Client) {
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			arguments := fmt.Sprintf(`{"n":%d,"big":7960607143101464577,"s":"Messgerät 漢字 🔑"}`, 10+i)
			got, err := c.CallTool(ctx, ToolCall{Name: "echo", Arguments: json.RawMessage(arguments)})
			if err != nil || string(wire.Member(got, "structuredContent")) != arguments {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
	all.Wait()
	_, err := c.CallTool(ctx, ToolCall{Name: "nobody"})
	var rpc *wire.Error
	if !errors.As(err, &rpc) || rpc.Code != wire.CodeInvalidParams {
		t.Errorf("an unknown tool: %v", err)
	}
}

func peerQuestion(ctx context.Context, t *testing.T, c *Client) {
	got, err := c.CallTool(ctx, ToolCall{CallID: "the-call", Name: "ask"})
	if err != nil || !strings.Contains(string(got), "accept Zoë") {
		t.Errorf("got %s, %v", got, err)
	}
}

// peerCancel gives a call up and answers with the file that the tool then writes.
func peerCancel(ctx context.Context, t *testing.T, c *Client, progress bool) (marker string) {
	marker = t.TempDir() + "/cancelled"
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !progress {
		time.AfterFunc(100*time.Millisecond, func() { cancel(stop) })
	}
	got := make(chan Progress, 1)
	_, err := c.CallTool(ctx, ToolCall{Name: "slow", Arguments: json.RawMessage(`{"s":` + quote(marker) + `}`),
		OnProgress: func(p Progress) {
			got <- p
			cancel(stop)
		}})
	if !errors.Is(err, stop) {
		t.Fatalf("the call ended with %v", err)
	}
	if progress {
		if p := <-got; p.Progress != "0.5" || p.Total != "1" || p.Message != "halfway" {
			t.Errorf("progress is %+v", p)
		}
	}
	return marker
}

func awaitFile(t *testing.T, path string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		select {
		case <-deadline:
			t.Fatal("the server was never told")
		case <-time.After(5 * time.Millisecond):
		}
	}
}
