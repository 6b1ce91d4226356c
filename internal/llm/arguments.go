package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadArguments reads a call's arguments as a model wrote them. They are returned
// as a JSON object, byte for byte but for blanks around it: numbers keep their
// digits. What can't be read returns a fault instead, a sentence for the model;
// cut says that the answer ended at its length limit.
//
// Three spellings that servers are known to produce are read as what they mean:
// nothing or null for no arguments; the object as JSON text inside a JSON string;
// and an empty object before the real one.
func ReadArguments(text string, cut bool) (arguments json.RawMessage, fault string) {
	b := bytes.TrimSpace([]byte(text))
	if len(b) == 0 && !cut || bytes.Equal(b, []byte("null")) {
		return json.RawMessage("{}"), ""
	}
	if rest, ok := bytes.CutPrefix(b, []byte("{}")); ok && len(rest) > 0 {
		b = bytes.TrimSpace(rest)
	}
	var inner string
	if len(b) > 0 && b[0] == '"' && json.Unmarshal(b, &inner) == nil {
		b = bytes.TrimSpace([]byte(inner))
	}
	if !json.Valid(b) {
		return nil, unreadable(b, cut)
	}
	if b[0] != '{' {
		return nil, fmt.Sprintf("The arguments of this call are not a JSON object but %s. It was not run. Call the tool again with an object.", excerpt(b))
	}
	return b, ""
}

// unreadable says what is wrong with arguments that aren't JSON.
func unreadable(b []byte, cut bool) string {
	var v any
	err := json.NewDecoder(bytes.NewReader(b)).Decode(&v)
	var syntax *json.SyntaxError
	what := "are not valid JSON"
	switch {
	case len(b) == 0:
		what = "are missing"
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = fmt.Sprintf("end too early, after %d bytes: …%s", len(b), tail(b))
	case errors.As(err, &syntax):
		at := min(int(syntax.Offset), len(b))
		what = fmt.Sprintf("are not valid JSON: %v, at byte %d, after …%s", err, at, tail(b[:at]))
	}
	why := ""
	if cut {
		why = " Your answer reached its length limit."
	}
	return fmt.Sprintf("The arguments of this call %s.%s It was not run. Call the tool again with complete arguments, or with less in them.", what, why)
}

const shown = 40

func tail(b []byte) string {
	if len(b) > shown {
		b = b[len(b)-shown:]
		for len(b) > 0 && !utf8.RuneStart(b[0]) {
			b = b[1:]
		}
	}
	return strings.ToValidUTF8(string(b), "�")
}

func excerpt(b []byte) string {
	if len(b) <= shown {
		return string(b)
	}
	return strings.ToValidUTF8(string(b[:shown]), "") + "…"
}
