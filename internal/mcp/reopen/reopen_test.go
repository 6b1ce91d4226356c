package reopen

import (
	"testing"
	"time"
)

func TestTheWaitGrowsWithTriesThatBringNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked  time.Duration
		barren int
		want   time.Duration
	}{
		{-1, 0, time.Second}, {-1, 1, time.Second}, {-1, 2, 2 * time.Second}, {-1, 6, 32 * time.Second}, {-1, 7, time.Minute}, {-1, 100, time.Minute},
		{0, 0, least}, {0, 1, time.Second}, {0, 3, 4 * time.Second}, {5 * time.Second, 0, 5 * time.Second},
		{5 * time.Second, 2, 5 * time.Second}, {5 * time.Second, 4, 8 * time.Second}, {time.Hour, 0, time.Minute},
	} {
		if got := after(c.asked, c.barren); got != c.want {
			t.Errorf("after(%v, %d) = %v, want %v", c.asked, c.barren, got, c.want)
		}
	}
}

func TestEightTriesThatBringNothingAreEnough(t *testing.T) {
	t.Parallel()
	var tries Tries
	for n := 1; n < Most; n++ {
		if _, ok := tries.Ended(false, held-1, -1); !ok {
			t.Fatalf("given up after %d", n)
		}
	}
	for _, works := range []func() (time.Duration, bool){
		func() (time.Duration, bool) { return tries.Ended(true, 0, -1) },
		func() (time.Duration, bool) { return tries.Ended(false, held, -1) },
	} {
		if wait, ok := works(); !ok || wait != time.Second || tries.Barren != 0 {
			t.Errorf("one that worked: %v, %v, %d barren", wait, ok, tries.Barren)
		}
	}
	for range Most - 1 {
		_, _ = tries.Ended(false, 0, -1)
	}
	if _, ok := tries.Ended(false, 0, -1); ok {
		t.Error("not given up")
	}
}
