package toolschema

import (
	"encoding/json"
	"slices"
	"strings"
)

// Fit mends two slips that models make in arguments, by the server's own schema:
// an array, object, number or boolean given as JSON text in a string, where the
// schema takes no string and the text is of a type that it takes; and a null for
// an optional property that may not be null, which is left out. Everything else
// stays byte for byte. The notes say what was changed, for whoever approves.
//
// Where the schema says nothing, or says it with anyOf, references and the like
// that don't name a type, nothing is touched.
func Fit(schema, arguments json.RawMessage) (fitted json.RawMessage, notes []string) {
	root, ok := parse(schema, 0).(*object)
	v := parse(arguments, 0)
	if !ok || v == nil {
		return arguments, nil
	}
	f := &fitter{root: root}
	if v = f.fit(root, v, ""); len(f.notes) == 0 {
		return arguments, nil
	}
	return encode(v), f.notes
}

type fitter struct {
	root  *object
	notes []string
}

// fit fits one value at a path.
func (f *fitter) fit(schema *object, v any, path string) any {
	schema = f.follow(schema)
	types := f.allowed(schema, 0)
	if raw, ok := v.(json.RawMessage); ok && typeOf(raw) == "string" && len(types) > 0 && !slices.Contains(types, "string") {
		if inner := parse(json.RawMessage(strings.TrimSpace(text(raw))), 0); inner != nil && takes(types, inner) {
			f.notes = append(f.notes, "Read "+name(path)+" as "+typeOf(inner)+": it was given as text.")
			v = inner
		}
	}
	switch v := v.(type) {
	case *object:
		return f.members(schema, v, path)
	case []any:
		items, ok := schema.values["items"].(*object)
		if !ok {
			return v
		}
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = f.fit(items, e, path+"[]")
		}
		return out
	}
	return v
}

func (f *fitter) members(schema, v *object, path string) any {
	properties, ok := schema.values["properties"].(*object)
	if !ok {
		return v
	}
	required, _ := schema.values["required"].([]any)
	out := newObject()
	for _, k := range v.keys {
		at := strings.TrimPrefix(path+"."+k, ".")
		p, ok := properties.values[k].(*object)
		if !ok {
			out.set(k, v.values[k])
			continue
		}
		types := f.allowed(f.follow(p), 0)
		demanded := slices.ContainsFunc(required, func(r any) bool { return text(r) == k })
		if typeOf(v.values[k]) == "null" && len(types) > 0 && !slices.Contains(types, "null") && !demanded {
			f.notes = append(f.notes, "Left "+name(at)+" out: it was null, and is optional.")
			continue
		}
		out.set(k, f.fit(p, v.values[k], at))
	}
	return out
}

// follow goes through references, a few at most.
func (f *fitter) follow(schema *object) *object {
	for range 8 {
		ref := schema.text("$ref")
		target, ok := resolve(f.root, ref).(*object)
		if ref == "" || !ok {
			break
		}
		schema = target
	}
	return schema
}

// allowed are the types that a schema takes; none when it doesn't say.
func (f *fitter) allowed(schema *object, depth int) []string {
	types := typesOf(schema)
	if len(types) == 0 {
		types = inferred(schema)
	}
	for _, k := range []string{"anyOf", "oneOf"} {
		branches, _ := schema.values[k].([]any)
		if depth > 4 && len(branches) > 0 {
			return nil
		}
		for _, b := range branches {
			o, ok := b.(*object)
			if !ok {
				return nil
			}
			more := f.allowed(f.follow(o), depth+1)
			if len(more) == 0 {
				return nil
			}
			types = append(types, more...)
		}
	}
	if len(types) > 0 && string(encode(schema.values["nullable"])) == "true" {
		types = append(types, "null")
	}
	return types
}

// takes says whether a value is of one of the types. Text is never null.
func takes(types []string, v any) bool {
	t := typeOf(v)
	if t == "number" && !strings.ContainsAny(string(encode(v)), ".eE") && slices.Contains(types, "integer") {
		return true
	}
	return t != "null" && slices.Contains(types, t)
}

func name(path string) string {
	if path == "" {
		return "the arguments"
	}
	return path
}
