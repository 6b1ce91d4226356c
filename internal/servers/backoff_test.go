package servers

import (
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	usual := model.Server{}.WithDefaults().Reconnect
	patient := model.Reconnect{Initial: time.Minute, Max: 5 * time.Minute, MaxAttempts: 3}
	cases := []struct {
		reconnect model.Reconnect
		failures  int
		random    float64
		want      time.Duration
		ok        bool
	}{
		{usual, 0, 0, 500 * time.Millisecond, true},
		{usual, 1, 0, 500 * time.Millisecond, true},
		{usual, 1, 0.5, 375 * time.Millisecond, true},
		{usual, 2, 0, time.Second, true},
		{usual, 6, 0, 16 * time.Second, true},
		{usual, 7, 0, 30 * time.Second, true},
		{usual, 20, 0, 30 * time.Second, true},
		{usual, 20, 1, 15 * time.Second, true},
		{usual, 21, 0, 0, false},
		{usual, 1000, 0, 0, false},
		{patient, 1, 0, time.Minute, true},
		{patient, 3, 0, 4 * time.Minute, true},
		{patient, 4, 0, 0, false},
		{model.Reconnect{Initial: time.Hour, Max: time.Hour, MaxAttempts: 1 << 40}, 1 << 30, 0, time.Hour, true},
	}
	for _, tc := range cases {
		if got, ok := backoff(tc.reconnect, tc.failures, tc.random); got != tc.want || ok != tc.ok {
			t.Errorf("backoff(%d, %v) = %v, %v, want %v, %v", tc.failures, tc.random, got, ok, tc.want, tc.ok)
		}
	}
}
