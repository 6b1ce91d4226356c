package toolschema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxRepeat is the largest length or count that goes out as a bound: servers that
// make grammars of schemas unroll it.
const maxRepeat = 1000

// narrow leaves in a schema what the narrowest providers take; the rest goes into
// words.
func (a *adapter) narrow(o *object) {
	if v, ok := o.values["const"]; ok {
		o.drop("const")
		o.set("enum", []any{v})
	}
	if branches, ok := o.values["allOf"].([]any); ok {
		o.drop("allOf")
		a.absorb(o, branches)
	}
	if branches, ok := o.values["oneOf"].([]any); ok {
		o.drop("oneOf")
		if o.has("anyOf") {
			a.inWords(o, "oneOf", branches)
		} else {
			o.set("anyOf", branches)
		}
	}
	for _, k := range slices.Clone(o.keys) {
		v := o.values[k]
		switch k {
		case "type", "properties", "required", "items", "anyOf", "enum", "title", "description", "default",
			"minimum", "maximum":
		case "minLength", "maxLength", "minItems", "maxItems":
			if n, err := strconv.Atoi(string(encode(v))); err != nil || n > maxRepeat {
				o.drop(k)
				a.inWords(o, k, v)
			}
		case "format":
			if text(v) != "date-time" {
				o.drop(k)
				a.inWords(o, k, v)
			}
		case "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
			o.drop(k)
			if additional, ok := v.(*object); ok && len(additional.keys) > 0 {
				a.inWords(o, "values under other names", v)
			}
		case "not", "if", "then", "else", "contains", "propertyNames", "patternProperties", "dependentSchemas",
			"dependentRequired", "pattern", "multipleOf", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum",
			"minProperties", "maxProperties", "minContains", "maxContains":
			o.drop(k)
			a.inWords(o, k, v)
		default: // annotations and extensions
			o.drop(k)
		}
	}
}

// absorb merges the branches of an allOf into the schema that has it.
func (a *adapter) absorb(o *object, branches []any) {
	for _, v := range branches {
		b, ok := v.(*object)
		if !ok {
			continue
		}
		merge(o, b, true)
		for _, k := range b.keys {
			switch {
			case k == "properties", k == "required":
			case !o.has(k):
				o.set(k, b.values[k])
			case k == "description":
				a.say(o, b.text(k))
			case string(encode(o.values[k])) != string(encode(b.values[k])):
				a.inWords(o, k, b.values[k])
			}
		}
	}
}

// inWords says a rule in the schema's description.
func (a *adapter) inWords(o *object, key string, v any) {
	if !a.terse {
		a.say(o, ruleText(key, v))
	}
	if key != "format" {
		a.badge("some rules are told in words: " + a.rules.Provider + " takes no " + key)
	}
}

func ruleText(key string, v any) string {
	list, _ := v.([]any)
	var needs []string
	for _, b := range list {
		if o, ok := b.(*object); ok && len(o.keys) == 1 && o.has("required") {
			var names []string
			required, _ := o.values["required"].([]any)
			for _, n := range required {
				names = append(names, text(n))
			}
			needs = append(needs, strings.Join(names, " and "))
		}
	}
	rule := map[string]string{"anyOf": "At least one of these must hold: ", "oneOf": "Exactly one of these must hold: ", "allOf": "All of these must hold: "}[key]
	switch {
	case rule != "" && len(needs) == len(list):
		return rule + "it has " + short([]byte(strings.Join(needs, "; it has "))) + "."
	case rule != "":
		return rule + short(encode(v)) + "."
	}
	if raw, ok := v.(json.RawMessage); ok && text(raw) != "" {
		return key + ": " + short([]byte(text(raw))) + "."
	}
	return key + ": " + short(encode(v)) + "."
}

// say adds a sentence to a schema's description.
func (a *adapter) say(o *object, sentence string) {
	if d := o.text("description"); d != "" {
		sentence = d + " " + sentence
	}
	o.set("description", quoted(sentence))
}

const maxWords = 300

func short(b []byte) string {
	if len(b) <= maxWords {
		return string(b)
	}
	b = b[:maxWords]
	for len(b) > 0 && !utf8.Valid(b) {
		b = b[:len(b)-1]
	}
	return string(b) + "…"
}
