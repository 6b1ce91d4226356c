package calls

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/model"
)

// expiry runs steps on a going clock and returns when it expired, counted from
// the start, and with what; zero when it didn't within a day.
func expiry(t *testing.T, l limits, steps func(c *clock)) (after time.Duration, reason error) {
	t.Helper()
	start := time.Now()
	expired := make(chan error, 2)
	c := newClock(l, func(err error) { expired <- err })
	c.release()
	steps(c)
	select {
	case reason = <-expired:
		after = time.Since(start)
	case <-time.After(24 * time.Hour):
	}
	c.stop()
	time.Sleep(time.Hour)
	synctest.Wait()
	if len(expired) > 0 {
		t.Error("the clock expired twice")
	}
	return after, reason
}

func TestClock(t *testing.T) {
	t.Parallel()
	l := limits{idle: 2 * time.Minute, whole: time.Hour}
	cases := []struct {
		name  string
		steps func(c *clock)
		want  time.Duration
		words string
	}{
		{"silence ends it", func(*clock) {}, 2 * time.Minute,
			"no answer and no sign of life for 2 min: the call was cancelled"},
		{"a sign of life starts the idle limit anew", func(c *clock) {
			time.Sleep(time.Minute)
			c.touch()
		}, 3 * time.Minute, "no answer and no sign of life for 2 min: the call was cancelled"},
		{"signs of life don't move the whole limit", func(c *clock) {
			for range 59 {
				time.Sleep(time.Minute)
				c.touch()
			}
			time.Sleep(59 * time.Second)
			c.touch()
		}, time.Hour, "the call took longer than 1 h in all and was cancelled"},
		{"it stands still while held", func(c *clock) {
			time.Sleep(time.Minute)
			c.hold()
			time.Sleep(10 * time.Hour)
			c.release()
		}, 10*time.Hour + 2*time.Minute, "no answer and no sign of life for 2 min: the call was cancelled"},
		{"two holds need two releases", func(c *clock) {
			c.hold()
			c.hold()
			time.Sleep(time.Hour)
			c.release()
			time.Sleep(time.Hour)
			c.release()
		}, 2*time.Hour + 2*time.Minute, "no answer and no sign of life for 2 min: the call was cancelled"},
		{"a sign of life while held counts", func(c *clock) {
			time.Sleep(time.Minute)
			c.hold()
			time.Sleep(time.Minute)
			c.touch()
			c.release()
		}, 4 * time.Minute, "no answer and no sign of life for 2 min: the call was cancelled"},
		{"held for good it never expires", func(c *clock) { c.hold() }, 0, ""},
		{"stopped it never expires", func(c *clock) { c.stop() }, 0, ""},
		{"a hold and a release after the stop change nothing", func(c *clock) {
			c.stop()
			c.hold()
			c.release()
		}, 0, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				got, reason := expiry(t, l, tc.steps)
				if got != tc.want {
					t.Errorf("expired after %v, want %v", got, tc.want)
				}
				var e *model.Error
				if tc.words == "" {
					return
				}
				if !errors.As(reason, &e) || e.Code != model.CodeTimeout || e.Message != tc.words {
					t.Errorf("reason = %v, want timeout %q", reason, tc.words)
				}
			})
		})
	}
}
