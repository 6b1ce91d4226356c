package openai

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/llmtest"
	"kontor.dev/kontor/internal/model"
)

// deltas is a stream of these deltas, one chunk each, with a finish and no [DONE].
func deltas(finish string, list ...string) []byte {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(`data: {"choices":[{"index":0,"delta":` + d + `,"finish_reason":null}],"error":null,"usage":null}` + "\n\n")
	}
	if finish != "" {
		b.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + finish + `"}]}` + "\n\n")
	}
	return []byte(b.String())
}

// tool is a delta with one piece of a tool call.
func tool(piece string) string { return `{"tool_calls":[` + piece + `]}` }

func TestToolCallsOfOddServersAreTakenApart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deltas []string
		want   string // name arguments, joined by |
	}{
		"interleaved": {[]string{
			tool(`{"index":1,"id":"b","function":{"name":"two","arguments":"{\"b\""}}`),
			tool(`{"index":0,"id":"a","function":{"name":"one","arguments":"{\"a\""}}`),
			tool(`{"index":1,"function":{"arguments":":2}"}}`), tool(`{"index":0,"function":{"arguments":":1}"}}`),
		}, `two {"b":2}|one {"a":1}`},
		"all numbered 0": {[]string{
			tool(`{"index":0,"id":"a","function":{"name":"one","arguments":"{}"}}`),
			tool(`{"index":0,"id":"b","function":{"name":"one","arguments":"{\"x\":1}"}}`),
		}, `one {}|one {"x":1}`},
		"numbered 0, no ids": {[]string{
			tool(`{"index":0,"function":{"name":"one","arguments":"{\"x\":1}"}}`),
			tool(`{"index":0,"function":{"name":"one","arguments":"{\"x\":2}"}}`),
			tool(`{"index":0,"function":{"name":"two","arguments":"{\"x\":3}"}}`),
		}, `one {"x":1}|one {"x":2}|two {"x":3}`},
		"no index": {[]string{
			tool(`{"id":"a","function":{"name":"one","arguments":"{\"x\""}}`), tool(`{"function":{"arguments":":1}"}}`),
			tool(`{"id":"b","function":{"name":"two","arguments":"{}"}}`),
		}, `one {"x":1}|two {}`},
		"nothing but names": {[]string{
			tool(`{"function":{"name":"one","arguments":"{}"}}`), tool(`{"function":{"name":"two","arguments":"{}"}}`),
		}, `one {}|two {}`},
		"all in one chunk": {[]string{
			tool(`{"index":0,"id":"a","function":{"name":"one","arguments":"{}"}},{"index":1,"id":"b","function":{"name":"two","arguments":"{}"}}`),
		}, `one {}|two {}`},
		"repeated id and name": {[]string{
			tool(`{"index":0,"id":"a","function":{"name":"one","arguments":"{\"x\""}}`),
			tool(`{"index":0,"id":"a","function":{"name":"one","arguments":":1}"}}`),
		}, `one {"x":1}`},
		"the same id twice over": {[]string{
			tool(`{"index":0,"id":"a","function":{"name":"one","arguments":"{}"}}`),
			tool(`{"index":1,"id":"b","function":{"name":"one","arguments":"{}"}}`),
		}, `one {}|one {}`},
		"the name comes later": {[]string{
			tool(`{"index":0,"id":"a","function":{"arguments":"{\"x\""}}`),
			tool(`{"index":0,"function":{"name":"one","arguments":":1}"}}`),
		}, `one {"x":1}`},
		"arguments as an object": {[]string{tool(`{"index":0,"id":"a","function":{"name":"one","arguments":{"x":1.10}}}`)}, `one {"x":1.10}`},
		"null arguments":         {[]string{tool(`{"index":0,"id":"a","function":{"name":"one","arguments":null}}`)}, `one {}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := llmtest.Collect(t.Context(), dialect().Replay(t, deltas("stop", c.deltas...)), llmtest.Hello())
			if o.Err != nil || o.Finished.Reason != llm.ReasonTools {
				t.Fatalf("got %+v", o)
			}
			var got []string
			ids := map[string]bool{}
			for _, call := range o.Done {
				got = append(got, call.Name+" "+string(call.Arguments))
				ids[call.ID] = true
			}
			if s := strings.Join(got, "|"); s != c.want || len(ids) != len(got) {
				t.Errorf("got %s with %d ids, want %s", s, len(ids), c.want)
			}
		})
	}
}

func TestOddStreamsAreRead(t *testing.T) {
	t.Parallel()
	hi := `{"content":"hi"}`
	for name, c := range map[string]struct {
		stream string
		reason llm.Reason // or
		code   model.Code
	}{
		"no [DONE]":            {string(deltas("stop", hi)), llm.ReasonStop, ""},
		"no reason":            {string(deltas("", hi)) + "data: [DONE]\n\n", llm.ReasonStop, ""},
		"neither":              {string(deltas("", hi)), "", llm.CodeCutStream},
		"a reason of another":  {string(deltas("MAX_TOKENS", hi)), llm.ReasonLength, ""},
		"a made-up reason":     {string(deltas("because", hi)), llm.ReasonStop, ""},
		"tools, but no call":   {string(deltas("tool_calls", hi)), llm.ReasonStop, ""},
		"an error as a reason": {string(deltas("error", hi)), "", llm.CodeCutStream},
		"half a price":         {string(deltas("stop", hi)) + `data: {"usage":{"prom`, llm.ReasonStop, ""},
		"half an event":        {string(deltas("", hi)) + `data: {"choices":[{"del`, "", llm.CodeCutStream},
		"rubbish":              {"data: hello\n\n" + string(deltas("stop", hi)), "", model.CodeProtocol},
		"no blank lines":       {strings.ReplaceAll(string(deltas("stop", hi)), "\n\n", "\n"), llm.ReasonStop, ""},
		"a call without name":  {string(deltas("stop", tool(`{"index":0,"id":"a","function":{"arguments":"{}"}}`))), "", model.CodeProtocol},
		"an error event":       {"event: error\ndata: {\"message\":\"overloaded\"}\n\n", "", llm.CodeOverloaded},
		"a status inside":      {string(deltas("", hi)) + `data: {"error":{"code":502,"message":"upstream"}}` + "\n\n", "", llm.CodeOverloaded},
		"nothing":              {"", "", llm.CodeCutStream},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := llmtest.Collect(t.Context(), dialect().Replay(t, []byte(c.stream)), llmtest.Hello())
			switch {
			case c.code != "":
				if o.Err == nil || model.CodeOf(o.Err) != c.code {
					t.Errorf("got %v, want %q", o.Err, c.code)
				}
			case o.Err != nil || o.Finished.Reason != c.reason || o.Text != "hi":
				t.Errorf("got %+v, want reason %q", o, c.reason)
			}
		})
	}
}

