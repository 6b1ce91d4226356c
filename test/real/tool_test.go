//go:build real

package real

import (
	"maps"
	"slices"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// run is one call of a tool and the whole of what must come of it.
type run struct {
	tool, arguments string
	// answers are given to the tool's questions, in turn.
	answers []answer
	// text or json is the result, to the last byte; check looks at what else there
	// is, or at a result that isn't the same each time.
	text, json string
	isError    bool
	// failure is the call's error, code and words, when it must not come to a result.
	failure kontor.Error
	check   func(t *testing.T, k *kontor.Kontor, c kontor.Call)
}

// answer is a person's. Message is the question that it is an answer to.
type answer struct {
	message, action, content string
	check                    func(t *testing.T, q kontor.Elicitation)
}

// everyTool makes the runs, and asserts that they and the skipped are all the tools
// that the server has. Skipped says why.
func everyTool(t *testing.T, k *kontor.Kontor, server string, runs []run, skipped map[string]string) {
	t.Helper()
	known := maps.Clone(skipped)
	for _, r := range runs {
		if why, ok := skipped[r.tool]; ok {
			t.Errorf("%s is skipped (%s) and run", r.tool, why)
		}
		if known == nil {
			known = map[string]string{}
		}
		known[r.tool] = ""
	}
	got := slices.Sorted(maps.Keys(k.Tools(server)))
	if want := slices.Sorted(maps.Keys(known)); !slices.Equal(got, want) {
		t.Errorf("%s has the tools\n%q, want\n%q", server, got, want)
	}
	for _, r := range runs {
		t.Run(r.tool, func(t *testing.T) { r.on(t, k, server) })
	}
}

func (r run) on(t *testing.T, k *kontor.Kontor, server string) {
	t.Helper()
	if r.arguments == "" {
		r.arguments = "{}"
	}
	call := k.StartCall("mcp__"+server+"__"+r.tool, r.arguments)
	answered := ""
	for _, a := range r.answers {
		q := nextQuestion(t, k, call.ID, answered)
		if q.Message != a.message {
			t.Errorf("it asks %q, want %q", q.Message, a.message)
		}
		if a.check != nil {
			a.check(t, q)
		}
		k.Answer(q.ID, a.action, a.content)
		answered = q.ID
	}
	got := k.AwaitCall(call.ID, "settled", kontor.Call.Settled)
	if r.failure.Code != "" {
		if got.State != "failed" || got.Error == nil || *got.Error != r.failure {
			t.Errorf("the call is %s with %+v, want failed with %+v", got.State, got.Error, r.failure)
		}
		return
	}
	if got.State != "done" {
		t.Fatalf("the call is %s: %+v", got.State, got.Error)
	}
	if got.IsError != r.isError {
		t.Errorf("is_error is %v, want %v: %s", got.IsError, r.isError, got.Result)
	}
	switch {
	case r.json != "":
		if got.ResultType != "json" || string(got.Result) != r.json || string(got.Structured) != r.json {
			t.Errorf("got %s %s, want json %s", got.ResultType, got.Result, r.json)
		}
	case r.text != "":
		if got.ResultType != "string" || got.Text() != r.text {
			t.Errorf("got %s %q, want string %q", got.ResultType, got.Result, r.text)
		}
	}
	if r.check != nil {
		r.check(t, k, got)
	}
}

// nextQuestion waits for a question other than the one that is answered already.
func nextQuestion(t *testing.T, k *kontor.Kontor, callID, answered string) kontor.Elicitation {
	t.Helper()
	var q kontor.Elicitation
	kontor.Poll(t, kontor.Patience, "the next question", func() bool {
		q = k.Question(callID)
		return q.ID != answered
	})
	return q
}

// kinds are the kinds of a result's blocks, in order.
func kinds(c kontor.Call) []string {
	var all []string
	for _, block := range c.Content {
		all = append(all, block.Kind)
	}
	return all
}
