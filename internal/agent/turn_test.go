package agent

import (
	"slices"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestATurnFromAMessageToItsEnd(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(words("Let me load it."), calls("activate_tools", `{"groups":["demo"]}`)),
		says(calls("mcp__demo__echo", `{"text":"hi"}`), calls("mcp__demo__add", `{"n":"2"}`)),
		says(words("Done.")),
	)
	chat := d.chat()
	if e := d.say(chat, "Say hi"); e.State != turnDone || e.Error != nil {
		t.Fatalf("the turn ended %s: %v", e.State, e.Error)
	}
	got := d.story(chat)
	// Calls that run side by side end in any order.
	slices.Sort(got[6:8])
	want := []string{
		"user text Say hi",
		"assistant text Let me load it.",
		"assistant tool_use activate_tools",
		"tool tool_result activate_tools demo: activated: 4 tools can be called from now on: mcp__demo__echo, mcp__demo__add, mcp__demo__slow, mcp__demo__picture",
		"assistant tool_use mcp__demo__echo",
		"assistant tool_use mcp__demo__add",
		`tool tool_result mcp__demo__add add {"n":2}`,
		`tool tool_result mcp__demo__echo echo {"text":"hi"}`,
		"assistant text Done.",
	}
	slices.Sort(want[6:8])
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	v, err := d.Get(t.Context(), chat)
	if err != nil || v.State != model.ChatIdle || v.Title != "Say hi" || v.ContextUsed == 0 || v.TurnID != "" {
		t.Errorf("got %+v, %v", v, err)
	}
	if !slices.ContainsFunc(v.Groups, func(g model.ToolGroup) bool { return g.Name == "demo" && g.Active && g.Tokens == 40 }) {
		t.Errorf("the group isn't on: %+v", v.Groups)
	}
	if n := len(d.requests()[0].Tools); n != 6 {
		t.Errorf("the first request had %d tools, want the built-in 6", n)
	}
}
