package toolschema

import (
	"encoding/json"

	"kontor.dev/kontor/internal/llm/untrusted"
)

// What a schema may say, in bytes: a title, a description or a word of an extension as
// the server wrote it; a description with the rules that were told in words.
const (
	maxSaid        = 1 << 10
	maxDescription = 4 << 10
)

// place is what stands somewhere in a schema.
type place int

const (
	words  place = iota // a schema: its strings are for reading
	names               // members by names of the server's own, each a schema
	values              // what arguments are made of or held against: never cut
)

// below is the place of a schema's member.
func below(key string) place {
	switch key {
	case "properties", "patternProperties", "dependentSchemas", "dependentRequired":
		return names
	case "enum", "const", "default", "examples", "required", "pattern", "format", "type":
		return values
	}
	return words
}

// guard has a schema say nothing that can't be seen, and nothing at length. Names of
// properties are safe already (see key); a marked value comes back by Restore.
func (a *adapter) guard(v any, at place, most int) any {
	switch v := v.(type) {
	case *object:
		out := newObject()
		for _, k := range v.keys {
			next, most := at, maxSaid
			switch at {
			case words:
				next = below(k)
				if k == "description" {
					most = maxDescription
				}
			case names:
				next = words
			}
			out.set(untrusted.Visible(k), a.guard(v.values[k], next, most))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = a.guard(e, at, most)
		}
		return out
	case json.RawMessage:
		return a.guardText(v, at, most)
	}
	return v
}

func (a *adapter) guardText(raw json.RawMessage, at place, most int) json.RawMessage {
	switch raw[0] {
	case '{', '[': // deeper than maxParse
		return quoted("(left out: it is nested too deep)")
	case '"':
	default:
		return raw
	}
	s := text(raw)
	shown := untrusted.Visible(s)
	if at == values {
		if shown != s {
			a.back.value(shown, s)
		}
	} else {
		shown = a.limit(shown, most)
	}
	if shown == s {
		return raw
	}
	return quoted(shown)
}

// said is a title or a description of the server's.
func (a *adapter) said(v any) any {
	s := text(v)
	if shown := a.limit(untrusted.Visible(s), maxSaid); shown != s {
		return quoted(shown)
	}
	return v
}

func (a *adapter) limit(s string, most int) string {
	if len(s) > most {
		a.badge("long words of its schema are cut")
	}
	return untrusted.Limit(s, most)
}
