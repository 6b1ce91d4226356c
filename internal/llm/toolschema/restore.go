package toolschema

import "encoding/json"

// back leads from what a model was shown to what the server knows.
type back struct {
	names, values map[string]string
}

func (b *back) name(shown, real string) {
	if b.names == nil {
		b.names = map[string]string{}
	}
	b.names[shown] = real
}

func (b *back) value(shown, real string) {
	if b.values == nil {
		b.values = map[string]string{}
	}
	b.values[shown] = real
}

// Restore gives the properties of a model's arguments the names that the server
// knows, and the values that were marked for it their characters.
func (a Adapted) Restore(arguments json.RawMessage) json.RawMessage {
	if len(a.back.names)+len(a.back.values) == 0 {
		return arguments
	}
	v := parse(arguments, 0)
	if v == nil {
		return arguments
	}
	return encode(a.back.restore(v))
}

func (b back) restore(v any) any {
	switch v := v.(type) {
	case *object:
		out := newObject()
		for _, k := range v.keys {
			name := k
			if real, ok := b.names[k]; ok {
				name = real
			}
			out.set(name, b.restore(v.values[k]))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = b.restore(e)
		}
		return out
	case json.RawMessage:
		if real, ok := b.values[text(v)]; ok {
			return quoted(real)
		}
	}
	return v
}
