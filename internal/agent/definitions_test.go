package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

func TestDefinitionsAreKeptByWhatTheyAreMadeOf(t *testing.T) {
	t.Parallel()
	var d definitions
	base := model.Tool{Server: "s", Name: "x", Description: "does it", InputSchema: json.RawMessage(`{"title":"a"}`)}
	first := d.of(base, toolschema.OpenAI())
	for name, c := range map[string]struct {
		edit  func(*model.Tool)
		rules toolschema.Rules
		same  bool
	}{
		"the same":            {func(*model.Tool) {}, toolschema.OpenAI(), true},
		"another name":        {func(t *model.Tool) { t.Name = "y" }, toolschema.OpenAI(), true},
		"another server":      {func(t *model.Tool) { t.Server = "r" }, toolschema.OpenAI(), false},
		"another description": {func(t *model.Tool) { t.Description = "does it not" }, toolschema.OpenAI(), false},
		"another schema":      {func(t *model.Tool) { t.InputSchema = json.RawMessage(`{"title":"b"}`) }, toolschema.OpenAI(), false},
		"another provider":    {func(*model.Tool) {}, toolschema.Anthropic(), false},
	} {
		tool := base
		c.edit(&tool)
		got := d.of(tool, c.rules)
		if same := &got.adapted.Schema[0] == &first.adapted.Schema[0]; same != c.same {
			t.Errorf("%s: the kept one: %v, want %v", name, same, c.same)
		}
		if want := (&definitions{}).of(tool, c.rules); got.description != want.description || string(got.adapted.Schema) != string(want.adapted.Schema) {
			t.Errorf("%s: got %q, %s", name, got.description, got.adapted.Schema)
		}
	}
}

func TestKeptDefinitionsAreBounded(t *testing.T) {
	t.Parallel()
	var d definitions
	large := strings.Repeat("x", 1000)
	for i := range 3000 {
		d.of(model.Tool{Server: "s", Description: fmt.Sprint(i, large), InputSchema: json.RawMessage(`{"title":"` + large + `"}`)}, toolschema.OpenAI())
		sum := 0
		if i%500 == 0 {
			for _, k := range d.kept {
				sum += k.size()
			}
			if sum != d.size || sum > maxDefinitions || sum == 0 {
				t.Fatalf("after %d: %d bytes are kept, %d counted", i, sum, d.size)
			}
		}
	}
}

// reads counts how often the rows of a frame are read whole.
type reads struct {
	Store
	whole atomic.Int64
}

func (r *reads) Transcript(ctx context.Context, frame, from string) ([]model.ChatMessage, error) {
	if from == "" {
		r.whole.Add(1)
	}
	return r.Store.Transcript(ctx, frame, from)
}

// However many steps a turn takes, what was said before it is read as often.
func TestATurnReadsWhatWasSaidBeforeOnce(t *testing.T) {
	t.Parallel()
	title := "Named" // so that no title is looked for beside the turn
	read := func(steps int) int {
		turns := []scripted.Turn{says(words("a"))}
		for range steps {
			turns = append(turns, says(calls(echo, "{}")))
		}
		d := newDesk(t, append(turns, says(words("b")))...)
		counting := &reads{Store: d.store}
		d.o.Store = counting
		chat := d.chat("demo")
		if _, err := d.Change(t.Context(), chat, model.ChatChange{Title: &title}); err != nil {
			t.Fatal(err)
		}
		d.say(chat, "1")
		before := counting.whole.Load()
		d.say(chat, "2")
		if got := len(d.requests()); got != steps+2 {
			t.Fatalf("%d requests, want %d", got, steps+2)
		}
		return int(counting.whole.Load() - before)
	}
	if one, many := read(1), read(6); one != many {
		t.Errorf("all rows are read %d times in a turn of one step, %d in one of six", one, many)
	}
}

func TestAPersonSeesWhatWasChangedForTheModel(t *testing.T) {
	t.Parallel()
	g := group{tools: []model.Tool{
		{Server: "s", Name: "plain", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)},
		{Server: "s", Name: "broken", InputSchema: json.RawMessage(`[]`)},
	}}
	var d definitions
	if got := d.adapted(g, toolschema.OpenAI()); got != nil {
		t.Errorf("a group that is off: got %+v", got)
	}
	g.Active = true
	if got := d.adapted(g, toolschema.OpenAI()); len(got) != 1 || got[0].Tool != "broken" || len(got[0].Changes) != 1 {
		t.Errorf("got %+v", got)
	}
}
