package app_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

func TestTheDemosScriptShowsAChat(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, withDemo)
	k.Until("the demo server", ready(k))
	id := chat(t, k, "")
	n := listen(t, k)
	send(t, k, id, map[string]any{"text": "Please show me!"})
	asked := 0
	var all []event
	for len(all) == 0 || !ended(all[len(all)-1]) {
		all = append(all, n.until(func(e event) bool { return ended(e) || e.Type == "item_added" })...)
		switch e := all[len(all)-1]; e.Item.Kind {
		case model.ItemApproval:
			asked++
			if status := k.Do("POST", "/api/inbox/approvals/"+e.Item.ID+"/resolve", map[string]string{"action": "approve", "scope": "once"}, nil); status != 200 {
				t.Fatalf("approve %s: %d", e.Item.Tool, status)
			}
		case model.ItemElicitation:
			if status := k.Do("POST", "/api/inbox/elicitations/"+e.Item.ID+"/resolve", map[string]string{"action": "decline"}, nil); status != 200 {
				t.Fatalf("decline: %d", status)
			}
		}
	}
	if end := all[len(all)-1]; end.State != "done" || asked != 4 {
		t.Fatalf("ended as %q after %d approvals", end.State, asked)
	}
	var said, tools []string
	for _, m := range messages(k, id, "").Items {
		for _, p := range m.Parts {
			switch {
			case p.Kind == model.PartText && m.Role == model.RoleAssistant:
				said = append(said, p.Text)
			case p.Kind == model.PartToolUse:
				tools = append(tools, p.Name)
			}
		}
	}
	slices.Sort(tools)
	want := []string{"activate_tools", "dispatch_agent", "mcp__demo__ask_form", "mcp__demo__picture", "mcp__demo__sum", "mcp__demo__table"}
	if !slices.Equal(tools, want) || !strings.HasPrefix(said[0], "That was all.") {
		t.Errorf("ran %q and ended with %q", tools, said[0])
	}
	var s wire.SessionDetail
	if k.Do("GET", "/api/sessions/"+id, nil, &s); s.State != model.ChatIdle || len(s.Frames) != 1 || s.Frames[0].State != model.FrameDone || s.Title != "Please show me!" {
		t.Errorf("the chat: %+v", s)
	}
	if sub := messages(k, id, "?frame_id="+s.Frames[0].ID); len(sub.Items) != 2 {
		t.Errorf("the sub-agent said %+v", sub.Items)
	}
}

func TestATurnIsToldInItsOrder(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	id := chat(t, k, "slow 60ms\nturn\nsay One two three.")
	n := listen(t, k)
	send(t, k, id, map[string]any{"text": "hello"})
	got := kinds(n.until(func(e event) bool {
		return e.Type == "session_changed" && e.Session.State == model.ChatIdle && len(e.Session.Title) > 0 && e.Session.TurnID == ""
	}))
	order := []string{"message_done", "turn_started", "message_delta", "message_done", "turn_done"}
	at := 0
	for _, kind := range got {
		if at < len(order) && kind == order[at] {
			at++
		}
	}
	if at < len(order) {
		t.Errorf("got %v, want %v among them in this order", got, order)
	}
}

func TestChatsOverTheAPI(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	id := chat(t, k, "loop\nturn\nsay An answer about Zürich.")
	n := listen(t, k)
	for range 3 {
		send(t, k, id, map[string]any{"text": "A question"})
		n.until(ended)
	}
	first := messages(k, id, "?limit=4")
	if len(first.Items) != 4 || first.Next == nil || first.Items[0].Role != model.RoleAssistant {
		t.Fatalf("the first page: %+v", first)
	}
	second := messages(k, id, "?limit=4&cursor="+*first.Next)
	if len(second.Items) != 2 || second.Next != nil || second.Items[0].ID >= first.Items[3].ID {
		t.Errorf("the second page: %+v", second)
	}
	var s wire.SessionDetail
	k.Do("PATCH", "/api/sessions/"+id, map[string]string{"title": "A title of mine"}, &s)
	for query, want := range map[string]int{"": 1, "zurich": 1, "title+mine": 1, "nothing": 0} {
		var list wire.List[wire.Session]
		if k.Do("GET", "/api/sessions?query="+query, nil, &list); len(list.Items) != want {
			t.Errorf("query %q: %d chats, want %d", query, len(list.Items), want)
		}
	}
	if status, body, name := get(t, k, "/api/sessions/"+id+"/export"); status != 200 || !strings.Contains(name, "A title of mine.md") || strings.Count(body, "Zürich") != 3 {
		t.Errorf("export: %d %s %s", status, name, body)
	}
	for _, c := range []struct {
		method, path string
		body         any
		want         int
	}{
		{"GET", "/api/sessions/nobody", nil, 404}, {"GET", "/api/sessions/nobody/messages", nil, 404},
		{"POST", "/api/sessions/nobody/messages", map[string]string{"text": "x"}, 404},
		{"GET", "/api/sessions/" + id + "/messages?frame_id=nobody", nil, 404},
		{"POST", "/api/sessions/" + id + "/messages", map[string]string{"text": " "}, 422},
		{"PATCH", "/api/sessions/" + id, map[string]string{"model": "nobody"}, 404},
		{"POST", "/api/sessions", map[string]string{"agent": "nobody"}, 404},
		{"POST", "/api/sessions/" + id + "/stop", nil, 204},
		{"DELETE", "/api/sessions/" + id, nil, 204}, {"GET", "/api/sessions/" + id, nil, 404}, {"DELETE", "/api/sessions/" + id, nil, 404},
	} {
		if status := k.Do(c.method, c.path, c.body, nil); status != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, status, c.want)
		}
	}
	n.until(func(e event) bool { return e.Type == "session_removed" })
}

