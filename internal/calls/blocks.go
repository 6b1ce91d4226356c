package calls

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// ReadBlocks reads content that is no tool's result, such as a prompt's message
// or the contents of a resource, as readResult reads a result's: every block
// stays, in its place, and bytes go to keep.
func ReadBlocks(blocks []json.RawMessage, keep Media) []model.Content {
	r := reader{media: keep}
	for _, raw := range blocks {
		r.block(raw)
	}
	return r.result.Content
}
