package calls

import (
	"bytes"
	"encoding/json"
)

// repeated returns a name that an object anywhere in raw, which is JSON, has twice.
// Readers take the first or the last of such members, or both (RFC 8259, section 4): a
// person would approve one and the server run the other.
func repeated(raw json.RawMessage) (name string, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var around []members
	for {
		token, err := d.Token()
		if err != nil {
			return "", false
		}
		if end, ok := token.(json.Delim); ok && (end == '}' || end == ']') {
			around = around[:len(around)-1]
			continue
		}
		if n := len(around) - 1; n >= 0 && around[n].again(token) {
			return token.(string), true
		}
		switch token {
		case json.Delim('{'):
			around = append(around, members{seen: map[string]bool{}})
		case json.Delim('['):
			around = append(around, members{})
		}
	}
}

// members are the names of an object so far; of a list there are none.
type members struct {
	seen map[string]bool
	// value says that the token before was a name.
	value bool
}

// again takes the next token of the object itself: whether it is a name once more.
func (m *members) again(token json.Token) bool {
	if m.seen == nil {
		return false
	}
	if m.value = !m.value; !m.value {
		return false
	}
	name, _ := token.(string)
	again := m.seen[name]
	m.seen[name] = true
	return again
}
