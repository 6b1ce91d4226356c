package anthropic

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// once is a client that keeps no connection, so that none outlives its test.
func once() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
}

func dialect() llmtest.Dialect {
	return llmtest.Dialect{
		Path: "/v1/messages",
		New: func(base, key string, silence time.Duration) (llm.Provider, error) {
			return New(Options{BaseURL: base, Key: key, HTTP: once(), Silence: silence})
		},
		Refusals: []llmtest.Refusal{
			{Name: "key", Status: 401, Body: `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key KEY"}}`, Want: llm.CodeKeyRefused},
			{Name: "rights", Status: 403, Body: `{"type":"error","error":{"type":"permission_error","message":"no access"}}`, Want: llm.CodeKeyRefused},
			{Name: "model", Status: 404, Body: `{"type":"error","error":{"type":"not_found_error","message":"model: small-1"}}`, Want: llm.CodeModelUnknown},
			{Name: "context", Status: 400, Body: `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, Want: llm.CodeContextTooLong},
			{Name: "size", Status: 413, Body: `{"type":"error","error":{"type":"request_too_large","message":"too large"}}`, Want: llm.CodeContextTooLong},
			{Name: "rate", Status: 429, RetryAfter: "12", Body: `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, Want: llm.CodeRateLimited, WantWait: 12 * time.Second},
			{Name: "overload", Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Want: llm.CodeOverloaded},
			{Name: "money", Status: 400, Body: `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, Want: llm.CodeNoCredit},
			{Name: "request", Status: 400, Body: `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: field required"}}`, Want: llm.CodeBadRequest},
		},
	}
}

func TestProviderConforms(t *testing.T) {
	t.Parallel()
	llmtest.Wire(t, dialect())
}

// The API refuses an answer that ends with a thought. One does that was cut before it
// said anything, and would close the chat for good.
func TestThoughtsAtTheEndOfAnAnswerStayOut(t *testing.T) {
	t.Parallel()
	thought := llm.Reasoning{Text: "hm", Signature: "sealed"}
	hidden := llm.Reasoning{Signature: "sealed", Redacted: true}
	call := llm.ToolCall{ID: "a", Name: "weather", Arguments: json.RawMessage(`{}`)}
	for name, c := range map[string]struct {
		parts []llm.Part
		want  int // of blocks; 0 for no message
	}{
		"nothing else":       {[]llm.Part{thought, hidden}, 0},
		"after words":        {[]llm.Part{thought, llm.Text{Text: "So"}, hidden}, 2},
		"before blanks":      {[]llm.Part{thought, llm.Text{Text: " "}}, 0},
		"before a tool":      {[]llm.Part{thought, hidden, call}, 3},
		"in their own place": {[]llm.Part{thought, llm.Text{Text: "So"}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			user := llm.Message{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "hi"}}}
			got := 0
			for _, m := range messages([]llm.Message{user, {Role: llm.Assistant, Parts: c.parts}, user}) {
				if m.Role == "assistant" {
					got += len(m.Content)
				}
			}
			if got != c.want {
				t.Errorf("got %d blocks, want %d", got, c.want)
			}
		})
	}
}
