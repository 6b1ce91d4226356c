//go:build real

package real

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kontor.dev/kontor/internal/tokens"
	"kontor.dev/kontor/test/kontor"
)

const (
	thinking = "node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js"
	gitlab   = "node_modules/@zereight/mcp-gitlab/build/index.js"
)

// maxOverhead is what a request may cost before anybody has said anything, in tokens.
const maxOverhead = 1500

// readers is room for read_resource and get_prompt, which come with the first server,
// in tokens.
const readers = 150

// asked is a request to an OpenAI-compatible provider, as far as it costs.
type asked struct {
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
	Tools []struct {
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
}

// price is what the system prompt and the tools cost.
func (a asked) price() (system, tools int) {
	for _, m := range a.Messages {
		var text string
		if m.Role == "system" && json.Unmarshal(m.Content, &text) == nil {
			system += tokens.Count(text)
		}
	}
	for _, t := range a.Tools {
		tools += tokens.Tool(t.Function.Name, t.Function.Description, t.Function.Parameters)
	}
	return system, tools
}

// provider answers each request with a word, and tells what it was asked.
func provider(t *testing.T) (address string, requests <-chan asked) {
	t.Helper()
	heard := make(chan asked, 8)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a asked
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Errorf("the request: %v", err)
		}
		if len(a.Tools) > 0 { // else it is about the chat's title
			heard <- a
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}`+
			"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", heard
}

// Six servers that others wrote cost a request next to nothing until their tools are
// wanted, and then what their group's price says.
func TestOverheadOfSixServers(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	address, requests := provider(t)
	names := map[string]kontor.Config{
		"everything": node(t, everything, "stdio"), "filesystem": node(t, filesystem, t.TempDir()), "memory": node(t, memory),
		"thinking": node(t, thinking), "conformance": {"command": kontor.Build(t, conformance)},
		// It asks GitLab nothing before a tool is run; the port is one that nobody has.
		"gitlab": node(t, gitlab).With("env", map[string]any{
			"GITLAB_PERSONAL_ACCESS_TOKEN": "made-up", "GITLAB_API_URL": map[string]any{"value": "http://127.0.0.1:9/api/v4", "plain": true}}),
	}
	for name, config := range names {
		k.Add(name, config.With("description", "The server "+name+", which the person described in a line like this"))
	}
	for name := range names {
		k.AwaitState(name, "ready")
	}
	var listed struct {
		Items []struct{ Tokens int }
	}
	k.Get("/api/tools", &listed)
	all := 0
	for _, tool := range listed.Items {
		all += tool.Tokens
	}
	if len(listed.Items) <= 160 {
		t.Errorf("the servers have %d tools, want over 160", len(listed.Items))
	}

	k.Send(http.StatusCreated, http.MethodPost, "/api/models", map[string]any{
		"name": "local", "provider": "openai", "base_url": address, "model": "m", "api_key": "key", "default": true}, nil)
	var chat struct{ ID string }
	k.Send(http.StatusCreated, http.MethodPost, "/api/sessions", map[string]any{}, &chat)
	ask := func(text string) asked {
		k.Post("/api/sessions/"+chat.ID+"/messages", map[string]any{"text": text}, nil)
		select {
		case a := <-requests:
			return a
		case <-time.After(kontor.Patience):
			t.Fatal("the model was not asked")
		}
		return asked{}
	}
	system, tools := ask("Hello?").price()
	t.Logf("%d tools of %d servers cost %d tokens (%s); a request without any costs %d: %d the system prompt, %d the tools that are always there",
		len(listed.Items), len(names), all, tokens.Vocabulary(), system+tools, system, tools)
	if system == 0 || tools == 0 || system+tools > maxOverhead {
		t.Errorf("a request costs %d + %d tokens, want at most %d", system, tools, maxOverhead)
	}

	var view struct {
		Groups []struct {
			Name   string
			Tokens int
		}
	}
	k.Send(http.StatusOK, http.MethodPut, "/api/sessions/"+chat.ID+"/grants", map[string]any{"groups": []string{"filesystem"}}, &view)
	_, with := ask("And now?").price()
	for _, g := range view.Groups {
		if g.Name != "filesystem" {
			continue
		}
		t.Logf("the group filesystem is priced %d and costs %d, with the two tools that read what servers have", g.Tokens, with-tools)
		if paid := with - tools; paid < g.Tokens || paid > g.Tokens+readers {
			t.Errorf("it costs %d", paid)
		}
	}
}
