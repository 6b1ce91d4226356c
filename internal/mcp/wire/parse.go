package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Parse checks that data is one JSON text and finds the members of the message
// in it, in one pass and without decoding values. The message refers to data,
// which must not change any more.
//
// It asks for JSON, not for JSON-RPC: any other value than an object, and an
// object without the members of a message, is a Message of Kind Invalid. A
// message without the member "jsonrpc" is taken all the same. Of several members
// with one name the last counts, as in encoding/json. Names are compared by
// case. Bytes in strings that are no valid UTF-8 stay as they are.
func Parse(data []byte) (Message, error) {
	s := scanner{data: data}
	first := s.next()
	start := s.pos
	var m Message
	ok := false
	if first == '{' {
		ok = s.members(func(key, value []byte) { m.set(key, value) })
	} else {
		ok = s.value(0)
	}
	end := s.pos
	if !ok || !s.end() {
		return Message{}, fmt.Errorf("not JSON at byte %d of %d", s.pos, len(data))
	}
	m.Raw = data[start:end:end]
	return m, nil
}

func (m *Message) set(key, value []byte) {
	switch string(name(key)) {
	case "id":
		m.ID = value
	case "method":
		m.Method, _ = text(value)
	case "params":
		m.Params = value
	case "result":
		m.Result = value
	case "error":
		m.Error = value
	}
}

// ParseAll is Parse for a channel on which batches may come: an array is taken
// apart into its messages (revision 2025-03-26, base protocol "Batching"; later
// ones have none), anything else is one message.
func ParseAll(data []byte) ([]Message, error) {
	s := scanner{data: data}
	if s.next() != '[' {
		m, err := Parse(data)
		if err != nil {
			return nil, err
		}
		return []Message{m}, nil
	}
	var all []Message
	var bad error
	ok := s.elements(func(value []byte) {
		m, err := Parse(value)
		if err != nil && bad == nil { // only an element at the very limit of depth
			bad = err
		}
		all = append(all, m)
	})
	if !ok || !s.end() {
		return nil, fmt.Errorf("not JSON at byte %d of %d", s.pos, len(data))
	}
	return all, bad
}

// Member finds a member of a JSON object; nil if there is none, or raw is no
// object. The last of several counts.
func Member(raw json.RawMessage, member string) json.RawMessage {
	s := scanner{data: raw}
	if s.next() != '{' {
		return nil
	}
	var found json.RawMessage
	ok := s.members(func(key, value []byte) {
		if string(name(key)) == member {
			found = value
		}
	})
	if !ok {
		return nil
	}
	return found
}

// name is a key without its quotes; decoded only where it holds an escape, which
// no one but a tester writes.
func name(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return key[1 : len(key)-1]
	}
	decoded, _ := text(key)
	return []byte(decoded)
}
