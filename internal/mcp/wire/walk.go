package wire

import "encoding/json"

// Members calls visit with each member of a JSON object in order: its decoded
// name and its value as written. It answers false when raw is no JSON object;
// visit may have been called by then.
func Members(raw json.RawMessage, visit func(name string, value json.RawMessage)) bool {
	s := scanner{data: raw}
	return s.next() == '{' &&
		s.members(func(key, value []byte) { visit(string(name(key)), value) }) &&
		s.end()
}

// Elements calls visit with each element of a JSON array in order, as written.
// It answers false when raw is no JSON array; visit may have been called by then.
func Elements(raw json.RawMessage, visit func(value json.RawMessage)) bool {
	s := scanner{data: raw}
	return s.next() == '[' &&
		s.elements(func(value []byte) { visit(value) }) &&
		s.end()
}
