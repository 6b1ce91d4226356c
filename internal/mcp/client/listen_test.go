package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// changing is a scripted server of the modern era whose tools change; on answers
// further requests.
func changing(on func(wire.Message) string) *scripted {
	return newScripted(func(m wire.Message) string {
		if m.Method == "server/discover" {
			return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}`
		}
		return on(m)
	})
}

func connectModern(t *testing.T, s *scripted, overHTTP bool, h Handlers) *Client {
	t.Helper()
	c, err := Connect(t.Context(), Options{KnownEra: Modern, HTTP: overHTTP, Name: "k", Version: "1", Handlers: h,
		Dial: func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
			s.receiver = r
			return s, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Over stdio the end of a subscription is told, also by Close.
func TestCloseCancelsSubscriptionsOverStdio(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := changing(func(wire.Message) string { return "" })
		c := connectModern(t, s, false, Handlers{Notification: func(string, json.RawMessage) {}})
		stop := c.Listen(Filter{URIs: []string{"test://a"}})
		c.Listen(Filter{URIs: []string{"test://b"}})
		synctest.Wait()
		stop()
		stop() // does nothing more
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		var open, cancelled []string
		for _, m := range s.saw(wire.Request) {
			if m.Method == "subscriptions/listen" {
				open = append(open, string(m.ID))
			}
		}
		for _, m := range s.saw(wire.Notification) {
			if m.Method == "notifications/cancelled" {
				cancelled = append(cancelled, string(wire.Member(m.Params, "requestId")))
			}
		}
		slices.Sort(open)
		slices.Sort(cancelled)
		if len(open) != 3 || !slices.Equal(open, cancelled) {
			t.Errorf("open were %q, cancelled %q", open, cancelled)
		}
		c.Listen(Filter{Tools: true})() // after Close: nothing
	})
}

// standingHTTP keeps the answer to a subscription open until its ctx ends.
type standingHTTP struct {
	*scripted
	ended chan error
}

func (h *standingHTTP) Send(ctx context.Context, out wire.Outgoing) error {
	err := h.scripted.Send(ctx, out)
	if !out.Standing {
		return err
	}
	<-ctx.Done()
	h.ended <- ctx.Err()
	return ctx.Err()
}

func TestCloseEndsTheStreamOfASubscriptionOverHTTP(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &standingHTTP{changing(func(wire.Message) string { return "" }), make(chan error, 1)}
		c, err := Connect(t.Context(), Options{HTTP: true, Name: "k", Version: "1",
			Handlers: Handlers{Notification: func(string, json.RawMessage) {}},
			Dial: func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
				h.receiver = r
				return h, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		began := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("Close took %s", took)
		}
		if err := <-h.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the stream ended with %v", err)
		}
		for _, m := range h.saw(wire.Notification) {
			t.Errorf("sent %s", m.Raw)
		}
	})
}

// Legacy servers, hosts that take no notifications, and servers whose lists don't
// change are asked for nothing.
func TestNothingIsListenedForInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := changing(func(wire.Message) string { return "" })
		fixed := newScripted(func(wire.Message) string {
			return `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{"listChanged":false}}}`
		})
		old := newScripted(nil)
		hearing := Handlers{Notification: func(string, json.RawMessage) {}}
		for _, c := range []*Client{
			connectModern(t, deaf, false, Handlers{}), connectModern(t, fixed, false, hearing), connect(t, old, hearing),
		} {
			if c.Info().Era == Legacy {
				c.Listen(Filter{Tools: true})()
			}
			synctest.Wait()
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		for _, s := range []*scripted{deaf, fixed, old} {
			for _, m := range s.saw(wire.Request) {
				if m.Method == "subscriptions/listen" {
					t.Errorf("sent %s", m.Raw)
				}
			}
		}
	})
}

func TestWhichEndsOfASubscriptionLast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"unknown method":  {&wire.Error{Code: wire.CodeMethodNotFound}, true},
		"invalid params":  {&wire.Error{Code: wire.CodeInvalidParams}, true},
		"its own trouble": {&wire.Error{Code: wire.CodeInternalError}, false},
		"some other code": {&wire.Error{Code: -32000}, false},
		"nothing taken":   {errNothingTaken, true},
		"a good end":      {errEnded, false},
		"sign-in":         {&wire.HTTPError{Status: 401}, true},
		"no such place":   {&wire.HTTPError{Status: 404}, true},
		"too many":        {&wire.HTTPError{Status: 429}, false},
		"still open":      {&wire.HTTPError{Status: 409}, false},
		"away":            {&wire.HTTPError{Status: 503}, false},
		"not implemented": {&wire.HTTPError{Status: 501}, true},
		"broken":          {fmt.Errorf("%w: reset", ErrOutcomeUnknown), false},
	} {
		if got := lasting(c.err); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A question that a server asks beside a subscription belongs to its calls: the
// subscription must not keep it open when the last of them has ended.
func TestASubscriptionKeepsNoQuestionOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan error, 1)
		s := changing(func(m wire.Message) string { return "" })
		c := connectModern(t, s, false, Handlers{Notification: func(string, json.RawMessage) {},
			Elicit: func(ctx context.Context, q Question) (Answer, error) {
				if len(q.CallIDs) != 1 || q.CallIDs[0] != "c" {
					t.Errorf("asked for %v", q.CallIDs)
				}
				<-ctx.Done()
				over <- context.Cause(ctx)
				return Answer{}, ctx.Err()
			}})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _ = c.CallTool(ctx, ToolCall{CallID: "c", Name: "x"}) }()
		synctest.Wait()
		s.say(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}`)
		synctest.Wait()
		cancel()
		if err := <-over; !errors.Is(err, errAskerGone) {
			t.Errorf("the question ended with %v", err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// peerChanges has the peer change its list of tools, and waits for the news.
func peerChanges(ctx context.Context, t *testing.T, c *Client, news <-chan string) {
	if _, err := c.ListTools(ctx); err != nil { // the subscription is there by then
		t.Fatal(err)
	}
	if _, err := c.CallTool(ctx, ToolCall{Name: "grow"}); err != nil {
		t.Fatal(err)
	}
	for {
		select {
		case method := <-news:
			if strings.HasSuffix(method, "tools/list_changed") {
				return
			}
		case <-ctx.Done():
			t.Fatal("no news of the new tool")
		}
	}
}
