package agent

import (
	"hash/maphash"
	"sync"
)

// stripes is a mutex for each id, near enough: some share one. Nobody holds two of the
// same stripes.
type stripes struct {
	seed    maphash.Seed
	mutexes [64]sync.Mutex
}

func (s *stripes) lock(id string) (unlock func()) {
	m := &s.mutexes[maphash.String(s.seed, id)%uint64(len(s.mutexes))]
	m.Lock()
	return m.Unlock
}
