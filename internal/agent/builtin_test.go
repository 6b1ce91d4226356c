package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestBuiltInTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, arguments, want string
		answer                *model.Answer
	}{
		{toolSearch, `{"query":"ech"}`, "- mcp__demo__echo (active): echo does it", nil},
		{toolSearch, `{"query":"nothing"}`, `No tool fits "nothing". Try other words, or fewer.`, nil},
		{toolAsk, `{"question":"Which?","suggestions":["a","b"]}`, "The person answered: a", &model.Answer{Action: model.ActionAccept, Text: "a"}},
		{toolAsk, `{"question":"Which?"}`, "The person doesn't want to answer this. !", &model.Answer{Action: model.ActionDecline}},
		{toolAsk, `{"question":" "}`, "The question is empty; nobody was asked. !", nil},
		{toolNotify, `{"title":"Done","message":"All of it"}`, "The notice is in the person's inbox.", nil},
		{toolNotify, `{"title":""}`, "The notice is empty; nobody was told. !", nil},
		{toolResource, `{"server":"demo","uri":"x:1"}`, "contents of x:1", nil},
		{toolResource, `{"server":"dmo","uri":"x:1"}`, `There is no server "dmo". Near: demo. !`, nil},
		{toolPrompt, `{"server":"demo","name":"greet","arguments":{"who":"me"}}`, `user: greet {"who":"me"}`, nil},
		{toolPrompt, `{"server":"config","name":"greet"}`, `The group "config" isn't active: call activate_tools first. !`, nil},
		{toolReadResult, `{"id":"none"}`, `There is no result "none" in this chat. !`, nil},
		{toolDispatch, `{"agent":"reseacher","task":"x"}`, `There is no agent "reseacher". Near: researcher. !`, nil},
		{toolDispatch, `{"agent":"researcher","task":""}`, "The task is empty; nothing was done. !", nil},
		{toolActivate, `{"group":"demo"}`, `The arguments don't fit activate_tools: json: unknown field "group". It was not run. !`, nil},
		{toolActivate, `{"groups":`, "The arguments of this call end too early, after 10 bytes: …{\"groups\":. It was not run. Call the tool again with complete arguments, or with less in them. !", nil},
		{"mcp__demo__ecko", `{}`, `There is no tool "mcp__demo__ecko"; nothing was run. Near: mcp__demo__echo. !`, nil},
		{"mcp__demo__nope", `{}`, `There is no tool "mcp__demo__nope"; nothing was run. !`, nil},
	} {
		t.Run(c.name+c.arguments, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, says(calls(c.name, c.arguments)), says(words("ok")))
			chat := d.chat("demo")
			d.send(chat, "Go")
			if c.answer != nil {
				d.answer(d.item(model.ItemQuestion).ID, *c.answer)
			}
			if e := d.ended(chat); e.State != turnDone {
				t.Fatalf("the turn ended %s: %v", e.State, e.Error)
			}
			if got, want := d.story(chat)[2], "tool tool_result "+c.name+" "+c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestALongResultIsReadOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	long := strings.Repeat("0123 56789", 10<<10)
	r, err := d.cut(long)
	if err != nil || r.cut == nil || r.cut.Total != len(long) || len(r.text) > 33<<10 {
		t.Fatalf("got %d bytes, %+v, %v", len(r.text), r.cut, err)
	}
	_, after, ok := strings.Cut(r.text, `read_result(id: "`)
	id, _, ok2 := strings.Cut(after, `"`)
	if !ok || !ok2 {
		t.Fatal("the cut names no id")
	}
	call, err := d.kept(t.Context(), "any", id)
	if err != nil || call.Result.Text != long {
		t.Errorf("got %d bytes, %v", len(call.Result.Text), err)
	}
}

