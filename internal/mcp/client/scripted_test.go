package client

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/mcp/wire"
)

// scripted is a legacy server over a shared channel: on answers a request, nil
// stays silent. It is its own transport.
type scripted struct {
	on       func(m wire.Message) (result string)
	receiver wire.Receiver
	done     chan struct{}
	once     sync.Once

	mu   sync.Mutex
	sent []wire.Message
}

func newScripted(on func(wire.Message) string) *scripted {
	return &scripted{on: on, done: make(chan struct{})}
}

func (s *scripted) Send(_ context.Context, out wire.Outgoing) error {
	m := out.Message
	s.mu.Lock()
	s.sent = append(s.sent, m)
	s.mu.Unlock()
	switch {
	case m.Method == "initialize":
		s.say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}`, m.ID)
	case m.Kind() == wire.Request && s.on != nil:
		if result := s.on(m); result != "" {
			s.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		}
	}
	return nil
}

func (s *scripted) say(format string, args ...any) {
	m, err := wire.Parse(fmt.Appendf(nil, format, args...))
	if err != nil {
		panic(err)
	}
	s.receiver.Message(wire.Incoming{Message: m})
}

// saw is what was sent so far, of the given kind.
func (s *scripted) saw(kind wire.Kind) (all []wire.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sent {
		if m.Kind() == kind {
			all = append(all, m)
		}
	}
	return all
}

func (s *scripted) Close() error          { s.once.Do(func() { close(s.done) }); return nil }
func (s *scripted) Done() <-chan struct{} { return s.done }
func (s *scripted) Err() error            { return nil }

func connect(t *testing.T, s *scripted, h Handlers) *Client {
	t.Helper()
	c, err := Connect(t.Context(), Options{KnownEra: Legacy, Name: "k", Version: "1", Handlers: h,
		Dial: func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
			s.receiver = r
			return s, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
