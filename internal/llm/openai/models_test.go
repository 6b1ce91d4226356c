package openai

import (
	"testing"

	"kontor.dev/kontor/internal/llm/llmtest"
	"kontor.dev/kontor/internal/model"
)

func TestModelsAreListedWithWhatTheyTake(t *testing.T) {
	t.Parallel()
	llmtest.List(t, dialect(), "/v1/models", `{"object":"list","data":[
		{"id":"openai","object":"model","created":1,"owned_by":"system"},
		{"id":"openrouter","name":"A name","context_length":131072,"pricing":{"prompt":"0"},"top_provider":{"context_length":null}},
		{"id":"groq","object":"model","context_window":8192},
		{"id":"mistral","max_context_length":32768,"aliases":[]},
		{"id":"vllm","max_model_len":4096,"created":1.5},
		{"id":"odd","context_length":"large","context_window":-1},
		{"id":"llama.cpp","meta":{"n_ctx_train":40960}}]}`,
		[]model.OfferedModel{
			{ID: "openai"}, {ID: "openrouter", ContextTokens: 131072}, {ID: "groq", ContextTokens: 8192},
			{ID: "mistral", ContextTokens: 32768}, {ID: "vllm", ContextTokens: 4096}, {ID: "odd"}, {ID: "llama.cpp"},
		})
}
