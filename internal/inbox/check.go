package inbox

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"

	"kontor.dev/kontor/internal/model"
)

// check makes an answer fit its item, or says why it can't.
func check(item model.Item, a model.Answer) (model.Answer, error) {
	switch item.Kind {
	case model.ItemApproval:
		return checkApproval(item, a)
	case model.ItemQuestion:
		return checkQuestion(a)
	case model.ItemNotification, model.ItemFinding:
		return model.Answer{Action: model.ActionAccept}, nil // it is read
	}
	switch a.Action {
	case model.ActionDecline, model.ActionCancel:
		return model.Answer{Action: a.Action}, nil
	case model.ActionAccept:
	default:
		return a, model.Errorf(model.CodeInvalid, "action must be accept, decline or cancel")
	}
	if item.Mode == model.ElicitURL {
		return model.Answer{Action: a.Action}, nil
	}
	content, err := withDefaults(item.Schema, a.Content)
	if err != nil {
		return a, err
	}
	if err := validate(item.Schema, content); err != nil {
		return a, err
	}
	return model.Answer{Action: a.Action, Content: content}, nil
}

// withDefaults adds the schema's default to every property left out. Values
// stay the bytes that they were.
func withDefaults(schema, content json.RawMessage) (json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(content)) > 0 {
		if err := json.Unmarshal(content, &values); err != nil || values == nil {
			return nil, &InvalidError{Fields: []FieldError{{Message: "the answer must be a JSON object"}}}
		}
	}
	for name, raw := range values {
		if hugeNumber.Match(raw) && !fitting(raw) {
			return nil, &InvalidError{Fields: []FieldError{{Field: name, Message: "a number with so large an exponent can't be checked"}}}
		}
	}
	var s struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	// A schema of another shape has no defaults to take.
	_ = json.Unmarshal(schema, &s)
	for name, p := range s.Properties {
		if _, given := values[name]; !given && p.Default != nil && !bytes.Equal(p.Default, []byte("null")) {
			values[name] = p.Default
		}
	}
	return json.Marshal(values)
}

var hugeNumber = regexp.MustCompile(`[0-9][eE][+-]?0*([0-9]{4,})`)

// fitting tells whether every number in raw can be held exactly at a sane cost:
// 1e999999999 is nine bytes here and gigabytes as an exact number.
func fitting(raw json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return true
		}
		n, ok := token.(json.Number)
		if !ok {
			continue
		}
		if m := hugeNumber.FindStringSubmatch(n.String()); m != nil {
			if exp, err := strconv.Atoi(m[1]); err != nil || exp > 4096 {
				return false
			}
		}
	}
}
