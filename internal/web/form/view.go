package form

import (
	"bytes"
	"encoding/json"
	"strconv"

	"kontor.dev/kontor/templates"
)

// Fields are the form as the page draws it: what was typed, else the defaults. A
// secret is never drawn again.
func (f *Form) Fields() []templates.Field {
	out := make([]templates.Field, len(f.fields))
	for i, fl := range f.fields {
		out[i] = templates.Field{
			Name: fl.name, ID: inputName(i), Title: fl.title, Help: fl.help, Error: fl.err,
			Kind: fl.kind, InputType: fl.inputType, Required: fl.required && !(fl.emptyAllowed && fl.kind == templates.FieldText),
		}
		if fl.number {
			out[i].InputMode = "decimal"
		}
		if fl.instant {
			out[i].Zone = "UTC"
		}
		switch fl.kind {
		case templates.FieldSecret:
		case templates.FieldBoolean, templates.FieldChoice, templates.FieldChoices:
			out[i].Options = fl.drawn()
		default:
			out[i].Value = fl.shown()
		}
	}
	return out
}

func (fl *field) shown() string {
	switch {
	case len(fl.values) > 0:
		return fl.values[0]
	case fl.values != nil || fl.defaultValue == nil:
		return ""
	case fl.kind == templates.FieldJSON:
		return string(fl.defaultValue)
	case fl.instant:
		return toControl(plain(fl.defaultValue))
	}
	return plain(fl.defaultValue)
}

func (fl *field) drawn() []templates.Option {
	out := make([]templates.Option, len(fl.options))
	for i, o := range fl.options {
		value := strconv.Itoa(i)
		if fl.kind == templates.FieldBoolean {
			value = string(o.value)
		}
		out[i] = templates.Option{Value: value, Title: o.title, Chosen: fl.isChosen(value, o.value)}
	}
	return out
}

func (fl *field) isChosen(posted string, value json.RawMessage) bool {
	if fl.values != nil {
		for _, v := range fl.values {
			if v == posted {
				return true
			}
		}
		return false
	}
	if fl.kind != templates.FieldChoices {
		return bytes.Equal(bytes.TrimSpace(fl.defaultValue), bytes.TrimSpace(value))
	}
	var many []json.RawMessage
	_ = json.Unmarshal(fl.defaultValue, &many) // anything else chooses none
	for _, v := range many {
		if bytes.Equal(v, value) {
			return true
		}
	}
	return false
}

type member struct {
	name  string
	value json.RawMessage
}

// ordered is the members of an object in the server's order, which a map loses.
func ordered(raw json.RawMessage) []member {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return out
		}
		name, _ := key.(string)
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return out
		}
		out = append(out, member{name, value})
	}
	return out
}
