package llm

import (
	"encoding/json"
	"strconv"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// MaxAnswer is the most text and arguments that an answer may have, in bytes.
const MaxAnswer = 16 << 20

// Answer puts an answer together from what a provider streams, and makes the
// events. It is for one stream and one goroutine. The zero value is ready.
type Answer struct {
	parts []slot
	calls []*call
	bytes int
	ids   map[string]bool
}

// slot is a part under way: exactly one of its fields is set.
type slot struct {
	text      *strings.Builder
	reasoning *reasoning
	call      *call
}

type reasoning struct {
	text, signature strings.Builder
	redacted        bool
}

type call struct {
	index     int
	id, name  string
	arguments strings.Builder
	done      *ToolCall
}

// Text adds to the text under way, or begins one.
func (a *Answer) Text(s string) ([]Event, error) {
	if s == "" {
		return nil, nil
	}
	if n := len(a.parts); n == 0 || a.parts[n-1].text == nil {
		a.parts = append(a.parts, slot{text: new(strings.Builder)})
	}
	a.parts[len(a.parts)-1].text.WriteString(s)
	return []Event{TextDelta{s}}, a.grow(len(s))
}

// Reasoning adds to the reasoning under way, or begins one. A signature closes it.
func (a *Answer) Reasoning(s, signature string) ([]Event, error) {
	if s == "" && signature == "" {
		return nil, nil
	}
	n := len(a.parts)
	if n == 0 || a.parts[n-1].reasoning == nil || a.parts[n-1].reasoning.redacted ||
		s != "" && a.parts[n-1].reasoning.signature.Len() > 0 {
		a.parts = append(a.parts, slot{reasoning: new(reasoning)})
		n = len(a.parts)
	}
	r := a.parts[n-1].reasoning
	r.text.WriteString(s)
	r.signature.WriteString(signature)
	if s == "" {
		return nil, a.grow(len(signature))
	}
	return []Event{ReasoningDelta{s}}, a.grow(len(s) + len(signature))
}

// Redacted adds a sealed piece of reasoning.
func (a *Answer) Redacted(data string) error {
	r := &reasoning{redacted: true}
	r.signature.WriteString(data)
	a.parts = append(a.parts, slot{reasoning: r})
	return a.grow(len(data))
}

// Call begins a call and returns its index. An id that is empty or was seen
// before is replaced.
func (a *Answer) Call(id, name string) (int, []Event) {
	if a.ids == nil {
		a.ids = map[string]bool{}
	}
	for n := len(a.calls); id == "" || a.ids[id]; n++ {
		id = "call_" + strconv.Itoa(n)
	}
	a.ids[id] = true
	c := &call{index: len(a.calls), id: id, name: name}
	a.calls = append(a.calls, c)
	a.parts = append(a.parts, slot{call: c})
	return c.index, []Event{ToolCallStarted{Index: c.index, ID: c.id, Name: c.name}}
}

// Arguments adds to a call's arguments; a call that is done takes no more.
func (a *Answer) Arguments(index int, s string) ([]Event, error) {
	c := a.calls[index]
	if s == "" || c.done != nil {
		return nil, nil
	}
	c.arguments.WriteString(s)
	return []Event{ToolCallDelta{Index: index, Text: s}}, a.grow(len(s))
}

// Done completes a call. cut says that the answer ended at its length limit.
func (a *Answer) Done(index int, cut bool) []Event {
	c := a.calls[index]
	if c.done != nil {
		return nil
	}
	arguments, fault := ReadArguments(c.arguments.String(), cut)
	if fault != "" {
		arguments = json.RawMessage("{}")
	}
	c.done = &ToolCall{ID: c.id, Name: c.name, Arguments: arguments, Fault: fault}
	return []Event{ToolCallDone{Index: index, Call: *c.done}}
}

// DoneIfReadable completes a call whose arguments can be read; another waits for
// Finish, when it is known whether a limit cut it.
func (a *Answer) DoneIfReadable(index int) []Event {
	if _, fault := ReadArguments(a.calls[index].arguments.String(), false); fault != "" {
		return nil
	}
	return a.Done(index, false)
}

// Finish completes the answer, with the calls that are still open.
func (a *Answer) Finish(reason Reason, usage Usage) []Event {
	var events []Event
	for i := range a.calls {
		// The limit cuts where the model was writing: at the last call.
		events = append(events, a.Done(i, reason == ReasonLength && i == len(a.calls)-1)...)
	}
	if len(a.calls) > 0 && reason != ReasonLength && reason != ReasonFiltered {
		reason = ReasonTools
	}
	if len(a.calls) == 0 && reason == ReasonTools {
		reason = ReasonStop
	}
	return append(events, Finished{Reason: reason, Usage: usage, Message: a.Message()})
}

// Message is the answer so far; calls that aren't complete are not in it.
func (a *Answer) Message() Message {
	m := Message{Role: Assistant}
	for _, s := range a.parts {
		switch {
		case s.text != nil:
			m.Parts = append(m.Parts, Text{s.text.String()})
		case s.reasoning != nil:
			m.Parts = append(m.Parts, Reasoning{
				Text: s.reasoning.text.String(), Signature: s.reasoning.signature.String(), Redacted: s.reasoning.redacted,
			})
		case s.call.done != nil:
			m.Parts = append(m.Parts, *s.call.done)
		}
	}
	return m
}

// Empty says that nothing has come yet.
func (a *Answer) Empty() bool { return len(a.parts) == 0 }

// Calls is how many calls the answer has.
func (a *Answer) Calls() int { return len(a.calls) }

func (a *Answer) grow(n int) error {
	if a.bytes += n; a.bytes > MaxAnswer {
		return model.Errorf(model.CodeTooLarge, "The model's answer is longer than %d MiB; it was stopped.", MaxAnswer>>20)
	}
	return nil
}
