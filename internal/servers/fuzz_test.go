package servers

import (
	"net/http"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// No Retry-After makes a wait that can't be.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "3", "-1", "99999999999999999999", "Mon, 30 Nov 2026 08:00:07 GMT", "Mon, 30 Nov 0000 08:00:07 GMT", "soon"} {
		f.Add(seed)
	}
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		err := &wire.HTTPError{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {text}}}
		if wait, later := comeLater(err, now); !later || wait < 0 {
			t.Errorf("%q: %v, %v", text, wait, later)
		}
	})
}
