package anthropic

import (
	"testing"

	"kontor.dev/kontor/internal/llm/llmtest"
	"kontor.dev/kontor/internal/model"
)

func TestModelsAreListedWithWhatTheyTake(t *testing.T) {
	t.Parallel()
	llmtest.List(t, dialect(), "/v1/models", `{"data":[
		{"type":"model","id":"claude-one","display_name":"One","created_at":"2025-02-19T00:00:00Z","max_input_tokens":200000},
		{"type":"model","id":"claude-two"}],"has_more":false,"first_id":"claude-one","last_id":"claude-two"}`,
		[]model.OfferedModel{{ID: "claude-one", ContextTokens: 200_000}, {ID: "claude-two"}})
}
