package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/wire"
)

// modern connects to a server of 2026-07-28 that answers requests by on.
func modern(t *testing.T, on func(wire.Message) string) (*scripted, *Client) {
	t.Helper()
	s := newScripted(func(m wire.Message) string {
		if m.Method == "server/discover" {
			return `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		}
		return on(m)
	})
	c, err := Connect(t.Context(), Options{Name: "k", Version: "1",
		Handlers: Handlers{Elicit: func(context.Context, Question) (Answer, error) { return Answer{Action: "decline"}, nil }},
		Dial: func(_ context.Context, r wire.Receiver) (wire.Transport, error) {
			s.receiver = r
			return s, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, c
}

func TestRoundsOfInputHaveAnEnd(t *testing.T) {
	t.Parallel()
	calls := 0
	_, c := modern(t, func(wire.Message) string {
		calls++
		return fmt.Sprintf(`{"resultType":"input_required","requestState":"%d"}`, calls)
	})
	_, err := c.CallTool(t.Context(), ToolCall{Name: "x"})
	if !errors.Is(err, ErrProtocol) || calls != maxRounds+1 {
		t.Errorf("after %d requests: %v", calls, err)
	}
}

func TestARoundAsksForSoMuchAtMost(t *testing.T) {
	t.Parallel()
	var inputs []string
	for i := range maxQuestions + 1 {
		inputs = append(inputs, fmt.Sprintf(`"%d":{"method":"elicitation/create","params":{"message":"?"}}`, i))
	}
	_, c := modern(t, func(wire.Message) string {
		return `{"resultType":"input_required","inputRequests":{` + strings.Join(inputs, ",") + `}}`
	})
	if _, err := c.CallTool(t.Context(), ToolCall{Name: "x"}); !errors.Is(err, ErrProtocol) {
		t.Errorf("got %v", err)
	}
}

func TestALaterRoundThatIsNotSentLeavesTheOutcomeOpen(t *testing.T) {
	t.Parallel()
	s, c := modern(t, func(wire.Message) string {
		return `{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?"}}}}`
	})
	c.o.Handlers.Elicit = func(ctx context.Context, _ Question) (Answer, error) {
		_ = s.Close()
		<-c.Done() // the connection is over before the answer is there
		return Answer{Action: "accept"}, nil
	}
	_, err := c.CallTool(t.Context(), ToolCall{Name: "x"})
	if !errors.Is(err, ErrOutcomeUnknown) || errors.Is(err, wire.ErrNotSent) {
		t.Errorf("got %v", err)
	}
}
