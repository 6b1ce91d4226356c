package stdio

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// idAtEnd finds an id that is a message's last member, or last but for
// "jsonrpc". What stands right before the last brace of a JSON object is a member
// of that very object, and a number can't be the end of a string.
var idAtEnd = regexp.MustCompile(`[,{]\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

// answeredID finds the id of the request that a message answers of which only
// the beginning and the end are known; nil if it can't be told, or the message
// is no answer. Servers write the id before the result (Python, Go) or behind it
// (TypeScript).
func answeredID(head, tail []byte) json.RawMessage {
	members := json.NewDecoder(bytes.NewReader(head))
	if brace, err := members.Token(); err != nil || brace != json.Delim('{') {
		return nil
	}
	var id json.RawMessage
	for {
		key, err := members.Token()
		if err != nil || key == "method" {
			return nil
		}
		var value json.RawMessage
		whole := members.Decode(&value) == nil
		switch {
		case key == "result" || key == "error":
			if id != nil {
				return id
			}
			if found := idAtEnd.FindSubmatch(tail); found != nil {
				return found[1]
			}
			return nil
		case !whole:
			return nil
		case key == "id":
			id = value
		}
	}
}
