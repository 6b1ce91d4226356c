package toolschema

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Adapted is a schema as a provider takes it.
type Adapted struct {
	Schema json.RawMessage
	// Badges say what was changed, each in a few words, for the person; none for a
	// schema that goes out with its meaning whole.
	Badges []string
	back   back
}

// Adapt makes a provider's schema of a server's. It takes anything: what is no
// schema becomes one without arguments.
func Adapt(schema json.RawMessage, r Rules) Adapted {
	root, ok := parse(schema, 0).(*object)
	if !ok {
		a := &adapter{rules: r, root: newObject()}
		if len(schema) > 0 {
			a.badge("its schema could not be read")
		}
		return a.adapt()
	}
	// A schema that is too long loses its deepest parts first, then its words.
	var out Adapted
	for depth := r.MaxDepth; ; depth = min(depth-1, 4) {
		a := &adapter{rules: r, root: root, depth: depth, terse: depth <= 1}
		if depth < r.MaxDepth {
			a.badge(fmt.Sprintf("shortened: %s takes %d KB", r.Provider, r.MaxBytes>>10))
		}
		if out = a.adapt(); len(out.Schema) <= r.MaxBytes || depth <= 1 {
			break
		}
	}
	if len(out.Schema) > r.MaxBytes {
		a := &adapter{rules: r, root: newObject()}
		a.badge("its schema is too long to be sent; the model doesn't see its arguments")
		return a.adapt()
	}
	return out
}

// adapter is one run of Adapt.
type adapter struct {
	rules  Rules
	root   *object
	depth  int
	terse  bool
	nodes  int
	refs   []string
	badges []string
	back   back
}

const (
	// maxNodes bounds what references unfold to.
	maxNodes = 4000
	// maxUnroll is how often a reference may be inside itself.
	maxUnroll = 2
)

func (a *adapter) adapt() Adapted {
	out := a.object(a.root, 0)
	a.flatten(out)
	if _, ok := out.values["properties"].(*object); !ok {
		out.set("properties", newObject())
	}
	out.set("type", quoted("object"))
	out.first("type")
	a.demanded(out)
	schema := encode(a.guard(out, words, maxSaid))
	return Adapted{Schema: schema, Badges: a.badges, back: a.back}
}

func (a *adapter) badge(text string) {
	if !slices.Contains(a.badges, text) {
		a.badges = append(a.badges, text)
	}
}

// flatten takes what no provider wants at the root out of it: the properties of
// all branches stay, the rule between them goes into words.
func (a *adapter) flatten(root *object) {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		branches, ok := root.values[key].([]any)
		if !ok {
			continue
		}
		root.drop(key)
		for _, b := range branches {
			if b, ok := b.(*object); ok {
				merge(root, b, key == "allOf")
			}
		}
		if key != "allOf" || !onlyObjects(branches) {
			a.inWords(root, key, branches)
		}
	}
	for _, key := range []string{"not", "if", "then", "else", "enum", "const", "dependentSchemas", "dependentRequired"} {
		if v, ok := root.values[key]; ok {
			root.drop(key)
			a.inWords(root, key, v)
		}
	}
}

// demanded gives each required name a property: some APIs refuse others.
func (a *adapter) demanded(o *object) {
	list, ok := o.values["required"].([]any)
	properties, isObject := o.values["properties"].(*object)
	if !ok || !isObject {
		o.drop("required")
		return
	}
	for _, name := range list {
		if n := text(name); !properties.has(n) {
			properties.set(n, newObject())
		}
	}
	if len(list) == 0 {
		o.drop("required")
	}
}

// merge adds a branch's properties to an object; its demands only when the branch
// always holds.
func merge(to, branch *object, always bool) {
	if more, ok := branch.values["properties"].(*object); ok {
		properties, ok := to.values["properties"].(*object)
		if !ok {
			properties = newObject()
		}
		properties = properties.clone()
		for _, k := range more.keys {
			if !properties.has(k) {
				properties.set(k, more.values[k])
			}
		}
		to.set("properties", properties)
	}
	if more, ok := branch.values["required"].([]any); ok && always {
		list, _ := to.values["required"].([]any)
		for _, name := range more {
			if !slices.ContainsFunc(list, func(v any) bool { return text(v) == text(name) }) {
				list = append(slices.Clone(list), name)
			}
		}
		to.set("required", list)
	}
}

// onlyObjects says that merging says all of an allOf.
func onlyObjects(branches []any) bool {
	for _, b := range branches {
		o, ok := b.(*object)
		if !ok {
			return false
		}
		for _, k := range o.keys {
			if !slices.Contains([]string{"type", "properties", "required", "title", "description", "additionalProperties"}, k) {
				return false
			}
		}
	}
	return true
}