func TestAChatWithoutAModelSaysSo(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	var s wire.SessionDetail
	k.Do("POST", "/api/sessions", map[string]any{}, &s)
	if s.Problem == nil || s.Problem.Code != model.CodeNotFound || s.Problem.Fix == "" {
		t.Errorf("got %+v", s.Problem)
	}
	if status := k.Do("POST", "/api/sessions/"+s.ID+"/messages", map[string]string{"text": "hello"}, nil); status != 404 {
		t.Errorf("send: %d, want 404", status)
	}
	if page := messages(k, s.ID, ""); len(page.Items) != 0 {
		t.Errorf("kept what nobody can answer: %+v", page.Items)
	}
}

func TestAFileGoesWithAMessage(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	id := chat(t, k, "turn\nsay I see.")
	req, err := http.NewRequestWithContext(t.Context(), "POST", k.URL+"/api/media", strings.NewReader("Ada;36"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+apptest.Token)
	req.Header.Set("Content-Type", "text/csv")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var m model.Media
	if err := json.NewDecoder(res.Body).Decode(&m); err != nil || res.StatusCode != 201 || m.Size != 6 {
		t.Fatalf("upload: %d %+v %v", res.StatusCode, m, err)
	}
	n := listen(t, k)
	send(t, k, id, map[string]any{"text": "", "attachments": []map[string]string{{"kind": "media", "file": m.File, "name": "people.csv"}}})
	n.until(ended)
	page := messages(k, id, "").Items
	if p := page[len(page)-1].Parts; len(p) != 1 || p[0].Kind != model.PartMedia || p[0].Name != "people.csv" || p[0].Media[0].URL != m.URL {
		t.Errorf("got %+v", p)
	}
	if status := k.Do("POST", "/api/sessions/"+id+"/messages", map[string]any{"text": "x", "attachments": []map[string]string{{"kind": "media", "file": "../kontor.db"}}}, nil); status != 404 {
		t.Errorf("a file of nobody's: %d, want 404", status)
	}
}

func TestAnApprovalOutlivesARestart(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, withDemo)
	k.Until("the demo server", ready(k))
	id := chat(t, k, "turn please add\ncall mcp__demo__sum {\"numbers\": [1, 2]}\nturn \"count\":2\nsay It is 3.")
	var s wire.SessionDetail
	k.Do("PUT", "/api/sessions/"+id+"/grants", map[string][]string{"groups": {"demo"}}, &s)
	n := listen(t, k)
	send(t, k, id, map[string]any{"text": "Please add."})
	asked := n.until(func(e event) bool { return e.Type == "item_added" })
	item := asked[len(asked)-1].Item
	if err := k.Stop(); err != nil {
		t.Fatal(err)
	}
	k = apptest.Start(t, func(c *config.Config) { c.Data, c.Demo = k.Config.Data, true })
	var in wire.Inbox
	if k.Do("GET", "/api/inbox", nil, &in); len(in.Approvals) != 1 || in.Approvals[0].ID != item.ID {
		t.Fatalf("after the restart the inbox has %+v", in)
	}
	n = listen(t, k)
	if status := k.Do("POST", "/api/inbox/approvals/"+item.ID+"/resolve", map[string]string{"action": "approve"}, nil); status != 200 {
		t.Fatalf("approve: %d", status)
	}
	if all := n.until(ended); all[len(all)-1].State != "done" {
		t.Errorf("the turn ended as %s", all[len(all)-1].raw)
	}
	if last := messages(k, id, "").Items[0]; len(last.Parts) != 1 || last.Parts[0].Text != "It is 3." {
		t.Errorf("the last message: %+v", last)
	}
	var calls wire.List[wire.Call]
	if k.Do("GET", "/api/calls?session="+id, nil, &calls); len(calls.Items) != 1 || calls.Items[0].State != model.CallDone {
		t.Errorf("calls: %+v", calls.Items)
	}
	if status := k.Do("POST", "/api/inbox/approvals/"+item.ID+"/resolve", map[string]string{"action": "approve"}, nil); status != 409 {
		t.Errorf("a second answer: %d, want 409", status)
	}
}

// A rule for scripts holds for what they run in a chat, too.
func TestAScriptsRunInAChatIsItsOwn(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, withDemo)
	k.Until("the demo server", ready(k))
	id := chat(t, k, "turn\nsay ok")
	run := map[string]any{"name": "mcp__demo__sum", "arguments": map[string]any{"numbers": []int{1}}, "wait_ms": 10_000}
	var call wire.Call
	if k.Do("POST", "/api/sessions/"+id+"/calls", run, &call); call.State != model.CallDone || call.Asker.Kind != "token" {
		t.Errorf("it ran as %+v: %s", call.Asker, call.State)
	}
	k.Do("POST", "/api/policies", map[string]any{"asker": "token", "action": "deny"}, nil)
	if k.Do("POST", "/api/sessions/"+id+"/calls", run, &call); call.Error == nil || call.Error.Code != model.CodeDenied {
		t.Errorf("although a rule denies it, it is %s", call.State)
	}
}
