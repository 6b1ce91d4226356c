package agent

import (
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

func TestRecover(t *testing.T) {
	t.Parallel()
	for _, c := range crashes() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before := newDesk(t)
			chat := before.chat("demo")
			c.plant(t, before, chat)
			before.down()

			d := reopen(t, before.path, says(words("Over.")))
			d.calls.asks = map[string]bool{"echo": true}
			if err := d.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, item := range d.inbox.Open() {
				d.answer(item.ID, c.answers[item.Kind])
			}
			if e := d.ended(chat); e.State != c.state {
				t.Errorf("the turn ended %s, want %s: %v", e.State, c.state, e.Error)
			}
			got := d.story(chat)
			settle(got)
			settle(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if v, err := d.Get(t.Context(), chat); err != nil || v.State != model.ChatIdle || v.TurnID != "" {
				t.Errorf("got %+v, %v", v, err)
			}
			d.loud(t, chat)
		})
	}
}

// settle puts results that stand side by side in one order: they came in any.
func settle(story []string) {
	for i := 0; i < len(story); i++ {
		j := i
		for j < len(story) && strings.HasPrefix(story[j], "tool ") {
			j++
		}
		slices.Sort(story[i:j])
		i = max(i, j-1)
	}
}

// loud checks that a chat goes on after whatever happened: a provider would take its
// conversation.
func (d *desk) loud(t *testing.T, chat string) {
	t.Helper()
	if e := d.say(chat, "More"); e.State != turnDone {
		t.Fatalf("the next turn ended %s: %v", e.State, e.Error)
	}
	requests := d.requests()
	open := map[string]bool{}
	for _, m := range requests[len(requests)-1].Messages {
		for _, id := range asked(m) {
			open[id] = true
		}
		for _, id := range given(m) {
			if !open[id] {
				t.Errorf("a result of nothing: %s", id)
			}
			delete(open, id)
		}
		if len(open) > 0 && m.Role == "user" {
			t.Errorf("calls without a result: %v", open)
		}
	}
}

// What was begun with the service's own shutdown goes on as after a crash.
func TestAShutdownLeavesWhatWaits(t *testing.T) {
	t.Parallel()
	before := newDesk(t, says(calls(echo, `{"text":"x"}`), calls("ask_user", `{"question":"Which?"}`)))
	before.calls.asks = map[string]bool{"echo": true}
	chat := before.chat("demo")
	before.send(chat, "Go")
	before.item(model.ItemApproval)
	before.item(model.ItemQuestion)
	before.down()
	if got, want := strings.Join(before.story(chat), "; "), "user text Go; assistant tool_use mcp__demo__echo; assistant tool_use ask_user"; got != want {
		t.Errorf("the shutdown left %s", got)
	}

	d := reopen(t, before.path, says(words("Over.")))
	d.calls.asks = before.calls.asks
	if err := d.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := d.Get(t.Context(), chat)
	if err != nil || v.State != model.ChatWaiting || v.Waiting != 2 {
		t.Fatalf("got %s with %d, %v", v.State, v.Waiting, err)
	}
	for _, item := range d.inbox.Open() {
		d.answer(item.ID, model.Answer{Action: model.ActionAccept, Text: "Blue"})
	}
	if e := d.ended(chat); e.State != turnDone {
		t.Errorf("the turn ended %s", e.State)
	}
	if n := d.calls.sends(); n != 1 {
		t.Errorf("%d calls were sent, want 1", n)
	}
}

// A turn that the person stopped in the last moment before a crash stays stopped.
func TestWhatWasTakenBackDoesNotGoOn(t *testing.T) {
	t.Parallel()
	for kind, use := range map[model.ItemKind]scripted.Step{
		model.ItemApproval: calls(echo, `{"text":"x"}`), model.ItemQuestion: calls("ask_user", `{"question":"Which?"}`),
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			before := newDesk(t, says(use))
			before.calls.asks = map[string]bool{"echo": true}
			chat := before.chat("demo")
			before.send(chat, "Go")
			item := before.item(kind)
			before.down()
			if _, err := before.store.ResolveItem(t.Context(), item.ID, model.Resolution{Action: model.ActionCancel, By: inbox.ByCallEnd}); err != nil {
				t.Fatal(err)
			}
			d := reopen(t, before.path)
			d.calls.asks = before.calls.asks
			if err := d.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			if e := d.ended(chat); e.State != turnInterrupted || len(d.requests()) != 0 || d.calls.sends() != 0 {
				t.Errorf("the turn ended %s, %d requests", e.State, len(d.requests()))
			}
			d.loud(t, chat)
		})
	}
}

func TestAShutdownEndsWhatIsWritten(t *testing.T) {
	t.Parallel()
	before := newDesk(t, says(words("Half"), scripted.Pause{Until: make(chan struct{})}))
	chat := before.chat()
	before.send(chat, "Go")
	await(before, func(model.MessageDelta) bool { return true })
	before.down()
	if _, err := before.Send(t.Context(), chat, model.Sending{Text: "More"}); err == nil {
		t.Error("a message was taken after the end")
	}
	d := reopen(t, before.path, says(words("Whole")))
	if err := d.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e := d.ended(chat); e.State != turnInterrupted {
		t.Errorf("the turn ended %s", e.State)
	}
	if _, err := d.Retry(t.Context(), chat); err != nil {
		t.Fatal(err)
	}
	d.ended(chat)
	got := d.story(chat)
	if got[len(got)-1] != "assistant text Whole" {
		t.Errorf("got %q", got)
	}
}
