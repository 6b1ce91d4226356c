package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// player is a server that follows a transcript. Its lines:
//
//	dial                   the client opens a transport
//	nodial ERROR           … and fails
//	> MESSAGE              the client sends these very bytes; over HTTP, a line
//	                       "# Name: value" before it for each header
//	< MESSAGE              the server sends on the shared channel
//	N< MESSAGE             … on the HTTP answer to request N; a response ends it
//	N+ MESSAGE             … and the answer stays open
//	N! STATUS [MESSAGE]    the answer to N is an HTTP error, with a message or without
//	N. [ERROR]             the answer to N ends, with an error of the transport
//	N~                     the client has closed the answer to N
//	exit [ERROR]           the server ends
//	write fails            the next message can't be written
//	wait SECONDS           silence
type player struct {
	t     *testing.T
	http  bool
	steps []string
	sent  chan *posted

	transport *playedTransport
	open      map[string]*posted
	headers   []string
	dials     chan *playedTransport
	refusals  chan error
	once      sync.Once
}

// posted is a message of the client's.
type posted struct {
	ctx  context.Context
	out  wire.Outgoing
	over chan error
}

// playedTransport is the client's end.
type playedTransport struct {
	p        *player
	receiver wire.Receiver
	done     chan struct{}
	once     sync.Once
	err      error
}

func (p *player) init() {
	p.once.Do(func() {
		p.dials, p.refusals = make(chan *playedTransport), make(chan error)
		p.open = map[string]*posted{}
	})
}

func (p *player) dial(_ context.Context, r wire.Receiver) (wire.Transport, error) {
	p.init()
	t := &playedTransport{p: p, receiver: r, done: make(chan struct{})}
	select {
	case p.dials <- t:
		return t, nil
	case err := <-p.refusals:
		return nil, err
	case <-time.After(time.Hour):
		return nil, errors.New("the transcript has no dial")
	}
}

func (t *playedTransport) Send(ctx context.Context, out wire.Outgoing) error {
	m := &posted{ctx: ctx, out: out, over: make(chan error, 1)}
	select {
	case <-t.done:
		return fmt.Errorf("%w: %w", wire.ErrNotSent, wire.ErrClosed)
	default:
	}
	select {
	case t.p.sent <- m:
	case <-t.done:
		return fmt.Errorf("%w: %w", wire.ErrNotSent, wire.ErrClosed)
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", wire.ErrNotSent, ctx.Err())
	}
	select {
	case err := <-m.over:
		return err
	case <-t.done:
		return wire.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *playedTransport) end(err error) {
	t.once.Do(func() {
		t.err = err
		close(t.done)
	})
}

func (t *playedTransport) Close() error          { t.end(nil); return nil }
func (t *playedTransport) Done() <-chan struct{} { return t.done }

func (t *playedTransport) Err() error {
	select {
	case <-t.done:
		return t.err
	default:
		return nil
	}
}

func (p *player) play() {
	p.init()
	for _, step := range p.steps {
		if err := p.step(step); err != nil {
			p.t.Errorf("%s\n%v", step, err)
			return
		}
	}
	if p.transport == nil {
		return
	}
	select {
	case m := <-p.sent:
		p.t.Errorf("the client also sent %s", m.out.Message.Raw)
		m.over <- nil
	case <-time.After(time.Second):
	case <-p.transport.done:
	}
}

func (p *player) step(step string) error {
	verb, rest, _ := strings.Cut(step, " ")
	switch {
	case verb == "dial":
		select {
		case p.transport = <-p.dials:
		case <-time.After(time.Minute):
			return errors.New("no dial came")
		}
	case verb == "nodial":
		select {
		case p.refusals <- errors.New(rest):
		case <-time.After(time.Minute):
			return errors.New("no dial came")
		}
	case verb == "#":
		p.headers = append(p.headers, rest)
	case verb == ">":
		return p.expect(rest)
	case verb == "<":
		return p.deliver(rest, "", 0)
	case verb == "exit":
		p.transport.end(errors.New(rest))
	case step == "write fails":
		m := <-p.sent
		m.over <- errors.New("broken pipe")
	case verb == "wait":
		seconds, _ := strconv.ParseFloat(rest, 64)
		time.Sleep(time.Duration(seconds * float64(time.Second)))
	default:
		return p.onStream(verb, rest)
	}
	return nil
}

// onStream does a step on the HTTP answer to one request.
func (p *player) onStream(verb, rest string) error {
	id, op := verb[:len(verb)-1], verb[len(verb)-1]
	m := p.open[id]
	if m == nil {
		return fmt.Errorf("no answer %q is open", id)
	}
	switch op {
	case '<':
		if err := p.deliver(rest, id, 0); err != nil {
			return err
		}
		if strings.Contains(rest, `"id":`+id+`,`) && !strings.Contains(rest, `"method":`) {
			m.over <- nil
		}
	case '+':
		return p.deliver(rest, id, 0)
	case '!':
		code, message, hasMessage := strings.Cut(rest, " ")
		status, _ := strconv.Atoi(code)
		if hasMessage {
			if err := p.deliver(message, id, status); err != nil {
				return err
			}
			m.over <- nil
			return nil
		}
		m.over <- &wire.HTTPError{Status: status}
	case '.':
		var err error
		if rest != "" {
			err = errors.New(rest)
		}
		m.over <- err
	case '~':
		select {
		case <-m.ctx.Done():
		case <-time.After(time.Minute):
			return errors.New("the client keeps it open")
		}
	default:
		return errors.New("no such step")
	}
	return nil
}

func (p *player) deliver(raw, stream string, status int) error {
	m, err := wire.Parse([]byte(raw))
	if err != nil {
		return err
	}
	p.transport.receiver.Message(wire.Incoming{Message: m, Stream: stream, Status: status})
	return nil
}

func (p *player) expect(want string) error {
	var m *posted
	select {
	case m = <-p.sent:
	case <-time.After(time.Minute):
		return errors.New("nothing was sent")
	}
	if got := string(m.out.Message.Raw); got != want {
		m.over <- nil
		return fmt.Errorf("sent was\n%s", got)
	}
	if !p.http {
		m.over <- nil
		return nil
	}
	got := headerLines(m.out)
	if !slices.Equal(got, p.headers) {
		m.over <- nil
		return fmt.Errorf("headers were %q, want %q", got, p.headers)
	}
	p.headers = nil
	if m.out.Message.Kind() != wire.Request {
		m.over <- nil
		return nil
	}
	p.open[string(m.out.Message.ID)] = m
	return nil
}

func headerLines(out wire.Outgoing) (all []string) {
	h := http.Header{}
	if out.ProtocolVersion != "" {
		h.Set("Mcp-Protocol-Version", out.ProtocolVersion)
	}
	for name, values := range out.Header {
		h[name] = values
	}
	for name, values := range h {
		all = append(all, name+": "+strings.Join(values, ", "))
	}
	slices.Sort(all)
	return all
}
