package calls

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// ReadBlocks reads content blocks that are not of a tool's result (those of
// prompts and resources) as those of a result are read: one for each, in order.
func ReadBlocks(blocks []json.RawMessage, keep Media) []model.Content {
	r := reader{media: keep}
	for _, raw := range blocks {
		r.block(raw)
	}
	return append([]model.Content{}, r.result.Content...)
}
