package form

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"kontor.dev/kontor/templates"
)

// property is what the schema says about one field.
type property struct {
	kind         templates.FieldKind
	title, help  string
	inputType    string
	number       bool
	instant      bool // a date and time, typed in UTC
	emptyAllowed bool
	options      []option
	defaultValue json.RawMessage
}

type option struct {
	title string
	value json.RawMessage
}

type schema struct {
	Type        json.RawMessage `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Format      string          `json:"format"`
	WriteOnly   bool            `json:"writeOnly"`
	MinLength   json.Number     `json:"minLength"`
	MaxLength   json.Number     `json:"maxLength"`
	Minimum     json.Number     `json:"minimum"`
	Maximum     json.Number     `json:"maximum"`
	MinItems    json.Number     `json:"minItems"`
	MaxItems    json.Number     `json:"maxItems"`
	Default     json.RawMessage `json:"default"`
	choices
	Items *choices `json:"items"`
}

// choices are all the ways in which the protocol's revisions list them.
type choices struct {
	Enum      []json.RawMessage `json:"enum"`
	EnumNames []string          `json:"enumNames"`
	OneOf     []titled          `json:"oneOf"`
	AnyOf     []titled          `json:"anyOf"`
}

type titled struct {
	Const json.RawMessage `json:"const"`
	Title string          `json:"title"`
}

// secretName is how a field asks for a secret without saying so.
var secretName = regexp.MustCompile(`(?i)password|passphrase|secret|token`)

func parseProperty(name string, raw json.RawMessage) property {
	var s schema
	p := property{kind: templates.FieldJSON, title: name}
	if json.Unmarshal(raw, &s) != nil {
		p.help = "JSON"
		return p
	}
	if s.Title != "" {
		p.title = s.Title
	}
	if !bytes.Equal(s.Default, []byte("null")) {
		p.defaultValue = s.Default
	}
	hint := p.read(s, kindOf(s.Type))
	if p.isText() && (s.Format == "password" || s.WriteOnly || secretName.MatchString(name)) {
		p.kind = templates.FieldSecret
	}
	p.help = strings.Trim(s.Description+" "+hint, " ")
	return p
}

// isText tells whether it is typed as free text: numbers are drawn the same way,
// but max_tokens is no secret.
func (p *property) isText() bool {
	return p.kind == templates.FieldText && !p.number || p.kind == templates.FieldLong
}

// read sets the kind and returns the limits in words.
func (p *property) read(s schema, kind string) (hint string) {
	switch {
	case len(s.options()) > 0 && kind != "array":
		p.kind, p.options = templates.FieldChoice, s.options()
	case kind == "array" && s.Items != nil && len(s.Items.options()) > 0:
		p.kind, p.options = templates.FieldChoices, s.Items.options()
		return between("Choose", s.MinItems, s.MaxItems, "")
	case kind == "boolean":
		p.kind = templates.FieldBoolean
		p.options = []option{{"Yes", json.RawMessage("true")}, {"No", json.RawMessage("false")}}
	case kind == "integer", kind == "number":
		p.kind, p.number, p.inputType = templates.FieldText, true, "text"
		word := "Number"
		if kind == "integer" {
			word = "Whole number"
		}
		return between(word+",", s.Minimum, s.Maximum, "")
	case kind == "string":
		p.text(s)
		if p.instant {
			return ""
		}
		return between("", s.MinLength, s.MaxLength, "characters")
	default:
		return "JSON"
	}
	return ""
}

func (p *property) text(s schema) {
	p.kind, p.inputType = templates.FieldText, "text"
	p.emptyAllowed = s.MinLength == "" || s.MinLength == "0"
	switch s.Format {
	case "email":
		p.inputType = "email"
	case "uri":
		p.inputType = "url"
	case "date":
		p.inputType = "date"
	case "date-time":
		p.inputType, p.instant = "datetime-local", true
	case "":
		if n, err := s.MaxLength.Int64(); err == nil && n > 200 {
			p.kind = templates.FieldLong
		}
		return
	}
	// An empty text is no address and no date.
	p.emptyAllowed = false
}

func (c choices) options() []option {
	var out []option
	for i, v := range c.Enum {
		title := plain(v)
		if i < len(c.EnumNames) && c.EnumNames[i] != "" {
			title = c.EnumNames[i]
		}
		out = append(out, option{title, v})
	}
	if len(out) > 0 {
		return out
	}
	for _, t := range append(c.OneOf, c.AnyOf...) {
		if t.Const == nil {
			return nil
		}
		title := t.Title
		if title == "" {
			title = plain(t.Const)
		}
		out = append(out, option{title, t.Const})
	}
	return out
}

// plain is a value as a person reads it: text without quotes, all else as JSON.
func plain(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// kindOf is the type; of several the first that isn't null.
func kindOf(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var many []string
	_ = json.Unmarshal(raw, &many) // anything else has no type
	for _, t := range many {
		if t != "null" {
			return t
		}
	}
	return ""
}

// between says limits in words: "Whole number, 15 to 480".
func between(word string, low, high json.Number, unit string) string {
	var limits string
	switch {
	case low != "" && low != "0" && high != "":
		limits = string(low) + " to " + string(high)
	case high != "":
		limits = "up to " + string(high)
	case low != "" && low != "0":
		limits = "at least " + string(low)
	}
	if limits == "" {
		return strings.TrimSuffix(strings.TrimSuffix(word, ","), "Choose")
	}
	return strings.TrimSpace(word + " " + limits + " " + unit)
}
