package agent

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

// crash is a database as a Kontor left it that was killed in a turn: what the rows
// hold, and what is to come of it.
type crash struct {
	name string
	rows []model.ChatMessage
	// frames are sub-agents', with their own rows by frame.
	frames []model.Frame
	calls  []model.Call
	items  []model.Item
	// answers are given to the open items by their kind.
	answers map[model.ItemKind]model.Answer
	state   string
	want    []string
}

func userRow(text string) model.ChatMessage {
	return model.ChatMessage{Role: model.RoleUser, Parts: []model.ChatPart{{Kind: model.PartText, Text: text}}}
}

func usesRow(parts ...model.ChatPart) model.ChatMessage {
	for i := range parts {
		parts[i].Kind, parts[i].Arguments = model.PartToolUse, json.RawMessage("{}")
	}
	return model.ChatMessage{Role: model.RoleAssistant, Finish: "tools", Parts: parts}
}

func callRow(id string, state model.CallState) model.Call {
	c := model.Call{ID: id, Server: "demo", Tool: "echo", Arguments: json.RawMessage("{}"), State: state, Asker: model.Asker{Kind: "agent"}}
	if !state.Open() {
		c.Result = model.Result{Type: model.ResultString, Text: "kept"}
	}
	return c
}

func approvalItem(callID string) model.Item {
	return model.Item{Kind: model.ItemApproval, CallID: callID, Approval: &model.Approval{Name: "mcp__demo__echo", Arguments: json.RawMessage("{}")}}
}

const echo = "mcp__demo__echo"

func crashes() []crash {
	restarted := "note note restarted Kontor was restarted. The turn goes on once the person has answered what waits for them."
	interrupted := "note note interrupted Kontor was restarted, and the turn ended here. What had not been answered by then was not done."
	yes := map[model.ItemKind]model.Answer{model.ItemApproval: {Action: model.ActionAccept}}
	return []crash{
		{name: "before the first answer", rows: []model.ChatMessage{userRow("Go")}, state: turnInterrupted,
			want: []string{"user text Go", interrupted}},
		{name: "the answer is there, the call has no row", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"})},
			want: []string{"user text Go", "assistant tool_use " + echo, "tool tool_result " + echo + " " + wasNotRun + " !", interrupted}},
		{name: "the call was sent", state: turnInterrupted,
			rows:  []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"})},
			calls: []model.Call{callRow("c1", model.CallUnknown)},
			want: []string{"user text Go", "assistant tool_use " + echo,
				"tool tool_result " + echo + " Nobody knows whether the tool ran: don't call it again before you have found out, or asked. !", interrupted}},
		{name: "the call is done, its result isn't a message yet", state: turnInterrupted,
			rows:  []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"})},
			calls: []model.Call{callRow("c1", model.CallDone)},
			want:  []string{"user text Go", "assistant tool_use " + echo, "tool tool_result " + echo + " kept", interrupted}},
		{name: "a built-in tool had no result", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: toolSearch})},
			want: []string{"user text Go", "assistant tool_use search_tools", "tool tool_result search_tools " + wasLost + " !", interrupted}},
		{name: "an approval waits, beside a call that is done", state: turnDone, answers: yes,
			rows: []model.ChatMessage{userRow("Go"), usesRow(
				model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"}, model.ChatPart{UseID: "u2", Name: "mcp__demo__add", CallID: "c2"})},
			calls: []model.Call{callRow("c1", model.CallWaitingApproval), callRow("c2", model.CallDone)},
			items: []model.Item{approvalItem("c1")},
			want: []string{"user text Go", "assistant tool_use " + echo, "assistant tool_use mcp__demo__add", restarted,
				"tool tool_result mcp__demo__add kept", "tool tool_result " + echo + " echo {}", "assistant text Over."}},
		{name: "an approval is rejected after the restart", state: turnDone,
			answers: map[model.ItemKind]model.Answer{model.ItemApproval: {Action: model.ActionDecline, Note: "Not today"}},
			rows:    []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"})},
			calls:   []model.Call{callRow("c1", model.CallWaitingApproval)},
			items:   []model.Item{approvalItem("c1")},
			want: []string{"user text Go", "assistant tool_use " + echo, restarted,
				"tool tool_result " + echo + " The person rejected this call: it was not run. Not today. !", "assistant text Over."}},
		{name: "an approval was answered, and nothing done yet", state: turnDone,
			rows:  []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"})},
			calls: []model.Call{callRow("c1", model.CallWaitingApproval)},
			items: []model.Item{resolved(approvalItem("c1"), model.Resolution{Action: model.ActionAccept})},
			want:  []string{"user text Go", "assistant tool_use " + echo, restarted, "tool tool_result " + echo + " echo {}", "assistant text Over."}},
		{name: "a question waits", state: turnDone,
			answers: map[model.ItemKind]model.Answer{model.ItemQuestion: {Action: model.ActionAccept, Text: "Blue"}},
			rows:    []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "q1", Name: toolAsk})},
			items:   []model.Item{{Kind: model.ItemQuestion, CallID: "q1", Message: "Which?", Question: &model.Question{}}},
			want:    []string{"user text Go", "assistant tool_use ask_user", restarted, "tool tool_result ask_user The person answered: Blue", "assistant text Over."}},
		{name: "a question was answered, and the answer isn't a message yet", state: turnDone,
			rows:  []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "q1", Name: toolAsk})},
			items: []model.Item{resolved(model.Item{Kind: model.ItemQuestion, CallID: "q1", Question: &model.Question{}}, model.Resolution{Action: model.ActionAccept, Text: "Red"})},
			want:  []string{"user text Go", "assistant tool_use ask_user", restarted, "tool tool_result ask_user The person answered: Red", "assistant text Over."}},
		{name: "a question had not been asked", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "q1", Name: toolAsk})},
			want: []string{"user text Go", "assistant tool_use ask_user", "tool tool_result ask_user " + wasNotRun + " !", interrupted}},
		{name: "a sub-agent's call waits", state: turnDone, answers: yes,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: toolDispatch, FrameID: "f1"}),
				within1(userRow("Do it")), within1(usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"}))},
			frames: []model.Frame{{ID: "f1", UseID: "u1", Agent: "researcher", Depth: 1, State: model.FrameOpen}},
			calls:  []model.Call{callRow("c1", model.CallWaitingApproval)},
			items:  []model.Item{approvalItem("c1")},
			want: []string{"user text Go", "assistant tool_use dispatch_agent", restarted,
				"tool tool_result dispatch_agent Over.", "assistant text The script has no answer to this."}},
		{name: "a sub-agent worked", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: toolDispatch, FrameID: "f1"}),
				within1(userRow("Do it")), within1(usesRow(model.ChatPart{UseID: "u1", Name: echo, CallID: "c1"}))},
			frames: []model.Frame{{ID: "f1", UseID: "u1", Agent: "researcher", Depth: 1, State: model.FrameOpen}},
			calls:  []model.Call{callRow("c1", model.CallUnknown)},
			want:   []string{"user text Go", "assistant tool_use dispatch_agent", "tool tool_result dispatch_agent " + wasCut + " !", interrupted}},
		{name: "a sub-agent has ended, its answer isn't a message yet", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: toolDispatch, FrameID: "f1"}),
				within1(userRow("Do it")), within1(model.ChatMessage{Role: model.RoleAssistant, Finish: "stop", Parts: []model.ChatPart{{Kind: model.PartText, Text: "Found"}}})},
			frames: []model.Frame{{ID: "f1", UseID: "u1", Agent: "researcher", Depth: 1, State: model.FrameDone}},
			want:   []string{"user text Go", "assistant tool_use dispatch_agent", "tool tool_result dispatch_agent Found", interrupted}},
		{name: "a sub-agent had not begun", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), usesRow(model.ChatPart{UseID: "u1", Name: toolDispatch, FrameID: "f1"})},
			want: []string{"user text Go", "assistant tool_use dispatch_agent", "tool tool_result dispatch_agent " + wasNotRun + " !", interrupted}},
		{name: "the last answer is there, the end of the turn isn't", state: turnDone,
			rows: []model.ChatMessage{userRow("Go"), {Role: model.RoleAssistant, Finish: "stop", Parts: []model.ChatPart{{Kind: model.PartText, Text: "Bye"}}}},
			want: []string{"user text Go", "assistant text Bye"}},
		{name: "a message came after the last answer", state: turnInterrupted,
			rows: []model.ChatMessage{userRow("Go"), {Role: model.RoleAssistant, Finish: "stop", Parts: []model.ChatPart{{Kind: model.PartText, Text: "Bye"}}}, userRow("Wait")},
			want: []string{"user text Go", "assistant text Bye", "user text Wait", interrupted}},
	}
}

