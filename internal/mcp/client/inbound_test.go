package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"kontor.dev/kontor/internal/mcp/wire"
)

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
