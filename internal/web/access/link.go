package access

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

// LinkLife is how long a sign-in link works.
const LinkLife = 10 * time.Minute

// maxLinks bounds the links that are out at once; the oldest goes first.
const maxLinks = 16

// links are the one-time codes that are out. They live in memory: a restart
// voids them.
type links struct {
	mu  sync.Mutex
	out []link // oldest first
}

type link struct {
	hash    [sha256.Size]byte
	expires time.Time
}

// NewLink makes a code that signs in once, within LinkLife.
func (s *Service) NewLink() (code string, expires time.Time) {
	code, expires = rand.Text(), time.Now().Add(LinkLife)
	s.links.mu.Lock()
	defer s.links.mu.Unlock()
	s.links.out = append(s.links.out, link{sha256.Sum256([]byte(code)), expires})
	if len(s.links.out) > maxLinks {
		s.links.out = s.links.out[1:]
	}
	return code, expires
}

// redeem uses a code up and reports whether it was good.
func (l *links) redeem(code string, now time.Time) bool {
	hash := sha256.Sum256([]byte(code))
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, candidate := range l.out {
		// What is compared are hashes: their common prefix tells nothing of the code.
		if candidate.hash == hash {
			l.out = append(l.out[:i:i], l.out[i+1:]...)
			return now.Before(candidate.expires)
		}
	}
	return false
}
