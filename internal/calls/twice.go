package calls

import (
	"bytes"
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// ambiguous is namedTwice for those whose calls a person may be asked about.
func ambiguous(a model.Asker, arguments json.RawMessage) (name string, twice bool) {
	if a.Own() {
		return "", false
	}
	return namedTwice(arguments)
}

// namedTwice returns a name that an object of valid JSON, at any depth, has more than
// once: programs differ in which of the two they read (RFC 8259, section 4), so what
// a person sees of it needn't be what a server does.
func namedTwice(raw json.RawMessage) (name string, twice bool) {
	type level struct {
		names map[string]bool // nil in an array
		value bool            // the next string is a value
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		t, err := d.Token()
		if err != nil {
			return "", false // the end: it is valid
		}
		at := len(open) - 1
		switch t {
		case json.Delim('}'), json.Delim(']'):
			open = open[:at]
			continue
		}
		if at >= 0 && open[at].names != nil {
			if !open[at].value {
				name := t.(string)
				if open[at].names[name] {
					return name, true
				}
				open[at].names[name], open[at].value = true, true
				continue
			}
			open[at].value = false
		}
		switch t {
		case json.Delim('{'):
			open = append(open, level{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		}
	}
}
