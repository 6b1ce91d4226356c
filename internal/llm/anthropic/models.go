package anthropic

import (
	"context"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/exchange"
	"kontor.dev/kontor/internal/model"
)

var _ llm.Lister = (*Provider)(nil)

// Models implements llm.Lister. One page holds a thousand, the most that the API gives.
func (p *Provider) Models(ctx context.Context) ([]model.OfferedModel, error) {
	x := exchange.Open(ctx, p.exchange)
	defer x.Close()
	service := sdk.NewModelService(p.client.Options...)
	page, err := service.List(x.Context(), sdk.ModelListParams{Limit: sdk.Int(1000)}, option.WithMiddleware(x.DoList))
	if err != nil {
		return nil, x.ListFailure(err)
	}
	offered := make([]model.OfferedModel, len(page.Data))
	for i, m := range page.Data {
		offered[i] = model.OfferedModel{ID: m.ID, ContextTokens: max(0, int(m.MaxInputTokens))}
	}
	return offered, nil
}
