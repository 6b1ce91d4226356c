package wire

import (
	"bytes"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"kontor.dev/kontor/internal/model"
)

// Value is a setting that may be a secret, both ways.
//
// Read: a string when it is a `${VAR}` reference, `{value, plain: true}` when the
// person marked it as no secret, `{set: true}` when it is one.
//
// Written: a string sets it, `{value, plain: true}` sets it in clear,
// `{set: true}` keeps what is stored, null clears it.
type Value struct {
	Text  string
	Plain bool
	// Keep and Clear are what a write can ask for instead.
	Keep, Clear bool
	// sent tells null from left out, which decode to the same otherwise.
	sent bool
}

type valueObject struct {
	Set   bool    `json:"set,omitempty"`
	Value *string `json:"value,omitempty"`
	Plain bool    `json:"plain,omitempty"`
}

// ValueOf masks a stored value for reading.
func ValueOf(v model.Value) Value {
	if v.Secret() {
		return Value{Keep: true}
	}
	return Value{Text: v.Text, Plain: v.Plain}
}

// MarshalJSON writes what may be read.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case v.Keep:
		return []byte(`{"set":true}`), nil
	case v.Plain:
		return json.Marshal(valueObject{Value: &v.Text, Plain: true})
	}
	return json.Marshal(v.Text)
}

// UnmarshalJSON reads any of the ways to write a value. Its errors never hold it.
func (v *Value) UnmarshalJSON(data []byte) error {
	*v = Value{sent: true}
	data = bytes.TrimSpace(data)
	if bytes.Equal(data, []byte("null")) {
		v.Clear = true
		return nil
	}
	if len(data) > 0 && data[0] == '"' {
		if json.Unmarshal(data, &v.Text) != nil {
			return errValue
		}
		return nil
	}
	var o valueObject
	if json.Unmarshal(data, &o) != nil {
		return errValue
	}
	switch {
	case o.Value != nil:
		v.Text, v.Plain = *o.Value, o.Plain
	case o.Set:
		v.Keep = true
	default:
		return errValue
	}
	return nil
}

var errValue = model.Errorf(model.CodeInvalid, "a value is a string, {value, plain}, {set: true} or null")

// stored says what to store, given what is stored now. Of a value that was left
// out only a secret stays: what can be read would have been sent back.
func (v Value) stored(old model.Value) model.Value {
	switch {
	case v.Clear, !v.sent && !old.Secret():
		return model.Value{}
	case !v.sent:
		return old
	case v.Keep:
		return old
	}
	return model.Value{Text: v.Text, Plain: v.Plain}
}

// Schema is the shape in the OpenAPI document.
func (Value) Schema(huma.Registry) *huma.Schema {
	object := &huma.Schema{
		Type: huma.TypeObject,
		Properties: map[string]*huma.Schema{
			"set":   {Type: huma.TypeBoolean, Description: "There is a value that can't be read; written back, it is kept"},
			"value": {Type: huma.TypeString},
			"plain": {Type: huma.TypeBoolean, Description: "The person says that it is no secret"},
		},
	}
	return &huma.Schema{
		Description: "A setting that may be a secret: a string (read only when it is a ${VAR} reference), {value, plain: true}, or {set: true}. Writing null clears it.",
		// Not OneOf: huma takes anything for a null.
		AnyOf: []*huma.Schema{{Type: huma.TypeString}, object, {Type: "null"}},
	}
}
