package servers

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// laterWait is the wait before what only reads is asked for once more, where the
	// server names none; laterMost is the longest that a reader is made to wait.
	laterWait = 500 * time.Millisecond
	laterMost = 5 * time.Second
	// awayMost is the longest that a server can put off the next dial.
	awayMost = 10 * time.Minute
)

// comeLater tells whether an answer means that the server, or the way to it, is
// busy or away for now (429, 502, 503, 504), and the wait that it asks for by
// Retry-After (RFC 9110, section 10.2.3); 0 when it asks for none.
func comeLater(err error, now time.Time) (wait time.Duration, later bool) {
	var status *wire.HTTPError
	if !errors.As(err, &status) {
		return 0, false
	}
	switch status.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return 0, false
	}
	text := status.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, true
}

// twice asks for what only reads, and once more when the server says to come later
// and that is soon.
func twice[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	answer, err := ask(ctx)
	wait, later := comeLater(err, time.Now())
	if !later || wait > laterMost {
		return answer, err
	}
	timer := time.NewTimer(max(wait, laterWait))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ask(ctx)
	case <-ctx.Done():
		return answer, err
	}
}
