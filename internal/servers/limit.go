package servers

import (
	"context"
	"fmt"
	"time"
)

// limitError is the cause of a context that ran out of time.
type limitError struct{ limit time.Duration }

func (e *limitError) Error() string { return fmt.Sprintf("took longer than %s", e.limit) }

// within bounds ctx; the cause names the limit.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &limitError{limit})
}
