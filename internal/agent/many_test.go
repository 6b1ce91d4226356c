package agent

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

// Fifty chats at a time, each with calls side by side, an approval and a sub-agent.
func TestFiftyTurnsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.calls.asks = map[string]bool{"add": true}
	var script []scripted.Turn
	for i := range 50 {
		mark := fmt.Sprintf("chat-%02d.", i)
		script = append(script,
			scripted.Turn{When: "begin " + mark, Steps: []scripted.Step{
				calls(echo, `{"text":"`+mark+`"}`), calls("mcp__demo__add", `{}`),
				calls("dispatch_agent", `{"agent":"researcher","task":"help `+mark+`"}`)}},
			scripted.Turn{When: "help " + mark, Steps: []scripted.Step{words("sub " + mark)}},
			scripted.Turn{When: "sub " + mark, Steps: []scripted.Step{words("end " + mark)}},
		)
	}
	d.models.play(scripted.New(scripted.Script{Turns: script}))
	var approving sync.WaitGroup
	approving.Go(func() {
		for range 50 {
			d.answer(d.item(model.ItemApproval).ID, model.Answer{Action: model.ActionAccept})
		}
	})
	var chats []string
	for i := range 50 {
		chats = append(chats, d.chat("demo"))
		d.send(chats[i], fmt.Sprintf("begin chat-%02d.", i))
	}
	for i, chat := range chats {
		if e := d.ended(chat); e.State != turnDone {
			t.Errorf("chat %d ended %s: %v", i, e.State, e.Error)
		}
		story := d.story(chat)
		if want := fmt.Sprintf("assistant text end chat-%02d.", i); len(story) != 8 || !slices.Contains(story, want) {
			t.Errorf("chat %d: %q", i, story)
		}
	}
	approving.Wait()
	if n := d.calls.sends(); n != 100 {
		t.Errorf("%d calls were sent, want 100", n)
	}
}
