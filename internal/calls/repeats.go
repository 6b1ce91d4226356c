package calls

import (
	"bytes"
	"encoding/json"
)

// repeats tells whether an object anywhere in raw, which is JSON, has two members of
// one name. Readers take the first or the last of them, or both (RFC 8259, section 4):
// a person would approve one and the server run the other.
func repeats(raw json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var around []members
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if end, ok := token.(json.Delim); ok && (end == '}' || end == ']') {
			around = around[:len(around)-1]
			continue
		}
		if n := len(around) - 1; n >= 0 && around[n].repeats(token) {
			return true
		}
		switch token {
		case json.Delim('{'):
			around = append(around, members{seen: map[string]bool{}, name: true})
		case json.Delim('['):
			around = append(around, members{})
		}
	}
}

// members are the names of an object so far; of a list there are none.
type members struct {
	seen map[string]bool
	// name says that the next token is one.
	name bool
}

// repeats takes the next token of the object itself.
func (m *members) repeats(token json.Token) bool {
	if m.seen == nil {
		return false
	}
	if m.name = !m.name; m.name {
		return false // it was a value
	}
	name, _ := token.(string)
	again := m.seen[name]
	m.seen[name] = true
	return again
}
