package scripted

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/llmtest"
	"kontor.dev/kontor/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func failure(code model.Code) Step { return Fail{Err: &model.Error{Code: code, Message: "no"}} }

func TestProviderConforms(t *testing.T) {
	t.Parallel()
	scripts := map[llmtest.Scenario][]Step{
		llmtest.Text: {
			Say{Text: "Grüße, "}, Say{Text: "漢字 🔑!"},
			Stop{Reason: llm.ReasonStop, Usage: llm.Usage{Known: true, Input: 11, Output: 7}},
		},
		llmtest.Tools:      {Say{Text: "Let me look."}, Call{Name: "weather", Arguments: llmtest.Arguments}, Call{Name: "clock"}},
		llmtest.Length:     {Call{Name: "weather", Arguments: `{"city":"Zü`}, Stop{Reason: llm.ReasonLength}},
		llmtest.Malformed:  {Call{Name: "weather", Arguments: `{"city": Zürich}`}},
		llmtest.Filtered:   {Say{Text: "I can't"}, Stop{Reason: llm.ReasonFiltered}},
		llmtest.Cut:        {Call{Name: "weather", Arguments: `{"city":`, Open: true}, failure(llm.CodeCutStream)},
		llmtest.Overloaded: {Say{Text: "Let"}, failure(llm.CodeOverloaded)},
	}
	llmtest.Answers(t, func(_ *testing.T, s llmtest.Scenario) llm.Provider {
		return New(Script{Turns: []Turn{{Steps: scripts[s]}}})
	})
}

func ask(p *Provider, text string) string {
	r := llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{llm.Text{Text: text}}}}}
	return llmtest.Collect(context.Background(), p, r).Text
}

func TestTurnsAreTakenByWhatWasSaidEachOnce(t *testing.T) {
	t.Parallel()
	s, err := Parse("turn weather\nsay sunny\nturn\nsay anything\nend nothing left")
	if err != nil {
		t.Fatal(err)
	}
	p := New(s)
	var got []string
	for _, said := range []string{"hello", "The WEATHER?", "weather"} {
		got = append(got, ask(p, said))
	}
	if want := []string{"anything", "sunny", "nothing left"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := len(p.Requests()); n != 3 {
		t.Errorf("got %d requests, want 3", n)
	}
}

func TestATurnIsTakenByAllThatWasSaidSinceTheLastAnswer(t *testing.T) {
	t.Parallel()
	s, err := Parse("turn before\nsay wrong\nturn 42\nsay right")
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) []llm.Part { return []llm.Part{llm.Text{Text: s}} }
	r := llm.Request{Messages: []llm.Message{
		{Role: llm.User, Parts: text("before")}, {Role: llm.Assistant, Parts: text("")},
		{Role: llm.FromTool, Parts: []llm.Part{llm.ToolResult{CallID: "1", Parts: text("42")}}}, {Role: llm.User, Parts: text("a note")},
	}}
	if o := llmtest.Collect(t.Context(), New(s), r); o.Text != "right" {
		t.Errorf("got %q, want right", o.Text)
	}
}

func TestALoopsPlaceFollowsFromTheConversation(t *testing.T) {
	t.Parallel()
	p := New(Script{Loop: true, Turns: []Turn{
		{When: "show me", Steps: []Step{Say{Text: "A"}}}, {Steps: []Step{Say{Text: "b"}}}, {Steps: []Step{Say{Text: "c"}}},
	}})
	for _, c := range []struct {
		said []string // by the person and the model in turn
		want string
	}{
		{[]string{"hello"}, "b"},
		{[]string{"Please show me the tools"}, "A"},
		{[]string{"show me"}, "A"},
		{[]string{"show me", "A", "show me"}, "A"},
		{[]string{"hello"}, "b"},
		{[]string{"hello", "b", "more"}, "c"},
		{[]string{"hello", "b", "more", "c", "more"}, "b"},
	} {
		var r llm.Request
		for i, text := range c.said {
			role := llm.User
			if i%2 == 1 {
				role = llm.Assistant
			}
			r.Messages = append(r.Messages, llm.Message{Role: role, Parts: []llm.Part{llm.Text{Text: text}}})
		}
		got := llmtest.Collect(t.Context(), p, r).Text
		if got != c.want {
			t.Errorf("%q is answered with %q, want %q", c.said, got, c.want)
		}
	}
}

func TestStopEndsAPauseAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Script{Turns: []Turn{{Steps: []Step{Say{Text: "one two", Pause: time.Minute}}}}})
		ctx, stop := context.WithTimeout(t.Context(), 90*time.Second)
		defer stop()
		start := time.Now()
		o := llmtest.Collect(ctx, p, llm.Request{})
		if model.CodeOf(o.Err) != model.CodeCancelled || o.Text != "one two" || time.Since(start) != 90*time.Second {
			t.Errorf("got %q, %v after %v", o.Text, o.Err, time.Since(start))
		}
	})
}

func TestParseNamesTheLineThatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"say hi":              "line 1 of the script: say comes before the first turn",
		"turn\n\npause long":  "line 3 of the script: pause wants a duration, like 300ms",
		"turn\nshout hi":      "line 2 of the script: there is no shout",
		"turn\nstop whenever": "line 2 of the script: stop wants stop, tools, length, filtered or paused",
		"turn\ncall":          "line 2 of the script: call wants a tool",
		"turn\nfail x":        "line 2 of the script: fail wants a code and a message",
		"slow down":           "line 1 of the script: slow wants a duration, like 20ms",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestParseReadsEveryStep(t *testing.T) {
	t.Parallel()
	s, err := Parse("# demo\nturn hi\nthink hm\nsay a\nsay b\npause 1ms\ncall add {\"a\": 1}\nfail overloaded no more")
	if err != nil {
		t.Fatal(err)
	}
	r := llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "Hi!"}}}}}
	o := llmtest.Collect(t.Context(), New(s), r)
	if o.Text != "a\nb" || o.Reasoning != "hm" || len(o.Done) != 1 || string(o.Done[0].Arguments) != `{"a": 1}` {
		t.Errorf("got %+v", o)
	}
	if model.CodeOf(o.Err) != llm.CodeOverloaded || o.Err.Error() != "no more" {
		t.Errorf("got %v", o.Err)
	}
}
