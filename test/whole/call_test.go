package whole

import (
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestCancelReachesTheServer(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	k.AddReady("demo", kontor.Demo())
	call := k.StartCall("mcp__demo__slow", `{"steps": 1000, "delay_ms": 50}`)
	k.AwaitCall(call.ID, "at work", func(c kontor.Call) bool { return c.Progress != nil })
	k.Post("/api/calls/"+call.ID+"/cancel", nil, nil)
	got := k.AwaitCall(call.ID, "settled", kontor.Call.Settled)
	if got.State != "cancelled" {
		t.Errorf("the call is %s, want cancelled", got.State)
	}
	kontor.Poll(t, kontor.Patience, "the server's word that it stopped, in its log", func() bool {
		return strings.Contains(k.Log("demo"), "slow: stopped in step ")
	})
	if s := k.Server("demo"); s.Status.State != "ready" {
		t.Errorf("after a cancel the server is %s", s.Status.State)
	}
}

// The question is open for longer than the time limit of its call. That the limit
// has passed is known from calls that ask nothing: they were started later and have
// run into theirs.
func TestTheClockStandsStillWhileAPersonIsAsked(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	k.Add("asking", kontor.Demo().With("call_timeout_ms", 800).With("call_max_ms", 1500))
	k.Add("hanging", kontor.Demo().With("call_timeout_ms", 1000))
	k.AwaitState("asking", "ready")
	k.AwaitState("hanging", "ready")
	asked := k.StartCall("mcp__asking__confirm", `{}`)
	question := k.Question(asked.ID)
	for range 2 {
		late := k.Call("mcp__hanging__slow", `{"steps": 1, "delay_ms": 600000}`)
		if late.State == "done" || late.Error == nil || late.Error.Code != "timeout" {
			t.Fatalf("a call that shows no life is %s with %+v, want a timeout", late.State, late.Error)
		}
	}
	if got := k.GetCall(asked.ID).State; got != "waiting_input" {
		t.Fatalf("the asking call is %s, want waiting_input", got)
	}
	k.Answer(question.ID, "accept", "{}")
	got := k.AwaitCall(asked.ID, "settled", kontor.Call.Settled)
	if got.State != "done" || got.Text() != "The person said yes." {
		t.Errorf("got %s, %q, %+v, want the answer to have arrived", got.State, got.Text(), got.Error)
	}
}

func TestProgressIsASignOfLife(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	k.AddReady("demo", kontor.Demo().With("call_timeout_ms", 2000))
	// Three seconds in all, in steps far below the limit.
	got := k.Call("mcp__demo__slow", `{"steps": 15, "delay_ms": 200}`)
	if got.State != "done" || got.Text() != "Done in 15 steps." {
		t.Errorf("got %s, %q, %+v, want it done", got.State, got.Text(), got.Error)
	}
}

func TestNumbersStayExactThroughEveryLayer(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	k.AddReady("demo", kontor.Demo())
	const arguments = `{"numbers": [9007199254740993,  12345678901234567890, 0.10]}`
	got := k.Call("mcp__demo__sum", arguments)
	if string(got.Arguments) != arguments {
		t.Errorf("the arguments are kept as %s, want %s", got.Arguments, arguments)
	}
	const want = `{"sum":12354686100489308883.1,"count":3}`
	if string(got.Result) != want || got.ResultType != "json" {
		t.Errorf("got %s %s (%+v), want %s", got.ResultType, got.Result, got.Error, want)
	}
}
