package agent

import (
	"slices"
	"testing"
	"time"

	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

// A stop ends whatever goes on, within a second, and leaves a chat that goes on.
func TestStop(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	for _, c := range []struct {
		name  string
		turns []scripted.Turn
		// ready waits until there is something to stop.
		ready func(d *desk)
		want  []string
	}{
		{"a model that writes", []scripted.Turn{says(words("So far"), scripted.Pause{Until: never})},
			func(d *desk) { await(d, func(model.MessageDelta) bool { return true }) },
			[]string{"user text Go", "assistant text So far", "note note stopped The person stopped the turn here."}},
		{"a model that has written nothing", []scripted.Turn{says(scripted.Pause{Until: never})},
			func(d *desk) { until(d, func() bool { return len(d.requests()) == 1 }) },
			[]string{"user text Go", "note note stopped The person stopped the turn here."}},
		{"a call", []scripted.Turn{says(calls("mcp__demo__slow", "{}"))},
			func(d *desk) { until(d, func() bool { return d.calls.sends() == 1 }) },
			[]string{"user text Go", "assistant tool_use mcp__demo__slow", "tool tool_result mcp__demo__slow The call was stopped before it had answered. If it had been sent, it may have run. !",
				"note note stopped The person stopped the turn here."}},
		{"an approval", []scripted.Turn{says(calls("mcp__demo__echo", "{}"))},
			func(d *desk) { d.item(model.ItemApproval) },
			[]string{"user text Go", "assistant tool_use mcp__demo__echo", "tool tool_result mcp__demo__echo The call was stopped before it had answered. If it had been sent, it may have run. !",
				"note note stopped The person stopped the turn here."}},
		{"a question", []scripted.Turn{says(calls("ask_user", `{"question":"Which?"}`))},
			func(d *desk) { d.item(model.ItemQuestion) },
			[]string{"user text Go", "assistant tool_use ask_user", "tool tool_result ask_user It was stopped by the person before it was done. !",
				"note note stopped The person stopped the turn here."}},
		{"a sub-agent", []scripted.Turn{says(calls("dispatch_agent", `{"agent":"researcher","task":"look"}`)), says(words("Hm"), scripted.Pause{Until: never})},
			func(d *desk) { await(d, func(e model.MessageDelta) bool { return e.Text == "Hm" }) },
			[]string{"user text Go", "assistant tool_use dispatch_agent", "tool tool_result dispatch_agent The agent was stopped before it was done. !",
				"note note stopped The person stopped the turn here."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, c.turns...)
			d.calls.asks = map[string]bool{"echo": true}
			chat := d.chat("demo")
			d.send(chat, "Go")
			c.ready(d)
			began := time.Now()
			if err := d.Stop(t.Context(), chat); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			if e := d.ended(chat); e.State != turnStopped {
				t.Errorf("the turn ended %s", e.State)
			}
			if got := d.story(chat); !slices.Equal(got, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
			if open := d.inbox.Open(); len(open) > 0 {
				t.Errorf("still in the inbox: %+v", open)
			}
			frames, err := d.store.Frames(t.Context(), chat)
			if err != nil || len(frames) > 1 && frames[1].State != model.FrameStopped {
				t.Errorf("frames %+v, %v", frames, err)
			}
			if e := d.say(chat, "Again"); e.State != turnDone {
				t.Errorf("the next turn ended %s: %v", e.State, e.Error)
			}
		})
	}
}

// until polls for what nobody tells.
func until(d *desk, holds func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatal("it never came")
		}
	}
}

func TestDeleteStopsTheTurnFirst(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(calls("mcp__demo__slow", "{}")))
	chat := d.chat("demo")
	d.send(chat, "Go")
	until(d, func() bool { return d.calls.sends() == 1 })
	if err := d.Delete(t.Context(), chat); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get(t.Context(), chat); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("got %v", err)
	}
	await(d, func(e model.ChatRemoved) bool { return e.ID == chat })
	calls, _, err := d.store.ListCalls(t.Context(), listAll())
	if err != nil || len(calls) != 1 || calls[0].State != model.CallCancelled {
		t.Errorf("got %+v, %v", calls, err)
	}
}

func TestStopEndsATurnThatNobodyRuns(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chat := d.chat()
	if err := d.update(t.Context(), chat, func(c *model.ChatSession) { c.TurnID = "lost" }); err != nil {
		t.Fatal(err)
	}
	if err := d.Stop(t.Context(), chat); err != nil {
		t.Fatal(err)
	}
	if v, err := d.Get(t.Context(), chat); err != nil || v.State != model.ChatIdle {
		t.Errorf("got %s, %v", v.State, err)
	}
	if err := d.Stop(t.Context(), "none"); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("got %v", err)
	}
}
