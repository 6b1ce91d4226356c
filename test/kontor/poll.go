package kontor

import (
	"testing"
	"time"
)

// Patience is how long a test waits for what should happen at once. It is long
// because machines are slow and never waited for in full by a test that passes.
const Patience = 60 * time.Second

const pollEvery = 10 * time.Millisecond

// Poll asks until done says so, and fails the test with the words when the limit
// has passed.
func Poll(t testing.TB, limit time.Duration, words string, done func() bool) {
	t.Helper()
	if !polled(limit, done) {
		t.Fatalf("not within %s: %s", limit, words)
	}
}

func polled(limit time.Duration, done func() bool) bool {
	deadline := time.Now().Add(limit)
	for !done() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pollEvery)
	}
	return true
}