func TestASubAgentHasItsOwnTranscriptAndGrants(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(calls("dispatch_agent", `{"agent":"researcher","task":"find it"}`)),
		says(calls("mcp__demo__echo", "{}"), calls("activate_tools", `{"groups":["demo"]}`)),
		says(calls("mcp__demo__echo", `{"text":"x"}`)),
		says(words("It is x.")),
		says(words("Thanks.")),
	)
	chat := d.chat("demo")
	if e := d.say(chat, "Go"); e.State != turnDone {
		t.Fatalf("the turn ended %s: %v", e.State, e.Error)
	}
	want := "user text Go; assistant tool_use dispatch_agent; tool tool_result dispatch_agent It is x.; assistant text Thanks."
	if got := strings.Join(d.story(chat), "; "); got != want {
		t.Errorf("got %s", got)
	}
	frames, err := d.store.Frames(t.Context(), chat)
	if err != nil || len(frames) != 2 || frames[1].State != model.FrameDone || frames[1].Depth != 1 {
		t.Fatalf("got %+v, %v", frames, err)
	}
	rows, _, err := d.Messages(t.Context(), model.MessageFilter{SessionID: chat, FrameID: frames[1].ID, Limit: 50})
	if err != nil || len(rows) != 7 || rows[0].Root {
		t.Errorf("its transcript has %d messages, %v", len(rows), err)
	}
	requests := d.requests()
	if got := brief(requests[1].Messages); len(got) != 1 || got[0] != "user: find it" {
		t.Errorf("it was told %q", got)
	}
	if got := brief(requests[2].Messages)[2]; !strings.Contains(got, `its group "demo" isn't active`) {
		t.Errorf("it began with the grants of another: %s", got)
	}
	if granted, err := d.store.Grants(t.Context(), frames[1]); err != nil || len(granted) > 0 {
		t.Errorf("its grants outlived it: %v, %v", granted, err)
	}
	calls, _, err := d.store.ListCalls(t.Context(), listAll())
	if err != nil || len(calls) != 1 || calls[0].Asker.Kind != "subagent" || calls[0].Agent != "researcher" {
		t.Errorf("got %+v, %v", calls, err)
	}
}

func TestAgentsGoSoDeepAndNoFurther(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := &work{t: &turn{s: d.Service}, frame: model.Frame{Depth: maxDepth}}
	for _, b := range builtins(w, nil) {
		if b.name == toolDispatch {
			t.Error("an agent at the greatest depth may dispatch another")
		}
	}
}

// An agent of the data folder, with limits of its own; what it dispatches has no more.
func TestAnAgentMayUseItsGroupsOnly(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(calls("dispatch_agent", `{"agent":"researcher","task":"x"}`)),
		says(calls("activate_tools", `{"groups":["demo"]}`)), says(words("no")), says(words("no")))
	dir := filepath.Join(filepath.Dir(d.path), "agents", "narrow")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: Narrow\ndescription: x\ngroups: [config]\n---\nYou are narrow."
	if err := os.WriteFile(filepath.Join(dir, "AGENT.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := d.Create(t.Context(), model.ChatSession{Agent: "narrow"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.SetGrants(t.Context(), v.ID, []string{"demo"}); model.CodeOf(err) != model.CodeDenied {
		t.Errorf("got %v", err)
	}
	d.say(v.ID, "Go")
	if got := brief(d.requests()[2].Messages)[2]; !strings.Contains(got, "demo: not_allowed") {
		t.Errorf("its sub-agent got %s", got)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Send(t.Context(), v.ID, model.Sending{Text: "Still there?"}); model.CodeOf(err) != model.CodeInvalid {
		t.Errorf("a chat whose agent is gone: %v", err)
	}
	title := "Renamed"
	if _, err := d.Change(t.Context(), v.ID, model.ChatChange{Title: &title}); err != nil {
		t.Errorf("it can't be renamed: %v", err)
	}
}

func TestACallThatWaitsMakesTheChatWait(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(calls("ask_user", `{"question":"Which?"}`)), says(words("ok")))
	chat := d.chat()
	d.send(chat, "Go")
	waits := await(d, func(e model.ChatChanged) bool { return e.Chat.State == model.ChatWaiting })
	if waits.Chat.Waiting != 1 {
		t.Errorf("got %d", waits.Chat.Waiting)
	}
	d.answer(d.item(model.ItemQuestion).ID, model.Answer{Action: model.ActionAccept, Text: "a"})
	await(d, func(e model.ChatChanged) bool { return e.Chat.State == model.ChatIdle && e.Chat.ContextUsed > 0 })
}

func TestArgumentsThatWereCutAreNotRun(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(calls("mcp__demo__echo", `{"text": "x`)), says(words("ok")))
	chat := d.chat("demo")
	d.say(chat, "Go")
	if n := d.calls.sends(); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
	row := d.rows(chat)[2]
	if !row.Parts[0].IsError || !strings.Contains(row.Parts[0].Text, "end too early") {
		t.Errorf("got %+v", row.Parts[0])
	}
}
