package openai

import (
	"cmp"
	"context"
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/exchange"
	"kontor.dev/kontor/internal/model"
)

var _ llm.Lister = (*Provider)(nil)

// Models implements llm.Lister.
func (p *Provider) Models(ctx context.Context) ([]model.OfferedModel, error) {
	x := exchange.Open(ctx, p.exchange)
	defer x.Close()
	service := sdk.NewModelService(p.client.Options...)
	page, err := service.List(x.Context(), option.WithMiddleware(x.DoList))
	if err != nil {
		return nil, x.ListFailure(err)
	}
	offered := make([]model.OfferedModel, len(page.Data))
	for i, m := range page.Data {
		offered[i] = model.OfferedModel{ID: m.ID, ContextTokens: contextTokens(m.RawJSON())}
	}
	return offered, nil
}

// contextTokens reads how much a model takes, under the names that OpenRouter, Groq,
// Mistral and vLLM give to it; 0 where nothing is said, as by OpenAI itself. What
// llama.cpp says (n_ctx_train) is not how it was started.
func contextTokens(raw string) int {
	var says struct {
		Length int `json:"context_length"`
		Window int `json:"context_window"`
		Most   int `json:"max_context_length"`
		Served int `json:"max_model_len"`
	}
	// One field of another type leaves the others readable.
	_ = json.Unmarshal([]byte(raw), &says)
	return max(0, cmp.Or(says.Length, says.Window, says.Most, says.Served))
}
