package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

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

func TestARequestThatNoAnswerComesToSaysWhyInTheTrace(t *testing.T) {
	t.Parallel()
	gaveUp := errors.New("changed my mind")
	for name, tc := range map[string]struct {
		end  func(s *scripted, cancel context.CancelCauseFunc)
		want error
	}{
		"given up":             {func(_ *scripted, cancel context.CancelCauseFunc) { cancel(gaveUp) }, gaveUp},
		"the connection ended": {func(s *scripted, _ context.CancelCauseFunc) { _ = s.Close() }, wire.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var lost []TraceEvent
				s := newScripted(nil)
				c := connect(t, s, Handlers{Trace: func(e TraceEvent) {
					if e.Lost != nil {
						lost = append(lost, e)
					}
				}})
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				ended := make(chan error, 1)
				go func() {
					_, err := c.CallTool(ctx, ToolCall{Name: "x", CallID: "call"})
					ended <- err
				}()
				synctest.Wait()
				tc.end(s, cancel)
				<-ended
				synctest.Wait()
				if len(lost) != 1 || !errors.Is(lost[0].Lost, tc.want) || lost[0].CallID != "call" || lost[0].Method != "tools/call" {
					t.Fatalf("the trace has %+v", lost)
				}
				sent := s.saw(wire.Request)
				if got, want := string(lost[0].Message.ID), string(sent[len(sent)-1].ID); got != want {
					t.Errorf("id %s, want %s", got, want)
				}
				_ = c.Close()
			})
		})
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
