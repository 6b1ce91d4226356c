package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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

func TestCloseEndsCallsInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(nil)
		c := connect(t, s, Handlers{})
		errs := make(chan error, 64)
		for range cap(errs) {
			go func() {
				_, err := c.CallTool(context.Background(), ToolCall{Name: "hang"})
				errs <- err
			}()
		}
		synctest.Wait()
		began := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("Close took %s", took)
		}
		for range cap(errs) {
			if err := <-errs; !errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, wire.ErrClosed) {
				t.Errorf("a call ended with %v", err)
			}
		}
		<-c.Done()
		if c.Err() != nil {
			t.Errorf("Err after Close is %v", c.Err())
		}
		sent := false
		_, err := c.CallTool(context.Background(), ToolCall{Name: "late", OnSent: func() { sent = true }})
		if !errors.Is(err, wire.ErrNotSent) || sent {
			t.Errorf("a call after Close: %v, sent %v", err, sent)
		}
	})
}

func TestCloseIsBoundedWhenAHandlerHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := newScripted(nil)
		c := connect(t, s, Handlers{Elicit: func(context.Context, Question) (Answer, error) {
			<-release
			return Answer{Action: "cancel"}, nil
		}})
		s.say(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}`)
		synctest.Wait()
		began := time.Now()
		if err := c.Close(); err == nil {
			t.Error("Close says nothing about the handler")
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("Close took %s", took)
		}
		close(release)
	})
}

func TestAnswersInAnyOrderReachTheirCalls(t *testing.T) {
	t.Parallel()
	const calls = 200
	waiting := make(chan wire.Message, calls)
	s := newScripted(func(m wire.Message) string { waiting <- m; return "" })
	c := connect(t, s, Handlers{})
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			arguments := fmt.Sprintf(`{"n":%d}`, i)
			got, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(arguments)})
			if err != nil || string(got) != arguments {
				t.Errorf("call %d got %s, %v", i, got, err)
			}
		})
	}
	var requests []wire.Message
	for range calls {
		requests = append(requests, <-waiting)
	}
	for i := range requests {
		m := requests[len(requests)-1-i]
		s.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, wire.Member(m.Params, "arguments"))
	}
	all.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheServersRequestsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(nil)
		c := connect(t, s, Handlers{
			Elicit: func(ctx context.Context, _ Question) (Answer, error) {
				<-ctx.Done()
				return Answer{}, ctx.Err()
			}})
		for i := range maxInbound + 1 {
			s.say(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?"}}`, i)
		}
		s.say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		s.say(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
		synctest.Wait()
		var refused, pinged, twice int
		for _, m := range s.saw(wire.Response) {
			switch {
			case m.Err() == nil:
				pinged++
			case m.Err().Code == wire.CodeInternalError:
				refused++
			case m.Err().Code == wire.CodeInvalidRequest:
				twice++
			}
		}
		if refused != 1 || pinged != 1 || twice != 1 {
			t.Errorf("refused %d, pinged %d, same id %d; want 1 each", refused, pinged, twice)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestEveryRequestOfAFloodIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var notes []string
		s := newScripted(nil)
		c := connect(t, s, Handlers{
			Note: func(n wire.Note) { mu.Lock(); defer mu.Unlock(); notes = append(notes, n.Text) },
			Elicit: func(ctx context.Context, _ Question) (Answer, error) {
				<-ctx.Done()
				return Answer{}, ctx.Err()
			}})
		const flood = 5000
		for i := range flood {
			s.say(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?"}}`, i)
		}
		synctest.Wait()
		refused := map[string]bool{}
		for _, m := range s.saw(wire.Response) {
			if e := m.Err(); e != nil && e.Code == wire.CodeInternalError && strings.HasPrefix(e.Message, "too many open requests") {
				refused[string(m.ID)] = true
			}
		}
		if want := flood - maxInbound; len(refused) != want {
			t.Errorf("%d requests were told that they are too many, want %d", len(refused), want)
		}
		mu.Lock()
		defer mu.Unlock()
		summed := 0
		for _, text := range notes {
			var n int
			if _, err := fmt.Sscanf(text, "%d requests of the server were refused", &n); err != nil || strings.Contains(text, "could not") {
				t.Errorf("note %q", text)
			}
			summed += n
		}
		if summed != flood-maxInbound || len(notes) > flood/10 {
			t.Errorf("%d notes sum up %d refusals", len(notes), summed)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAFullQueueOfNotificationsIsSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var mu sync.Mutex
		var notes []string
		var got int
		s := newScripted(nil)
		c := connect(t, s, Handlers{
			Note: func(n wire.Note) { mu.Lock(); defer mu.Unlock(); notes = append(notes, n.Text) },
			Notification: func(_ string, params json.RawMessage) {
				<-release
				if want := fmt.Sprintf(`{"n":%d}`, got); string(params) != want {
					t.Errorf("got %s, want %s", params, want)
				}
				got++
			}})
		s.say(`{"jsonrpc":"2.0","method":"n","params":{"n":0}}`)
		synctest.Wait()
		for i := range maxNotices + 5 {
			s.say(`{"jsonrpc":"2.0","method":"n","params":{"n":%d}}`, i+1)
		}
		close(release)
		synctest.Wait()
		if got != maxNotices+1 {
			t.Errorf("%d were delivered, want %d", got, maxNotices+1)
		}
		if len(notes) != 2 || !strings.HasPrefix(notes[1], "5 notifications were dropped") {
			t.Errorf("notes are %q", notes)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatAPersonAnsweredIsMarkedPrivate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		private := map[string]bool{}
		s := newScripted(nil)
		c := connect(t, s, Handlers{
			Elicit: func(context.Context, Question) (Answer, error) {
				return Answer{Action: "accept", Content: json.RawMessage(`{"pin":"0000"}`)}, nil
			},
			Trace: func(e TraceEvent) {
				mu.Lock()
				defer mu.Unlock()
				private[fmt.Sprintf("%v %s %d", e.Out, e.Method, e.Message.Kind())] = e.Private
			}})
		s.say(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}`)
		synctest.Wait()
		asked := fmt.Sprintf("false elicitation/create %d", wire.Request)
		answered := fmt.Sprintf("true elicitation/create %d", wire.Response)
		if was, ok := private[asked]; !ok || was {
			t.Errorf("the question: traced %v, private %v", ok, was)
		}
		if !private[answered] {
			t.Error("the answer is not private")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAQuestionNoOneWaitsForEndsWithTheConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan error, 1)
		s := newScripted(nil)
		c := connect(t, s, Handlers{Elicit: func(ctx context.Context, q Question) (Answer, error) {
			<-ctx.Done()
			over <- context.Cause(ctx)
			return Answer{}, ctx.Err()
		}})
		s.say(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}`)
		synctest.Wait()
		_ = s.Close() // the server is gone
		if err := <-over; !errors.Is(err, wire.ErrClosed) {
			t.Errorf("the question ended with %v", err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestCancellingBeforeSendingSendsNothing(t *testing.T) {
	t.Parallel()
	s := newScripted(nil)
	c := connect(t, s, Handlers{})
	before := len(s.saw(wire.Request))
	reasonGiven := errors.New("changed my mind")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reasonGiven)
	_, err := c.CallTool(ctx, ToolCall{Name: "x", OnSent: func() { t.Error("it says it was sent") }})
	if !errors.Is(err, reasonGiven) {
		t.Errorf("got %v", err)
	}
	if after := len(s.saw(wire.Request)); after != before {
		t.Errorf("%d requests were sent", after-before)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// lingeringHTTP answers each request and then keeps the answer open.
type lingeringHTTP struct {
	*scripted
	closed atomic.Int32
}

func (l *lingeringHTTP) Send(ctx context.Context, out wire.Outgoing) error {
	err := l.scripted.Send(ctx, out)
	if out.Message.Method != "tools/call" {
		return err
	}
	<-ctx.Done()
	l.closed.Add(1)
	return ctx.Err()
}

func TestAnHTTPAnswerThatStaysOpenHoldsUpNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &lingeringHTTP{scripted: newScripted(func(wire.Message) string { return `{}` })}
		c, err := Connect(t.Context(), Options{HTTP: true, KnownEra: Legacy,
			Dial: func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
				l.receiver = r
				return l, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := c.CallTool(t.Context(), ToolCall{Name: "x"}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the call took %s", took)
		}
		time.Sleep(lingering + time.Millisecond)
		synctest.Wait()
		if l.closed.Load() != 1 {
			t.Error("the answer is still open")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
