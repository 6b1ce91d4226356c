package access

import (
	"context"
	"crypto/sha256"
	"time"
)

// entry is a session or token that was looked up before. The service is the only
// one that changes them, so what it remembers holds until it forgets.
type entry struct {
	identity Identity
	expires  time.Time // zero for never
	seen     time.Time
}

func (e entry) expired(now time.Time) bool { return !e.expires.IsZero() && !now.Before(e.expires) }

// lookUp returns a valid entry from memory, or by load. Only what exists is
// remembered, so guesses can't fill the memory.
func (s *Service) lookUp(hash [sha256.Size]byte, load func() (entry, error)) (entry, bool) {
	s.mu.Lock()
	e, ok := s.known[hash]
	s.mu.Unlock()
	if !ok {
		var err error
		if e, err = load(); err != nil {
			return entry{}, false
		}
	}
	if e.expired(time.Now()) {
		s.forget(e.identity.ID)
		return entry{}, false
	}
	if !ok {
		s.mu.Lock()
		s.known[hash] = e
		s.mu.Unlock()
	}
	return e, true
}

func (s *Service) saw(hash [sha256.Size]byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.known[hash]; ok {
		e.seen = now
		s.known[hash] = e
	}
}

// forget drops an identity from memory and ends its connections.
func (s *Service) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, e := range s.known {
		if e.identity.ID == id {
			delete(s.known, hash)
		}
	}
	for w := range s.watched[id] {
		w.cancel()
	}
}

type watch struct{ cancel context.CancelFunc }

// Watch returns a context that ends when the identity is revoked, for
// connections that outlive their first request. Call release in the end.
func (s *Service) Watch(ctx context.Context, id Identity) (watched context.Context, release func()) {
	watched, cancel := context.WithCancel(ctx)
	w := &watch{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched[id.ID] == nil {
		s.watched[id.ID] = map[*watch]struct{}{}
	}
	s.watched[id.ID][w] = struct{}{}
	return watched, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watched[id.ID], w)
		if len(s.watched[id.ID]) == 0 {
			delete(s.watched, id.ID)
		}
	}
}
