// Package llmtest is the test that every llm.Provider passes: Answers for what a
// conversation sees, whatever the provider; Wire for those that speak HTTP,
// against a local server that replays recorded streams slowly, cut anywhere, and
// with the errors that providers send.
package llmtest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Scenario is an answer that every provider can give. HTTP providers have a
// recording of each, testdata/<scenario>.sse.
type Scenario string

// The scenarios.
const (
	// Text says "Grüße, 漢字 🔑!" in pieces and stops; 11 tokens in, 7 out.
	Text Scenario = "text"
	// Tools says "Let me look.", then calls weather and clock, with the arguments
	// {"city":"Zürich","n":12345678901234567890,"x":1.10} and none.
	Tools Scenario = "tools"
	// Length calls weather and is cut by the limit in its arguments.
	Length Scenario = "length"
	// Malformed calls weather with {"city": Zürich}.
	Malformed Scenario = "malformed"
	// Filtered says "I can't" and is stopped by a filter.
	Filtered Scenario = "filtered"
	// Cut breaks off in the arguments of a call.
	Cut Scenario = "cut"
	// Overloaded says "Let" and then that the provider is overloaded.
	Overloaded Scenario = "overloaded"
)

// Outcome is everything that a stream yielded.
type Outcome struct {
	Text, Reasoning string
	Started         []llm.ToolCallStarted
	// Deltas are the texts of the calls' arguments, by index.
	Deltas   map[int]string
	Done     []llm.ToolCall
	Finished *llm.Finished
	Err      error
}

// Collect ranges over a stream to its end.
func Collect(ctx context.Context, p llm.Provider, r llm.Request) Outcome {
	o := Outcome{Deltas: map[int]string{}}
	for e, err := range p.Stream(ctx, r) {
		if err != nil {
			o.Err = err
			continue
		}
		switch e := e.(type) {
		case llm.TextDelta:
			o.Text += e.Text
		case llm.ReasoningDelta:
			o.Reasoning += e.Text
		case llm.ToolCallStarted:
			o.Started = append(o.Started, e)
		case llm.ToolCallDelta:
			o.Deltas[e.Index] += e.Text
		case llm.ToolCallDone:
			o.Done = append(o.Done, e.Call)
		case llm.Finished:
			o.Finished = &e
		}
	}
	return o
}

// Arguments are those that Tools calls weather with.
const Arguments = `{"city":"Zürich","n":12345678901234567890,"x":1.10}`

// Hello is a request that any scenario may answer.
func Hello() llm.Request {
	schema := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)
	return llm.Request{
		Model:    "small-1",
		System:   "Be brief.",
		Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "Hello"}}}},
		Tools: []llm.Tool{
			{Name: "weather", Description: "Tells the weather.", Schema: schema},
			{Name: "clock", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
		},
	}
}

// Answers checks what a provider makes of each scenario. open makes one that will
// give that answer, once.
func Answers(t *testing.T, open func(*testing.T, Scenario) llm.Provider) {
	t.Helper()
	for s, check := range map[Scenario]func(*testing.T, Outcome){
		Text: wantText, Tools: wantTools, Length: wantLength, Malformed: wantMalformed,
		Filtered: wantFiltered, Cut: wantCut, Overloaded: wantOverloaded,
	} {
		t.Run(string(s), func(t *testing.T) {
			t.Parallel()
			o := Collect(t.Context(), open(t, s), Hello())
			if (o.Finished == nil) == (o.Err == nil) {
				t.Fatalf("got finished %v and error %v, want exactly one", o.Finished, o.Err)
			}
			check(t, o)
		})
	}
}

func wantFinish(t *testing.T, o Outcome, want llm.Reason) {
	t.Helper()
	if o.Err != nil {
		t.Fatalf("the stream ended with %v", o.Err)
	}
	if o.Finished.Reason != want {
		t.Errorf("got reason %q, want %q", o.Finished.Reason, want)
	}
	var text strings.Builder
	var calls []string
	for _, p := range o.Finished.Message.Parts {
		switch p := p.(type) {
		case llm.Text:
			text.WriteString(p.Text)
		case llm.ToolCall:
			calls = append(calls, p.ID)
		}
	}
	var done []string
	for _, c := range o.Done {
		done = append(done, c.ID)
	}
	if text.String() != o.Text || !slices.Equal(calls, done) {
		t.Errorf("the message has %q and %v, the events had %q and %v", text.String(), calls, o.Text, done)
	}
}

func wantText(t *testing.T, o Outcome) {
	wantFinish(t, o, llm.ReasonStop)
	if want := "Grüße, 漢字 🔑!"; o.Text != want {
		t.Errorf("got text %q, want %q", o.Text, want)
	}
	if u := o.Finished.Usage; !u.Known || u.Input != 11 || u.Output != 7 {
		t.Errorf("got usage %+v, want 11 in and 7 out", u)
	}
}

func wantTools(t *testing.T, o Outcome) {
	wantFinish(t, o, llm.ReasonTools)
	if len(o.Started) != 2 || len(o.Done) != 2 {
		t.Fatalf("got %d calls started and %d done, want 2", len(o.Started), len(o.Done))
	}
	first, second := o.Done[0], o.Done[1]
	if o.Text != "Let me look." || first.Name != "weather" || second.Name != "clock" {
		t.Errorf("got text %q and calls of %s and %s", o.Text, first.Name, second.Name)
	}
	if string(first.Arguments) != Arguments || string(second.Arguments) != "{}" {
		t.Errorf("got arguments %s and %s", first.Arguments, second.Arguments)
	}
	if first.Fault != "" || second.Fault != "" || first.ID == "" || first.ID == second.ID {
		t.Errorf("got calls %+v and %+v", first, second)
	}
	if o.Deltas[0] != Arguments {
		t.Errorf("got pieces %q, want the arguments", o.Deltas[0])
	}
}

func wantLength(t *testing.T, o Outcome) {
	wantFinish(t, o, llm.ReasonLength)
	if len(o.Done) != 1 || !strings.Contains(o.Done[0].Fault, "length limit") || string(o.Done[0].Arguments) != "{}" {
		t.Errorf("got %+v, want one call with a fault that names the limit", o.Done)
	}
}

func wantMalformed(t *testing.T, o Outcome) {
	wantFinish(t, o, llm.ReasonTools)
	if len(o.Done) != 1 || !strings.Contains(o.Done[0].Fault, "not valid JSON") {
		t.Errorf("got %+v, want one call with a fault", o.Done)
	}
}

func wantFiltered(t *testing.T, o Outcome) {
	wantFinish(t, o, llm.ReasonFiltered)
	if o.Text != "I can't" {
		t.Errorf("got text %q", o.Text)
	}
}

func wantCut(t *testing.T, o Outcome) {
	if got := model.CodeOf(o.Err); got != llm.CodeCutStream {
		t.Errorf("got %q (%v), want %q", got, o.Err, llm.CodeCutStream)
	}
	if len(o.Done) != 0 || len(o.Started) != 1 {
		t.Errorf("got %d started and %d done, want a call that never is done", len(o.Started), len(o.Done))
	}
}

func wantOverloaded(t *testing.T, o Outcome) {
	if got := model.CodeOf(o.Err); got != llm.CodeOverloaded {
		t.Errorf("got %q (%v), want %q", got, o.Err, llm.CodeOverloaded)
	}
	if o.Text != "Let" {
		t.Errorf("got text %q", o.Text)
	}
}
