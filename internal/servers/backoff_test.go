package servers

import (
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	cases := []struct {
		failures int
		random   float64
		want     time.Duration
		ok       bool
	}{
		{0, 0, 500 * time.Millisecond, true},
		{1, 0, 500 * time.Millisecond, true},
		{1, 0.5, 375 * time.Millisecond, true},
		{2, 0, time.Second, true},
		{6, 0, 16 * time.Second, true},
		{7, 0, 30 * time.Second, true},
		{20, 0, 30 * time.Second, true},
		{20, 1, 15 * time.Second, true},
		{21, 0, 0, false},
		{1000, 0, 0, false},
	}
	for _, tc := range cases {
		if got, ok := backoff(tc.failures, tc.random); got != tc.want || ok != tc.ok {
			t.Errorf("backoff(%d, %v) = %v, %v, want %v, %v", tc.failures, tc.random, got, ok, tc.want, tc.ok)
		}
	}
}
