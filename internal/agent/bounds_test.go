package agent

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

// A model that is out of its mind, or is made to be, costs a bounded amount.
func TestAnAnswerAsksForSoManyCallsAtMost(t *testing.T) {
	t.Parallel()
	var steps []scripted.Step
	for i := range maxUses + 2 {
		steps = append(steps, scripted.Call{ID: fmt.Sprint("u", i), Name: "mcp__demo__echo", Arguments: "{}"})
	}
	d := newDesk(t, says(steps...), says(words("ok")))
	chat := d.chat("demo")
	if e := d.say(chat, "Go"); e.State != turnDone || d.calls.sends() != maxUses {
		t.Errorf("the turn ended %s, %d calls were sent", e.State, d.calls.sends())
	}
	last := brief(d.requests()[1].Messages)
	if got := last[len(last)-1]; got != "user: [Kontor] The answer asked for 130 calls at once. The first 128 count; the others were not run." {
		t.Errorf("the model reads %s", got)
	}
}

func TestATurnDispatchesSoManyAgentsAtMost(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chat := d.chat()
	_, root, err := d.root(t.Context(), chat)
	if err != nil {
		t.Fatal(err)
	}
	w := &work{t: &turn{s: d.Service, root: root}, frame: root, agent: d.agent("")}
	w.t.dispatched.Store(maxDispatched)
	r, err := w.dispatch(t.Context(), model.ChatPart{FrameID: newID()}, "researcher", "look")
	if err != nil || !r.isError || !strings.Contains(r.text, "64 agents were dispatched") {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestAnInboxIsNotFlooded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxSaid+1)
	var steps []scripted.Step
	for i := range maxNotices + 2 {
		steps = append(steps, scripted.Call{ID: fmt.Sprint("u", i), Name: toolNotify, Arguments: `{"title":"Look"}`})
	}
	d := newDesk(t, says(steps...), says(calls(toolNotify, `{"title":"`+long+`"}`), calls(toolAsk, `{"question":"a","suggestions":["`+long+`"]}`)), says(words("ok")))
	chat := d.chat()
	d.say(chat, "Go")
	if got := d.notices(chat); got != maxNotices {
		t.Errorf("%d notices", got)
	}
	story := strings.Join(d.story(chat), "\n")
	for _, want := range []string{"20 notices of this chat", "The notice is longer than 8 KiB", "The question is longer than 8 KiB"} {
		if !strings.Contains(story, want) {
			t.Errorf("nothing says %q", want)
		}
	}
}

// Why a server can't be reached may be in the server's own words.
func TestWhyAServerCantBeReachedIsBounded(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.servers.list[0].Status.State = model.ServerFailed
	d.servers.reach = map[string]error{"demo": errors.New("\u202e" + strings.Repeat("x", 2*maxReason))}
	groups := d.groups(d.agent(""), nil)
	g, _ := find(groups, "demo")
	if state, why := d.activated(t.Context(), g); state != "unavailable" || !strings.HasPrefix(why, "‹U+202E›x") || len(why) > maxReason+20 {
		t.Errorf("%s: %d bytes: %.20s", state, len(why), why)
	}
}

func TestAPromptHasSoManyMessagesAtMost(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, err := d.Send(t.Context(), d.chat(), model.Sending{Attachments: []model.Attachment{{Kind: "prompt", Server: "demo", Name: "endless"}}})
	if model.CodeOf(err) != model.CodeTooLarge || err == nil {
		t.Errorf("got %v", err)
	}
}
