package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// listening is a server with a stream of its own for what it says unasked.
type listening struct {
	*scripted
	tried chan struct{}
}

func (l *listening) Listen(context.Context) <-chan struct{} { return l.tried }

func connectListening(t *testing.T) (*Client, *listening) {
	t.Helper()
	l := &listening{newScripted(func(wire.Message) string { return `{}` }), make(chan struct{})}
	c, err := Connect(t.Context(), Options{KnownEra: Legacy,
		Dial: func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
			l.receiver = r
			return l, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return c, l
}

func TestACallWaitsUntilTheServersQuestionsWouldBeHeard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, l := connectListening(t)
		if _, err := c.ListTools(t.Context()); err != nil { // nothing is asked about a list
			t.Fatal(err)
		}
		before := len(l.saw(wire.Request))
		called := make(chan error, 1)
		go func() {
			_, err := c.CallTool(t.Context(), ToolCall{Name: "x"})
			called <- err
		}()
		synctest.Wait()
		if sent := l.saw(wire.Request)[before:]; len(sent) != 0 {
			t.Errorf("%s was sent before the stream was there", sent[0].Method)
		}
		close(l.tried)
		if err := <-called; err != nil {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAServerThatLeavesTheStreamOpenHoldsUpItsFirstCallsOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := connectListening(t)
		for _, want := range []time.Duration{hearingWait, 0} {
			began := time.Now()
			if _, err := c.CallTool(t.Context(), ToolCall{Name: "x"}); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took != want {
				t.Errorf("the call took %s, want %s", took, want)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestACallThatIsCancelledWhileItWaitsForTheStreamIsNotSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, l := connectListening(t)
		before := len(l.saw(wire.Request))
		ctx, cancel := context.WithTimeout(t.Context(), hearingWait/2)
		defer cancel()
		if _, err := c.CallTool(ctx, ToolCall{Name: "x"}); err != context.DeadlineExceeded {
			t.Errorf("got %v", err)
		}
		if sent := l.saw(wire.Request)[before:]; len(sent) != 0 {
			t.Errorf("%s was sent", sent[0].Method)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
