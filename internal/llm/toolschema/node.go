package toolschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// node rewrites one schema, which may be a boolean or nonsense.
func (a *adapter) node(v any, depth int) *object {
	switch v := v.(type) {
	case *object:
		if a.nodes++; a.nodes > maxNodes {
			a.badge("a part of its schema is too large")
			return newObject()
		}
		if depth > a.depth {
			return a.tooDeep(v)
		}
		return a.object(v, depth)
	case json.RawMessage:
		if string(v) == "false" {
			o := newObject()
			a.say(o, "Must not be given.")
			return o
		}
	}
	return newObject()
}

// tooDeep keeps a schema's type and says the rest.
func (a *adapter) tooDeep(v *object) *object {
	a.badge(fmt.Sprintf("what is nested deeper than %d levels is told in words", a.depth))
	o := newObject()
	if t := v.text("type"); t != "" && t != "array" && known(t) {
		o.set("type", quoted(t))
	}
	if !a.terse {
		a.say(o, "As JSON Schema: "+short(encode(v)))
	}
	return o
}

// object rewrites a schema that is an object, member by member.
func (a *adapter) object(in *object, depth int) *object {
	if ref := in.text("$ref"); ref != "" {
		return a.reference(in, ref, depth)
	}
	out := newObject()
	for _, k := range in.keys {
		a.member(in, out, k, depth)
	}
	a.tuple(in, out, depth)
	a.kind(in, out)
	a.bounds(in, out)
	if _, ok := out.values["properties"].(*object); ok && depth > 0 {
		a.demanded(out)
	}
	if text(out.values["type"]) == "array" && !out.has("items") {
		out.set("items", newObject())
	}
	if a.rules.Narrow {
		a.narrow(out)
	}
	if a.terse {
		out.drop("description")
		out.drop("title")
	}
	out.first("type")
	return out
}

// reference puts what a $ref names in its place, with what stands beside it.
// References go for every provider: the pointers would have to follow each of the
// other changes, and several providers take none.
func (a *adapter) reference(in *object, ref string, depth int) *object {
	times := 0
	for _, r := range a.refs {
		if r == ref {
			times++
		}
	}
	target := resolve(a.root, ref)
	beside := in.clone()
	beside.drop("$ref")
	if target == nil || times >= maxUnroll {
		if target == nil {
			a.badge("a reference in its schema leads nowhere")
		} else {
			a.badge("its schema contains itself: unrolled " + strconv.Itoa(maxUnroll) + " times")
		}
		return a.object(beside, depth)
	}
	a.refs = append(a.refs, ref)
	defer func() { a.refs = a.refs[:len(a.refs)-1] }()
	t, ok := target.(*object)
	if !ok {
		return a.node(target, depth)
	}
	whole := t.clone()
	for _, k := range beside.keys {
		whole.set(k, beside.values[k])
	}
	if a.nodes++; a.nodes > maxNodes {
		a.badge("a part of its schema is too large")
		return newObject()
	}
	return a.object(whole, depth)
}

// resolve follows a JSON Pointer (RFC 6901) into the same document; nil for all
// others: nothing is ever fetched for a schema.
func resolve(root *object, ref string) any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	var at any = root
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" || path == "/" {
			break
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch v := at.(type) {
		case *object:
			at = v.values[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// member rewrites one keyword. The ones that need their neighbours (type, tuples,
// bounds) are done by their own functions afterwards.
func (a *adapter) member(in, out *object, k string, depth int) {
	v := in.values[k]
	switch k {
	case "$schema", "$id", "$anchor", "$comment", "$vocabulary", "$dynamicAnchor", "$dynamicRef",
		"$recursiveRef", "$recursiveAnchor", "$defs", "definitions", "type", "prefixItems",
		"exclusiveMinimum", "exclusiveMaximum", "nullable", "additionalItems":
		return
	case "title", "description":
		v = a.said(v)
	case "id":
		if _, isText := v.(json.RawMessage); isText {
			return
		}
	case "properties":
		a.properties(v, out, depth)
		return
	case "required":
		a.required(v, out)
		return
	case "items":
		if _, tuple := v.([]any); tuple {
			return
		}
		out.set(k, a.node(v, depth+1))
		return
	case "anyOf", "oneOf", "allOf":
		if list, ok := v.([]any); ok && len(list) > 0 {
			branches := make([]any, len(list))
			for i, b := range list {
				branches[i] = a.node(b, depth+1)
			}
			out.set(k, branches)
		}
		return
	case "not", "if", "then", "else", "contains", "propertyNames":
		out.set(k, a.node(v, depth+1))
		return
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		if o, ok := v.(*object); ok {
			v = a.node(o, depth+1)
		}
	case "patternProperties", "dependentSchemas":
		if o, ok := v.(*object); ok {
			nodes := newObject()
			for _, name := range o.keys {
				nodes.set(name, a.node(o.values[name], depth+1))
			}
			v = nodes
		}
	}
	out.set(k, v)
}

// properties rewrites them under the names that the provider takes. In draft 3,
// and in hand-written schemas, a property says itself that it is required.
func (a *adapter) properties(v any, out *object, depth int) {
	in, ok := v.(*object)
	if !ok {
		return
	}
	properties := newObject()
	for _, name := range in.keys {
		p := in.values[name]
		key := a.key(name)
		if o, ok := p.(*object); ok && isBool(o.values["required"]) {
			if string(o.values["required"].(json.RawMessage)) == "true" {
				list, _ := out.values["required"].([]any)
				out.set("required", append(slices.Clone(list), quoted(key)))
			}
			o = o.clone()
			o.drop("required")
			p = o
		}
		properties.set(key, a.node(p, depth+1))
	}
	out.set("properties", properties)
}

func (a *adapter) required(v any, out *object) {
	in, ok := v.([]any)
	if !ok {
		return
	}
	list, _ := out.values["required"].([]any)
	list = slices.Clone(list)
	for _, name := range in {
		if n := text(name); n != "" || string(encode(name)) == `""` {
			list = append(list, quoted(a.key(n)))
		}
	}
	out.set("required", list)
}

func isBool(v any) bool {
	raw, ok := v.(json.RawMessage)
	return ok && (string(raw) == "true" || string(raw) == "false")
}
