package whole

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tools of the turn, by the names that a model knows them by.
const (
	toolActivate = "activate_tools"
	toolDispatch = "dispatch_agent"
	toolEcho     = "mcp__demo__echo"
	toolLog      = "mcp__demo__log" // not read-only: it is asked for
	toolConfirm  = "mcp__demo__confirm"
)

// said is a message of a request.
type said struct {
	Role      string
	Content   json.RawMessage
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

// conversation is a request as the fake model reads it. What comes next is decided by
// what it holds alone, so that it doesn't matter how often Kontor was killed on the way.
type conversation struct {
	Messages []said
	Tools    []struct{ Function struct{ Name string } }
}

// wanted is a call that the model asks for.
type wanted struct{ id, name, arguments string }

var (
	turnMark = regexp.MustCompile(`turn:([a-z0-9-]+)`)
	taskMark = regexp.MustCompile(`task:([a-z0-9-]+)`)
)

// fakeModel is a local endpoint of chat completions. It switches the demo server on,
// calls three tools at once, one that needs an approval, one that asks, and has a
// sub-agent call another. What came to nothing it tries again, under another mark.
func fakeModel(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c conversation
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &c)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		text, calls := c.next()
		stream(w, text, calls)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// next is the model's answer.
func (c conversation) next() (string, []wanted) {
	switch {
	case len(c.Tools) == 0:
		return "A title", nil
	case !c.offered(toolEcho):
		return "I need the demo server.", []wanted{{fmt.Sprintf("a-%d", len(c.Messages)), toolActivate, `{"groups": ["demo"]}`}}
	}
	if task := c.mark(taskMark); task != "" {
		if calls := c.open(toolEcho, `{"text": "MARK"}`, task+"-echo"); len(calls) > 0 {
			return "I look.", calls
		}
		return "report of " + task, nil
	}
	turn := c.mark(turnMark)
	for _, step := range []struct {
		tool, arguments string
		keys            []string
	}{
		{toolEcho, `{"text": "MARK"}`, []string{turn + "-a", turn + "-b", turn + "-c"}},
		{toolLog, `{"message": "MARK", "lines": 0}`, []string{turn + "-log"}},
		{toolConfirm, `{"message": "MARK"}`, []string{turn + "-confirm"}},
		{toolDispatch, `{"agent": "researcher", "task": "task:MARK"}`, []string{turn + "-sub"}},
	} {
		if calls := c.open(step.tool, step.arguments, step.keys...); len(calls) > 0 {
			return "Next.", calls
		}
	}
	return finalText(turn), nil
}

func finalText(turn string) string { return "done with " + turn }

// open are the calls of a step that have no good result yet, each under a mark that no
// earlier attempt of this conversation has. It stands for MARK in the arguments.
func (c conversation) open(tool, arguments string, keys ...string) []wanted {
	var out []wanted
	for _, key := range keys {
		attempts, done := c.attempts(key)
		if !done {
			mark := fmt.Sprintf("%s-%d", key, attempts+1)
			out = append(out, wanted{mark, tool, strings.ReplaceAll(arguments, "MARK", mark)})
		}
	}
	return out
}

// attempts counts the calls of a key, which are known by their ids.
func (c conversation) attempts(key string) (n int, done bool) {
	for _, m := range c.Messages {
		for _, call := range m.ToolCalls {
			if rest, ok := strings.CutPrefix(call.ID, key+"-"); ok && !strings.Contains(rest, "-") {
				n++
				done = done || c.succeeded(call.ID)
			}
		}
	}
	return n, done
}

func (c conversation) succeeded(id string) bool {
	i := slices.IndexFunc(c.Messages, func(m said) bool { return m.Role == "tool" && m.ToolCallID == id })
	return i >= 0 && !strings.HasPrefix(c.Messages[i].text(), "Error:")
}

func (c conversation) offered(name string) bool {
	return slices.ContainsFunc(c.Tools, func(t struct{ Function struct{ Name string } }) bool { return t.Function.Name == name })
}

// mark finds what a conversation is about in the first message that says so.
func (c conversation) mark(pattern *regexp.Regexp) string {
	for _, m := range c.Messages {
		if found := pattern.FindStringSubmatch(m.text()); m.Role == "user" && found != nil {
			return found[1]
		}
	}
	return ""
}

// text is what a message says; content is a string or a list of parts.
func (m said) text() string {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s
	}
	return string(m.Content)
}

// stream writes an answer as the API does: the text, then each call in three pieces.
func stream(w http.ResponseWriter, text string, calls []wanted) {
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta any, finish any) {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	piece := func(i int, id string, function map[string]any) {
		call := map[string]any{"index": i, "function": function}
		if id != "" {
			call["id"], call["type"] = id, "function"
		}
		chunk(map[string]any{"tool_calls": []any{call}}, nil)
	}
	chunk(map[string]any{"role": "assistant", "content": text}, nil)
	finish := "stop"
	for i, c := range calls {
		finish = "tool_calls"
		half := len(c.arguments) / 2
		piece(i, c.id, map[string]any{"name": c.name, "arguments": ""})
		piece(i, "", map[string]any{"arguments": c.arguments[:half]})
		piece(i, "", map[string]any{"arguments": c.arguments[half:]})
	}
	chunk(map[string]any{}, finish)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
