package servers

import (
	"time"

	"kontor.dev/kontor/internal/model"
)

// stable is how long a connection must have lasted for its loss to count as the
// first: a server that crashes right after its start is slowed down.
const stable = 30 * time.Second

// backoff is the wait before the next dial after a number of failures in a row, by
// the server's settings, defaults filled in; ok is false when there have been
// enough. The wait doubles, and a random
// fraction in [0, 1) takes up to half of it off, so that servers that were lost
// together don't come back together.
func backoff(r model.Reconnect, failures int, random float64) (wait time.Duration, ok bool) {
	if failures > r.MaxAttempts {
		return 0, false
	}
	wait = r.Initial
	for range failures - 1 {
		if wait >= r.Max {
			break
		}
		wait *= 2
	}
	wait = min(wait, r.Max)
	return wait - time.Duration(random*float64(wait)/2), true
}
