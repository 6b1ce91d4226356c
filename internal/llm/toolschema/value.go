package toolschema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A value is an *object, a []any of values, or a json.RawMessage for everything
// else: order, digits and escapes stay as they were written.

// object is a JSON object that keeps the order of its keys.
type object struct {
	keys   []string
	values map[string]any
}

func newObject() *object { return &object{values: map[string]any{}} }

func (o *object) set(key string, v any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) drop(key string) {
	if _, ok := o.values[key]; ok {
		delete(o.values, key)
		o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
	}
}

// first moves a member to the front, where a reader looks for it.
func (o *object) first(key string) {
	if v, ok := o.values[key]; ok {
		o.drop(key)
		o.keys = slices.Insert(o.keys, 0, key)
		o.values[key] = v
	}
}

func (o *object) has(key string) bool { _, ok := o.values[key]; return ok }

// text is a string member, or "".
func (o *object) text(key string) string { return text(o.values[key]) }

func (o *object) clone() *object {
	c := newObject()
	for _, k := range o.keys {
		c.set(k, o.values[k])
	}
	return c
}

func text(v any) string {
	var s string
	if raw, ok := v.(json.RawMessage); ok {
		_ = json.Unmarshal(raw, &s)
	}
	return s
}

func quoted(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return bytes.TrimSpace(b.Bytes())
}

// maxParse is how deep values are taken apart; what is deeper stays as written.
const maxParse = 64

// parse takes JSON apart; nil for what is none.
func parse(raw json.RawMessage, depth int) any {
	raw = bytes.TrimSpace(raw)
	if depth == 0 && !json.Valid(raw) {
		return nil
	}
	if depth > maxParse {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	switch raw[0] {
	case '{':
		o := newObject()
		_, _ = d.Token()
		for d.More() {
			key, _ := d.Token()
			var v json.RawMessage
			if d.Decode(&v) != nil {
				return nil
			}
			o.set(key.(string), parse(v, depth+1))
		}
		return o
	case '[':
		list := []any{}
		_, _ = d.Token()
		for d.More() {
			var v json.RawMessage
			if d.Decode(&v) != nil {
				return nil
			}
			list = append(list, parse(v, depth+1))
		}
		return list
	}
	return raw
}

// encode writes a value without blanks.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	write(&b, v)
	return b.Bytes()
}

func write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case *object:
		b.WriteByte('{')
		for i, k := range v.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(quoted(k))
			b.WriteByte(':')
			write(b, v.values[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, e)
		}
		b.WriteByte(']')
	case json.RawMessage:
		_ = json.Compact(b, v)
	}
}
