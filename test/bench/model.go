package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// plan says what the language model does in a chat: so many steps, with so many calls
// of a tool in each. A message of the person holds it, as JSON.
type plan struct {
	Steps int    `json:"steps"`
	Calls int    `json:"calls"`
	Tool  string `json:"tool"`
}

// languageModel is an endpoint of chat completions that answers at once. It notes when
// it sends a call, and when the call is at the server that it is for.
type languageModel struct {
	mu    sync.Mutex
	sent  map[string]time.Time
	times []time.Duration
}

// ServeHTTP answers a request by what it holds.
func (m *languageModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var p plan
	at := bytes.LastIndex(body, []byte(`PLAN`))
	if err == nil && at >= 0 {
		// The text is a string within the request's JSON.
		quoted, _, _ := bytes.Cut(body[at+len(`PLAN`):], []byte(`}`))
		err = json.Unmarshal(append(bytes.ReplaceAll(quoted, []byte(`\"`), []byte(`"`)), '}'), &p)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	results := bytes.Count(body[max(at, 0):], []byte(`"role":"tool"`))
	if p.Calls == 0 || results >= p.Steps*p.Calls {
		answer(w, map[string]any{"content": "Done."}, "stop")
		return
	}
	var calls []any
	for i := range p.Calls {
		id := fmt.Sprintf("c%d_%d", results, i)
		if p.Calls == 1 {
			id = m.send()
		}
		calls = append(calls, map[string]any{"index": i, "id": id, "type": "function", "function": map[string]any{
			"name": p.Tool, "arguments": fmt.Sprintf(`{"bytes":%d,"mark":%q}`, small, id),
		}})
	}
	answer(w, map[string]any{"tool_calls": calls}, "tool_calls")
}

// answer streams one chunk, which says all, and the end.
func answer(w io.Writer, delta map[string]any, finish string) {
	chunk, _ := json.Marshal(map[string]any{
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		"usage":   map[string]int{"prompt_tokens": 100, "completion_tokens": 10},
	})
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", chunk)
}

// send notes that a call goes out, and returns its mark.
func (m *languageModel) send() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sent == nil {
		m.sent = map[string]time.Time{}
	}
	mark := fmt.Sprintf("m%d", len(m.sent))
	m.sent[mark] = time.Now()
	return mark
}

// arrived notes that a call is there.
func (m *languageModel) arrived(mark string, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if sent, ok := m.sent[mark]; ok {
		m.times = append(m.times, at.Sub(sent))
	}
}

// take returns the times from a call's chunk to its arrival so far, and forgets them.
func (m *languageModel) take() []time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	times := m.times
	m.times = nil
	return times
}

// noted is a server whose calls are noted when they arrive.
func (m *languageModel) noted(server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := time.Now()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		var call struct {
			Params struct{ Arguments struct{ Mark string } }
		}
		if json.Unmarshal(body, &call) == nil && call.Params.Arguments.Mark != "" {
			m.arrived(call.Params.Arguments.Mark, at)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		server.ServeHTTP(w, r)
	})
}
