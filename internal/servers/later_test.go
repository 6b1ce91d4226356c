package servers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

func answered(status int, retryAfter string) error {
	return fmt.Errorf("asked: %w", &wire.HTTPError{Status: status, Header: http.Header{"Retry-After": {retryAfter}}})
}

func TestComeLater(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		err   error
		wait  time.Duration
		later bool
	}{
		"nothing":       {nil, 0, false},
		"no answer":     {errors.New("reset"), 0, false},
		"not found":     {answered(404, "3"), 0, false},
		"seconds":       {answered(429, "3"), 3 * time.Second, true},
		"a date":        {answered(503, "Mon, 30 Nov 2026 08:00:07 GMT"), 7 * time.Second, true},
		"a date gone":   {answered(503, "Mon, 30 Nov 2026 07:00:00 GMT"), 0, true},
		"none":          {answered(502, ""), 0, true},
		"nonsense":      {answered(504, "soon"), 0, true},
		"out of bounds": {answered(503, "99999999999999999999"), 0, true},
		"negative":      {answered(503, "-1"), 0, true},
	} {
		if wait, later := comeLater(c.err, now); wait != c.wait || later != c.later {
			t.Errorf("%s: %v, %v; want %v, %v", name, wait, later, c.wait, c.later)
		}
	}
}

func TestWhatOnlyReadsIsAskedForOnceMore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		errs  []error
		asked int
		took  time.Duration
		ok    bool
	}{
		"it works":       {[]error{nil}, 1, 0, true},
		"busy":           {[]error{answered(503, "2"), nil}, 2, 2 * time.Second, true},
		"busy, no time":  {[]error{answered(502, ""), nil}, 2, laterWait, true},
		"busy for long":  {[]error{answered(429, "60")}, 1, 0, false},
		"busy twice":     {[]error{answered(503, "1"), answered(503, "1")}, 2, time.Second, false},
		"its own errors": {[]error{answered(500, "1")}, 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start, asked := time.Now(), 0
				_, err := twice(t.Context(), func(context.Context) (int, error) {
					asked++
					return 0, c.errs[asked-1]
				})
				if took := time.Since(start); asked != c.asked || took != c.took || (err == nil) != c.ok {
					t.Errorf("asked %d times in %v: %v", asked, took, err)
				}
			})
		})
	}
}

// A server that asks to be left alone is, also by the backoff; a call dials all the
// same.
func TestRetryAfterPutsOffTheNextDial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newFakeClient()
		away := true
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			if away {
				return nil, &client.StartError{Stage: client.StageProbe, Err: answered(503, "120")}
			}
			return c, nil
		}, config("a"))
		synctest.Wait()
		if wait := time.Until(r.state(t, "a").NextAttemptAt); wait != 2*time.Minute {
			t.Errorf("the next dial is in %v", wait)
		}
		away = false
		if _, err := r.Conn(t.Context(), "a"); err != nil {
			t.Errorf("a call: %v", err)
		}
	})
}