func resolved(i model.Item, r model.Resolution) model.Item {
	r.By, r.At = "you", time.Now()
	i.Resolution = &r
	return i
}

func within1(m model.ChatMessage) model.ChatMessage {
	m.FrameID = "f1"
	return m
}

// plant writes a crash into a database.
func (c crash) plant(t *testing.T, d *desk, chat string) {
	t.Helper()
	ctx := context.Background()
	_, root, err := d.root(ctx, chat)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	must(d.update(ctx, chat, func(s *model.ChatSession) { s.TurnID = "t1" }))
	for _, f := range c.frames {
		state := f.State
		f.SessionID, f.ParentID, f.State = chat, root.ID, model.FrameOpen
		must(d.store.InsertFrame(ctx, f))
		f.State = state
		must(d.store.UpdateFrame(ctx, f))
	}
	for _, m := range c.rows {
		m.ID, m.SessionID, m.TurnID, m.CreatedAt = newID(), chat, "t1", now()
		if m.FrameID == "" {
			m.FrameID, m.Root = root.ID, true
		}
		must(d.store.InsertMessage(ctx, m))
	}
	for _, call := range c.calls {
		state := call.State
		call.SessionID, call.StartedAt, call.State = chat, now(), model.CallRunning
		if state == model.CallWaitingApproval {
			call.State = state
		}
		must(d.store.InsertCall(ctx, call))
		if !state.Open() {
			call.State, call.EndedAt = state, now()
			must(d.store.FinishCall(ctx, call))
		}
	}
	for _, i := range c.items {
		i.ID, i.SessionID, i.CreatedAt = newID(), chat, now()
		must(d.store.InsertItem(ctx, i))
		if i.Resolution != nil {
			_, err := d.store.ResolveItem(ctx, i.ID, *i.Resolution)
			must(err)
		}
	}
}
