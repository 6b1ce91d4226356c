package client

import (
	"context"
	"sync"
	"time"
)

// lingering is how long an HTTP answer may stay open behind its response. It is
// not cut at once: a body read to its end leaves the TCP connection usable.
const lingering = 2 * time.Second

// stream bounds the life of one HTTP answer: it ends with the connection, when
// the request is given up, or a while after the response.
type stream struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	timer  *time.Timer
}

func newStream(base, values context.Context) *stream {
	ctx, cancel := context.WithCancel(joined{base, values})
	return &stream{ctx: ctx, cancel: cancel}
}

// linger closes the stream later, if it is still open then.
func (s *stream) linger() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.timer = time.AfterFunc(lingering, s.cancel)
	}
}

func (s *stream) close() {
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.cancel()
}

// joined lives as long as the connection and carries the values of the call,
// such as its trace span.
type joined struct {
	context.Context
	values context.Context
}

// Value asks the connection first: context finds a parent's cancel function that
// way, and without it each request would cost a goroutine.
func (j joined) Value(key any) any {
	if v := j.Context.Value(key); v != nil {
		return v
	}
	return j.values.Value(key)
}
