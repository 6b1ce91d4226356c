package access

import (
	"fmt"
	"testing"
	"time"
)

func TestWaitFor(t *testing.T) {
	t.Parallel()
	for count, want := range []time.Duration{0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30} {
		if want >= 0 {
			want *= time.Second
		}
		if got := waitFor(count); got != want {
			t.Errorf("after %d wrong ones: got %v, want %v", count, got, want)
		}
	}
	if got := waitFor(1 << 30); got != maxWait {
		t.Errorf("after very many: got %v, want %v", got, maxWait)
	}
}

func TestAClientIsSlowedDownAndOthersAreNot(t *testing.T) {
	t.Parallel()
	s := slowdown{clients: map[string]failures{}}
	now := time.Unix(1000, 0)
	for range freeTries {
		if wait := s.try("attacker", now); wait != 0 {
			t.Fatalf("a free try waits %v", wait)
		}
	}
	if wait := s.try("attacker", now); wait != time.Second {
		t.Errorf("one try more: got %v, want 1 s", wait)
	}
	if wait := s.try("owner", now); wait != 0 {
		t.Errorf("another client waits %v", wait)
	}
	if wait := s.try("attacker", now.Add(time.Second)); wait != 0 {
		t.Errorf("after the wait: still %v", wait)
	}
	s.right("attacker")
	if wait := s.try("attacker", now.Add(time.Second)); wait != 0 {
		t.Errorf("after a right one: still %v", wait)
	}
}

func TestManyClientsShareABudgetThatLeavesTheOwnerATry(t *testing.T) {
	t.Parallel()
	s := slowdown{clients: map[string]failures{}}
	now := time.Unix(1000, 0)
	for i := range globalTries {
		s.try(fmt.Sprint("bot ", i), now)
	}
	if wait := s.try("bot 1", now); wait == 0 || wait > maxWait {
		t.Errorf("a bot's second try: waits %v, want more than nothing and at most %v", wait, maxWait)
	}
	if wait := s.try("owner", now); wait != 0 {
		t.Errorf("the owner's first try waits %v", wait)
	}
	if wait := s.try("bot 1", now.Add(globalWindow+time.Second)); wait != 0 {
		t.Errorf("a minute later: still %v", wait)
	}
}

func TestAddressesTakeBoundedMemory(t *testing.T) {
	t.Parallel()
	s := slowdown{clients: map[string]failures{}}
	now := time.Unix(1000, 0)
	for i := range maxClients + 100 {
		s.try(fmt.Sprint(i), now)
	}
	if got := len(s.clients); got > maxClients {
		t.Errorf("got %d clients, want at most %d", got, maxClients)
	}
}

func TestWaitsAreSaidInWholeSecondsAndNeverTooShort(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Nanosecond: "1s", 400 * time.Millisecond: "1s", time.Second: "1s", time.Second + 1: "2s", 30 * time.Second: "30s",
	} {
		if got := wholeSeconds(d).String(); got != want {
			t.Errorf("%s: got %s, want %s", d, got, want)
		}
	}
}
