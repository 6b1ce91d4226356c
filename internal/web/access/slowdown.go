package access

import (
	"sync"
	"time"
)

// How wrong passwords are slowed down. A client has a few free tries, then waits
// twice as long each time. Many clients together share a budget, so that a botnet
// isn't as many times faster. Nobody waits longer than maxWait, and links work at
// all times: an attacker can't lock the owner out.
const (
	freeTries    = 5
	firstWait    = time.Second
	maxWait      = 30 * time.Second
	forgetAfter  = 15 * time.Minute
	globalWindow = time.Minute
	globalTries  = 30
	maxClients   = 4096
)

// failures are a client's wrong tries in a row.
type failures struct {
	count int
	last  time.Time
}

// waitFor is how long after its last try a client must wait.
func waitFor(count int) time.Duration {
	over := count - freeTries
	switch {
	case over < 0:
		return 0
	case over > 5: // 2^5 s is over maxWait
		return maxWait
	}
	return min(firstWait<<over, maxWait)
}

// wholeSeconds rounds up: who comes back then isn't too early.
func wholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

// slowdown counts the wrong tries.
type slowdown struct {
	mu      sync.Mutex
	clients map[string]failures
	// window and recent count the tries of everybody.
	window time.Time
	recent int
}

// try counts a try as wrong and returns 0 when it may be made; else how long to
// wait, and nothing is counted.
func (s *slowdown) try(client string, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.clients[client]
	if now.Sub(f.last) > forgetAfter {
		f = failures{}
	}
	if wait := waitFor(f.count) - now.Sub(f.last); f.count > 0 && wait > 0 {
		return wait
	}
	if now.Sub(s.window) > globalWindow {
		s.window, s.recent = now, 0
	}
	// The first tries of a client that has none behind it are always free, so
	// that a flood from elsewhere doesn't keep the owner waiting.
	if s.recent >= globalTries && f.count > 0 {
		return min(globalWindow-now.Sub(s.window), maxWait)
	}
	s.recent++
	s.makeRoom(now)
	s.clients[client] = failures{f.count + 1, now}
	return 0
}

// makeRoom bounds the memory that addresses can take.
func (s *slowdown) makeRoom(now time.Time) {
	if len(s.clients) < maxClients {
		return
	}
	for client, f := range s.clients {
		if now.Sub(f.last) > forgetAfter {
			delete(s.clients, client)
		}
	}
	for client := range s.clients {
		if len(s.clients) < maxClients {
			return
		}
		delete(s.clients, client)
	}
}

// right takes back what try counted: the password was right.
func (s *slowdown) right(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, client)
	s.recent = max(s.recent-1, 0)
}

func (s *slowdown) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.clients)
	s.recent = 0
}