func TestReasoningIsToldApart(t *testing.T) {
	t.Parallel()
	o := llmtest.Collect(t.Context(), dialect().Replay(t, deltas("stop", `{"reasoning_content":"hm"}`, `{"reasoning":", so"}`, `{"content":"hi"}`)), llmtest.Hello())
	if o.Reasoning != "hm, so" || o.Text != "hi" || o.Err != nil {
		t.Errorf("got %+v", o)
	}
}

func TestAnAnswerAtOnceIsRead(t *testing.T) {
	t.Parallel()
	s := dialect()
	p := llmtest.Serve(t, s, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"hi","tool_calls":[{"id":"a","function":{"name":"one","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`))
	})
	o := llmtest.Collect(t.Context(), p, llmtest.Hello())
	if o.Err != nil || o.Text != "hi" || len(o.Done) != 1 || o.Finished.Reason != llm.ReasonTools || o.Finished.Usage.Output != 4 {
		t.Errorf("got %+v", o)
	}
}

// A server that never ends its stream is left soon after the answer's end.
func TestACompleteAnswerDoesntWaitForTheEndOfItsStream(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, dialect(), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(deltas("stop", `{"content":"hi"}`))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	start := time.Now()
	o := llmtest.Collect(t.Context(), p, llmtest.Hello())
	if o.Err != nil || o.Text != "hi" || time.Since(start) > 10*time.Second {
		t.Errorf("got %+v after %v", o, time.Since(start))
	}
}

// What comes after the end of an answer is waited for briefly. That a busy machine, or
// who reads, is slower than that doesn't cost the answer.
func TestACompleteAnswerIsntLostToASlowReader(t *testing.T) {
	t.Parallel()
	const longer = 2500 * time.Millisecond // than the price is waited for
	stream := `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}` + "\n\n" +
		`data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}` + "\n\ndata: [DONE]\n\n"
	p := dialect().Replay(t, []byte(stream))
	var last llm.Event
	for e, err := range p.Stream(t.Context(), llmtest.Hello()) {
		if err != nil {
			t.Fatal(err)
		}
		if last = e; last == (llm.TextDelta{Text: "hi"}) {
			time.Sleep(longer)
		}
	}
	if f, ok := last.(llm.Finished); !ok || f.Reason != llm.ReasonStop {
		t.Errorf("got %+v at the end", last)
	}
}

func TestWhatAnEndpointRefusesIsLeftOut(t *testing.T) {
	t.Parallel()
	var bodies []string
	p := llmtest.Serve(t, dialect(), func(w http.ResponseWriter, r *http.Request) {
		body := llmtest.Body(r)
		bodies = append(bodies, body)
		switch {
		case strings.Contains(body, "stream_options"):
			w.WriteHeader(422)
			_, _ = w.Write([]byte(`{"detail":[{"loc":["body","stream_options"],"msg":"extra fields not permitted"}]}`))
		case strings.Contains(body, `"max_tokens"`):
			w.WriteHeader(400)
			_, _ = w.Write([]byte(`{"error":{"message":"Unsupported parameter: use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}`))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(deltas("stop", `{"content":"hi"}`))
		}
	})
	r := llmtest.Hello()
	r.MaxTokens = 100
	for range 2 {
		if o := llmtest.Collect(t.Context(), p, r); o.Err != nil || o.Text != "hi" || o.Finished.Usage.Known {
			t.Errorf("got %+v", o)
		}
	}
	if len(bodies) != 4 || !strings.Contains(bodies[3], `"max_completion_tokens":100`) {
		t.Errorf("got %d requests, the last %s", len(bodies), bodies[len(bodies)-1])
	}
}
