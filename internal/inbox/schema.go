package inbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// validate holds content against a stranger's schema. A schema that doesn't
// compile forbids nothing: the server will judge what it gets.
func validate(schema, content json.RawMessage) error {
	compiled, err := compile(schema)
	if err != nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return &InvalidError{Fields: []FieldError{{Message: "the answer isn't JSON"}}}
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(compiled.Validate(value), &invalid) {
		return nil
	}
	e := &InvalidError{}
	collect(invalid, e)
	return e
}

func compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(lenientRegexp)
	const url = "elicitation:schema"
	if err := c.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return c.Compile(url)
}

// noLoader refuses every reference out of the schema: the default loader opens
// file:// for a stranger.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("a schema can't refer to %s", url)
}

// lenientRegexp lets everything pass where a pattern uses what Go's regexp
// doesn't have (look-ahead, back-references).
func lenientRegexp(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return regexp.MustCompile(""), nil
	}
	return re, nil
}

// collect turns the leaves of a validation error into messages of our own: the
// library's repeat the value.
func collect(v *jsonschema.ValidationError, into *InvalidError) {
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			into.Fields = append(into.Fields, FieldError{Field: path(append(slices.Clone(v.InstanceLocation), name)), Message: "is required"})
		}
		return
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		into.Fields = append(into.Fields, FieldError{Field: path(v.InstanceLocation), Message: message(v)})
		return
	}
	if len(v.Causes) == 0 {
		into.Fields = append(into.Fields, FieldError{Field: path(v.InstanceLocation), Message: message(v)})
	}
	for _, cause := range v.Causes {
		collect(cause, into)
	}
}

func path(location []string) string { return strings.Join(location, ".") }

// message is a sentence's end about one keyword: "must be …".
func message(v *jsonschema.ValidationError) string {
	switch k := v.ErrorKind.(type) {
	case *kind.Type:
		return "must be " + strings.Join(typeWords(k.Want), " or ")
	case *kind.Enum, *kind.Const, *kind.OneOf, *kind.AnyOf:
		return "must be one of the choices"
	case *kind.Format:
		return "must be a valid " + formatWord(k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", k.Want)
	case *kind.Pattern:
		return "must match the pattern " + k.Want
	case *kind.Minimum:
		return "must be at least " + number(k.Want)
	case *kind.Maximum:
		return "must be at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + number(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + number(k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("choose at least %d", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("choose at most %d", k.Want)
	case *kind.UniqueItems:
		return "must not repeat a choice"
	case *kind.AdditionalProperties:
		return "has fields that the server doesn't know: " + strings.Join(k.Properties, ", ")
	}
	return "isn't what the server accepts"
}

func typeWords(types []string) []string {
	words := map[string]string{
		"string": "text", "integer": "a whole number", "number": "a number",
		"boolean": "yes or no", "array": "a list", "object": "an object", "null": "empty",
	}
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = words[t]
	}
	return out
}

func formatWord(format string) string {
	switch format {
	case "email":
		return "e-mail address"
	case "uri":
		return "address (such as https://example.com)"
	case "date":
		return "date (such as 2026-11-30)"
	case "date-time":
		return "date and time (such as 2026-11-30T14:05:00Z)"
	}
	return format
}
