package model

import (
	"testing"
	"time"
)

func TestInWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Hour:               "1 h",
		2 * time.Minute:         "2 min",
		90 * time.Second:        "90 s",
		1500 * time.Millisecond: "1.5 s",
	} {
		if got := InWords(d); got != want {
			t.Errorf("InWords(%v) = %q, want %q", d, got, want)
		}
	}
}
