package llm

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Lister is a Provider that can say which models it has. Its errors are those of
// Stream.
type Lister interface {
	Models(ctx context.Context) ([]model.OfferedModel, error)
}
