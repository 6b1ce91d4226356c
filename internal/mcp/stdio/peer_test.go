//go:build unix

package stdio_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
)

// patience is how long a test waits for what has to happen.
const patience = 20 * time.Second

// peer is a transport to a fake server with what came from it.
type peer struct {
	t *testing.T
	wire.Transport
	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at each arrival
	messages []wire.Incoming
	notes    []wire.Note
}

// fake dials the fake server of that name; change may alter the options.
func fake(t *testing.T, name string, change func(*stdio.Options), args ...string) *peer {
	t.Helper()
	o := stdio.Options{
		Command: os.Args[0], Args: args, Env: []string{fakeVar + "=" + name},
		EOFGrace: 500 * time.Millisecond, TermGrace: 500 * time.Millisecond,
	}
	if change != nil {
		change(&o)
	}
	return dial(t, o)
}

func dial(t *testing.T, o stdio.Options) *peer {
	t.Helper()
	p := &peer{t: t, changed: make(chan struct{})}
	transport, err := stdio.Dialer(o)(t.Context(), wire.Receiver{
		Message: func(in wire.Incoming) { p.arrive(func() { p.messages = append(p.messages, in) }) },
		Note:    func(n wire.Note) { p.arrive(func() { p.notes = append(p.notes, n) }) },
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Transport = transport
	t.Cleanup(func() {
		if err := transport.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *peer) arrive(keep func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	keep()
	close(p.changed)
	p.changed = make(chan struct{})
}

// until waits until ready answers true; it is called at each arrival.
func (p *peer) until(what string, ready func() bool) {
	p.t.Helper()
	deadline := time.After(patience)
	for {
		p.mu.Lock()
		ok, changed := ready(), p.changed
		p.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			p.t.Fatalf("never came: %s; messages %d, notes %.2000q", what, len(p.messages), p.notes)
		}
	}
}

// message waits for the n-th message, counted from 0.
func (p *peer) message(n int) wire.Incoming {
	p.t.Helper()
	p.until("message", func() bool { return len(p.messages) > n })
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.messages[n]
}

// noted waits for the first note of a kind whose text contains part.
func (p *peer) noted(kind wire.NoteKind, part string) string {
	p.t.Helper()
	var text string
	p.until(string(kind)+" "+part, func() bool {
		for _, n := range p.notes {
			if n.Kind == kind && strings.Contains(n.Text, part) {
				text = n.Text
				return true
			}
		}
		return false
	})
	return text
}

func (p *peer) request(id int64, params string) {
	p.t.Helper()
	if err := p.send(p.t.Context(), wire.NewRequest(id, "test", json.RawMessage(params))); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) send(ctx context.Context, m wire.Message) error {
	return p.Send(ctx, wire.Outgoing{Message: m})
}

// ended waits for Done.
func (p *peer) ended() error {
	p.t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		p.t.Fatal("Done was never closed")
	}
	return p.Err()
}

// eventually polls: for what no channel tells.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came true: %s", what)
		}
	}
}
