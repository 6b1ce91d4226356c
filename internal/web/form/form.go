// Package form turns the schema of a server's question (2025-11-25 and
// 2026-07-28, ElicitRequestFormParams.requestedSchema) into fields of a plain HTML
// form, and the posted form into the answer's JSON. It refuses to judge answers:
// the inbox holds them against the schema. What the schema says in a way that no
// field can, a person writes as JSON.
package form

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"kontor.dev/kontor/templates"
)

// Form is the fields of one question, with what was typed and what is wrong.
type Form struct{ fields []*field }

type field struct {
	property
	name     string
	required bool
	// values are what was posted; nil before.
	values []string
	err    string
}

// Parse reads a schema. Without properties the question is a yes or no.
func Parse(schema json.RawMessage) *Form {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if len(bytes.TrimSpace(schema)) == 0 || json.Unmarshal(schema, &s) != nil {
		return &Form{}
	}
	f := &Form{}
	for _, m := range ordered(s.Properties) {
		fl := &field{name: m.name, property: parseProperty(m.name, m.value)}
		for _, r := range s.Required {
			fl.required = fl.required || r == m.name
		}
		f.fields = append(f.fields, fl)
	}
	return f
}

// Answerable tells whether an answer, which is an object, can fit the schema at
// all: one that asks for another type at its top breaks the protocol.
func Answerable(schema json.RawMessage) bool {
	var s struct{ Type json.RawMessage }
	var kind string
	if json.Unmarshal(schema, &s) != nil || json.Unmarshal(s.Type, &kind) != nil {
		return true // it forbids nothing that can be told here
	}
	return kind == "object"
}

// Secret tells whether a field is masked.
func (f *Form) Secret() bool {
	for _, fl := range f.fields {
		if fl.kind == templates.FieldSecret {
			return true
		}
	}
	return false
}

// Refuse says what is wrong with a field; false when there is no such field.
func (f *Form) Refuse(name, message string) bool {
	name, _, _ = strings.Cut(name, ".")
	for _, fl := range f.fields {
		if fl.name == name {
			fl.err = upper(message)
			return true
		}
	}
	return false
}

// Read takes the posted values and makes the answer's object of them. A field
// left empty is left out, which the schema's default then fills; numbers stay the
// digits that were typed. ok is false when a field can't be sent; it says why.
func (f *Form) Read(posted url.Values) (answer json.RawMessage, ok bool) {
	out := []byte{'{'}
	ok = true
	for i, fl := range f.fields {
		fl.values = posted[inputName(i)]
		if fl.values == nil {
			fl.values = []string{}
		}
		value, message := fl.json()
		if message != "" {
			fl.err, ok = message, false
		}
		if value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(fl.name)...), ':'), value...)
	}
	return append(out, '}'), ok
}

func quoted(s string) json.RawMessage {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	return text
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// json is the field's value, nil when it is left out; message says why it can't
// be sent.
func (fl *field) json() (value json.RawMessage, message string) {
	text := ""
	if len(fl.values) > 0 {
		text = fl.values[0]
	}
	switch fl.kind {
	case templates.FieldBoolean:
		if text == "true" || text == "false" {
			return json.RawMessage(text), ""
		}
	case templates.FieldChoice:
		if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(fl.options) {
			return fl.options[n].value, ""
		}
	case templates.FieldChoices:
		return fl.chosen(), ""
	case templates.FieldJSON:
		if strings.TrimSpace(text) == "" {
			break
		}
		if !json.Valid([]byte(text)) {
			return nil, "This isn't JSON."
		}
		return json.RawMessage(text), ""
	default:
		return fl.typed(text)
	}
	if fl.required {
		return nil, "Is required."
	}
	return nil, ""
}

func (fl *field) typed(text string) (json.RawMessage, string) {
	if fl.number {
		text = strings.TrimSpace(text)
	}
	switch {
	case text == "" && fl.required && !fl.emptyAllowed:
		return nil, "Is required."
	case text == "" && (fl.number || fl.instant || fl.defaultValue == nil && !fl.required):
		return nil, ""
	case fl.number && !jsonNumber.MatchString(text):
		return nil, "Must be a number, such as 12 or 3.5."
	case fl.number:
		return json.RawMessage(text), ""
	case fl.instant:
		at, ok := fromControl(text)
		if !ok {
			return nil, "Must be a date and time, such as 2026-11-30T14:05."
		}
		return quoted(at), ""
	}
	// A browser sends line breaks as CR LF (HTML, form submission).
	return quoted(strings.ReplaceAll(text, "\r\n", "\n")), ""
}

func (fl *field) chosen() json.RawMessage {
	parts := [][]byte{}
	for _, v := range fl.values {
		if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < len(fl.options) {
			parts = append(parts, fl.options[n].value)
		}
	}
	if len(parts) == 0 && !fl.required && fl.defaultValue == nil {
		return nil
	}
	return append(append([]byte{'['}, bytes.Join(parts, []byte{','})...), ']')
}

func inputName(i int) string { return "f" + strconv.Itoa(i) }

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
