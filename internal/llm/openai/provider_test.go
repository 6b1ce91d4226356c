package openai

import (
	"net/http"
	"strings"
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
		Path: "/v1/chat/completions",
		New: func(base, key string, silence time.Duration) (llm.Provider, error) {
			host, query, _ := strings.Cut(base, "?")
			return New(Options{BaseURL: host + "/v1?" + query, Key: key, HTTP: once(), Silence: silence})
		},
		Refusals: []llmtest.Refusal{
			{Name: "key", Status: 401, Body: `{"error":{"message":"Incorrect API key provided: KEY","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, Want: llm.CodeKeyRefused},
			{Name: "key at Gemini", Status: 400, Body: `[{"error":{"code":400,"message":"API key not valid. KEY","status":"INVALID_ARGUMENT"}}]`, Want: llm.CodeKeyRefused},
			{Name: "model", Status: 404, Body: `{"error":{"message":"The model 'small-1' does not exist","type":"invalid_request_error","code":"model_not_found"}}`, Want: llm.CodeModelUnknown},
			{Name: "model at Ollama", Status: 404, Body: `{"error":"model \"small-1\" not found, try pulling it first"}`, Want: llm.CodeModelUnknown},
			{Name: "context", Status: 400, Body: `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, Want: llm.CodeContextTooLong},
			{Name: "context at llama.cpp", Status: 500, Body: `{"error":{"code":500,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, Want: llm.CodeContextTooLong},
			{Name: "rate", Status: 429, RetryAfter: "7", Body: `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`, Want: llm.CodeRateLimited, WantWait: 7 * time.Second},
			{Name: "quota", Status: 429, Body: `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, Want: llm.CodeNoCredit},
			{Name: "no tools at Ollama", Status: 400, Body: `{"error":"registry.ollama.ai/library/tiny does not support tools"}`, Want: llm.CodeNoTools},
			{Name: "too many tools", Status: 400, Body: `{"error":{"message":"Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.","type":"invalid_request_error","param":"tools","code":"array_above_max_length"}}`, Want: llm.CodeTooManyTools},
			{Name: "request", Status: 422, Body: `{"message":"messages: field required","type":"invalid"}`, Want: llm.CodeBadRequest},
			{Name: "no path", Status: 404, Body: `404 page not found`, Want: llm.CodeBadRequest},
		},
	}
}

func TestProviderConforms(t *testing.T) {
	t.Parallel()
	llmtest.Wire(t, dialect())
}
