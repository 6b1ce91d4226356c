package openai

import (
	"encoding/json"
	"strings"

	"kontor.dev/kontor/internal/llm"
)

// calls sorts the pieces of an answer's tool calls. The API numbers calls by
// index, names each once, in its first piece, and sends the arguments in the
// pieces that follow. Servers number all calls 0, repeat the id or the name in
// every piece, leave out ids or indexes, and mix the pieces of several calls.
type calls struct{ open []*opened }

type opened struct {
	index     int64
	hasIndex  bool
	id, name  string
	arguments strings.Builder
	// at is the call's place in the answer, -1 until its name is known.
	at int
}

type piece struct {
	index     int64
	hasIndex  bool
	id, name  string
	arguments string
}

// find decides which call a piece belongs to; nil is a new one.
func (c *calls) find(p piece) *opened {
	for i := len(c.open) - 1; i >= 0; i-- {
		o := c.open[i]
		if p.id != "" && p.id == o.id {
			return o
		}
		if p.id != "" && o.id != "" {
			continue // ids differ, whatever the index says
		}
		if p.hasIndex && (!o.hasIndex || o.index != p.index) {
			continue
		}
		if p.name != "" && o.name != "" && (p.name != o.name || json.Valid([]byte(o.arguments.String()))) {
			return nil // the name of another call, or the same tool once more
		}
		if !p.hasIndex && p.id != "" && o.name != "" {
			return nil
		}
		return o
	}
	return nil
}

// add puts a piece where it belongs. A call is told once its name is known.
func (c *calls) add(a *llm.Answer, p piece) ([]llm.Event, error) {
	o := c.find(p)
	if o == nil {
		o = &opened{index: p.index, hasIndex: p.hasIndex, at: -1}
		c.open = append(c.open, o)
	}
	if o.id == "" {
		o.id = p.id
	}
	if o.name == "" {
		o.name = p.name
	}
	o.arguments.WriteString(p.arguments)
	if o.name == "" {
		return nil, nil
	}
	var out []llm.Event
	text := p.arguments
	if o.at < 0 {
		o.at, out = a.Call(o.id, o.name)
		text = o.arguments.String()
	}
	more, err := a.Arguments(o.at, text)
	return append(out, more...), err
}

// complete says what is wrong with the calls, if anything.
func (c *calls) complete() string {
	for _, o := range c.open {
		if o.at < 0 {
			return "a tool call without a name"
		}
	}
	return ""
}
