package toolschema

import (
	"encoding/json"
	"slices"
	"strings"
)

// known are the types of JSON Schema.
func known(t string) bool {
	return slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, t)
}

// meant is the type that a made-up one means, or "".
func meant(t string) string {
	switch t {
	case "int", "int32", "int64", "long":
		return "integer"
	case "float", "double", "decimal":
		return "number"
	case "str", "text":
		return "string"
	case "bool":
		return "boolean"
	case "dict", "map", "struct":
		return "object"
	case "list", "tuple":
		return "array"
	case "none":
		return "null"
	}
	if known(t) {
		return t
	}
	return ""
}

// kind settles the type: known names only, inferred where it is missing and
// something tells it, and as anyOf where a provider takes no lists of types.
func (a *adapter) kind(in, out *object) {
	types := typesOf(in)
	if len(types) == 0 {
		types = inferred(in)
	}
	if string(encode(in.values["nullable"])) == "true" && len(types) > 0 && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	switch {
	case len(types) == 0:
	case len(types) == 1:
		out.set("type", quoted(types[0]))
	case !a.rules.Narrow:
		list := make([]any, len(types))
		for i, t := range types {
			list[i] = quoted(t)
		}
		out.set("type", list)
	case out.has("anyOf"):
		// The branches have types of their own.
	default:
		a.split(out, types)
	}
}

// split makes an anyOf of a list of types, each branch with what concerns it.
func (a *adapter) split(out *object, types []string) {
	branches := make([]any, 0, len(types))
	for _, t := range types {
		b := newObject()
		b.set("type", quoted(t))
		for _, k := range concerns(t) {
			if v, ok := out.values[k]; ok {
				b.set(k, v)
			}
		}
		if t == "array" && !b.has("items") {
			b.set("items", newObject())
		}
		branches = append(branches, b)
	}
	for _, t := range types {
		for _, k := range concerns(t) {
			out.drop(k)
		}
	}
	out.set("anyOf", branches)
}

// concerns are the keywords that mean something for one type only.
func concerns(t string) []string {
	switch t {
	case "object":
		return []string{"properties", "required", "additionalProperties", "minProperties", "maxProperties"}
	case "array":
		return []string{"items", "minItems", "maxItems", "uniqueItems"}
	case "string":
		return []string{"minLength", "maxLength", "pattern", "format"}
	case "number", "integer":
		return []string{"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}
	}
	return nil
}

func typesOf(in *object) []string {
	list, ok := in.values["type"].([]any)
	if !ok {
		list = []any{in.values["type"]}
	}
	var types []string
	for _, v := range list {
		if t := meant(text(v)); t != "" && !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// inferred is what a schema without a type can only mean.
func inferred(in *object) []string {
	switch {
	case in.has("properties"), in.has("additionalProperties"), in.has("patternProperties"):
		return []string{"object"}
	case in.has("items"), in.has("prefixItems"):
		return []string{"array"}
	}
	values, _ := in.values["enum"].([]any)
	if v, ok := in.values["const"]; ok {
		values = []any{v}
	}
	var types []string
	for _, v := range values {
		if t := typeOf(v); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// typeOf is the JSON Schema type of a value; a number is one, whole or not.
func typeOf(v any) string {
	switch v := v.(type) {
	case *object:
		return "object"
	case []any:
		return "array"
	case json.RawMessage:
		switch v[0] {
		case '"':
			return "string"
		case 't', 'f':
			return "boolean"
		case 'n':
			return "null"
		}
	}
	return "number"
}

// tuple makes one schema of the several of a tuple's items (draft 4 to 2019-09:
// items; 2020-12: prefixItems).
func (a *adapter) tuple(in, out *object, depth int) {
	list, ok := in.values["prefixItems"].([]any)
	if !ok {
		if list, ok = in.values["items"].([]any); !ok {
			return
		}
	}
	branches := make([]any, len(list))
	for i, v := range list {
		branches[i] = a.node(v, depth+1)
	}
	items := newObject()
	if len(branches) > 0 {
		items.set("anyOf", branches)
	}
	out.set("items", items)
	a.inWords(out, "items in this order", list)
}

// bounds writes exclusive limits as numbers; draft 4 has them as flags.
func (a *adapter) bounds(in, out *object) {
	for _, side := range []string{"Minimum", "Maximum"} {
		exclusive, plain := "exclusive"+side, strings.ToLower(side)
		v, ok := in.values[exclusive]
		switch {
		case !ok:
		case !isBool(v):
			out.set(exclusive, v)
		case string(encode(v)) == "true" && out.has(plain):
			out.set(exclusive, out.values[plain])
			out.drop(plain)
		}
	}
}
