package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/agent/search"
	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/untrusted"
	"kontor.dev/kontor/internal/model"
)

// heardBy is all that a model reads of a request but its own words: each text with where
// it stands.
func heardBy(r llm.Request) map[string]string {
	out := map[string]string{"system": r.System}
	for _, t := range r.Tools {
		out["name of "+t.Name], out["description of "+t.Name] = t.Name, t.Description
		var schema any
		_ = json.Unmarshal(t.Schema, &schema) // escapes are what they stand for
		out["schema of "+t.Name] = fmt.Sprint(schema)
	}
	for i, m := range r.Messages {
		for j, p := range m.Parts {
			where := fmt.Sprintf("%s %d.%d", m.Role, i, j)
			switch p := p.(type) {
			case llm.Text:
				if m.Role != llm.Assistant {
					out[where] = p.Text
				}
			case llm.ToolResult:
				for _, q := range p.Parts {
					if t, ok := q.(llm.Text); ok {
						out[where] += t.Text
					}
				}
			}
		}
	}
	return out
}

// Every way on which a server's words come to a model: whatever can't be seen in them
// is marked, and descriptions, schemas and errors are bounded. A server's instructions,
// its annotations and its output schemas go to no model.
func TestNoWayLeadsAServersWordsUnmarkedToAModel(t *testing.T) {
	t.Parallel()
	const bad = "\u202e\u200b"
	long := strings.Repeat("long ", 2_000)
	hub := model.Tool{
		Server: "demo", Name: "hub" + bad, Title: "title" + bad, Description: "described" + bad + long, Enabled: true,
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"na` + bad + `me":{"description":"property` + bad + long + `","enum":["value` + bad + `"]}}}`),
		OutputSchema: json.RawMessage(`{"title":"output` + bad + `"}`), Annotations: json.RawMessage(`{"title":"annotated` + bad + `"}`),
	}
	name := modelName(hub.FullName())
	d := newDesk(t,
		says(calls(toolSearch, `{"query":"hub"}`), calls(toolActivate, `{"groups":["demo","away"]}`)),
		says(calls(name, `{"a":"result`+bad+`"}`), calls(toolResource, `{"server":"demo","uri":"resource:`+bad+`"}`),
			calls(toolResource, `{"server":"demo","uri":"missing:`+bad+long+`"}`), calls(toolPrompt, `{"server":"demo","name":"prompt`+bad+`"}`)),
		says(words("done")),
	)
	d.o.Search = search.New(d.store)
	d.servers.change(func(s *fakeServers) {
		s.tools = []model.Tool{hub}
		s.list = append(s.list, server("away", model.ServerFailed))
		s.list[0].Config.Description = ""
		s.list[0].Status.Instructions = "instructed" + bad
		s.reach = map[string]error{"away": model.Errorf(model.CodeServerUnavailable, "unreachable%s%s", bad, long)}
	})
	chat := d.chat()
	if _, err := d.RunTool(t.Context(), chat, hub.FullName(), json.RawMessage(`{}`), person); err != nil {
		t.Fatal(err)
	}
	_, err := d.Send(t.Context(), chat, model.Sending{Text: "Go", Attachments: []model.Attachment{
		{Kind: "resource", Server: "demo", URI: "attached:" + bad}, {Kind: "prompt", Server: "demo", Name: "rendered" + bad},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if e := d.ended(chat); e.State != turnDone {
		t.Fatalf("the turn ended %s: %v", e.State, e.Error)
	}
	var all strings.Builder
	for _, r := range d.requests() {
		for where, text := range heardBy(r) {
			if untrusted.Visible(text) != text {
				t.Errorf("%s has something that can't be seen: %+q", where, text[:min(len(text), 200)])
			}
			if len(text) > 8<<10 {
				t.Errorf("%s has %d bytes", where, len(text))
			}
			all.WriteString(text)
		}
	}
	const marks = "‹U+202E›‹U+200B›"
	for _, way := range []string{
		"hub" + marks,                       // a tool's name, in the list of groups
		"described" + marks,                 // its description: as it is offered, and as it is found
		"property" + marks, "value" + marks, // its schema
		"hub" + marks + " {\"a\"", "result" + marks, // a result
		"contents of resource:" + marks,                                                   // a resource that the model reads
		"user: prompt" + marks,                                                            // a prompt that it renders
		"there is no missing:" + marks,                                                    // an error
		"unreachable" + marks,                                                             // why a server can't be reached
		"attached attached:" + marks, "contents of attached:" + marks, "rendered" + marks, // what the person attaches
		"The person ran " + name, // what they run
	} {
		if !strings.Contains(all.String(), way) {
			t.Errorf("nothing says %q", way)
		}
	}
	for _, way := range []string{"instructed", "output", "annotated"} {
		if strings.Contains(all.String(), way+marks) {
			t.Errorf("the model reads %q", way)
		}
	}
}
