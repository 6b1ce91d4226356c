package inbox

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func accept(schema, content string) (string, error) {
	a, err := check(model.Item{Mode: model.ElicitForm, Schema: json.RawMessage(schema)},
		model.Answer{Action: model.ActionAccept, Content: json.RawMessage(content)})
	return string(a.Content), err
}

func TestContentThatPasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, content, want string }{
		{"yes or no", `{"type":"object","properties":{}}`, ``, `{}`},
		{"no schema", ``, ``, `{}`},
		{"defaults of every kind", `{"type":"object","properties":{
			"s":{"type":"string","default":"a"},"i":{"type":"integer","default":9007199254740993},
			"n":{"type":"number","default":1.50},"e":{"type":"string","enum":["x","y"],"default":"y"},
			"b":{"type":"boolean","default":true},"l":{"type":"array","items":{"enum":["p","q"]},"default":["p"]}}}`,
			`{"s":"given"}`, `{"b":true,"e":"y","i":9007199254740993,"l":["p"],"n":1.50,"s":"given"}`},
		{"exact numbers", `{"type":"object","properties":{"i":{"type":"integer","minimum":9007199254740993}}}`, `{"i":9007199254740993}`, `{"i":9007199254740993}`},
		{"titled choice", `{"type":"object","properties":{"c":{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}}}`, `{"c":"g"}`, `{"c":"g"}`},
		{"old titled choice", `{"type":"object","properties":{"c":{"type":"string","enum":["r"],"enumNames":["Red"]}}}`, `{"c":"r"}`, `{"c":"r"}`},
		{"multi choice", `{"type":"object","properties":{"c":{"type":"array","items":{"anyOf":[{"const":"r"},{"const":"g"}]},"maxItems":2}}}`, `{"c":["r","g"]}`, `{"c":["r","g"]}`},
		{"a pattern of another dialect", `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=x)"}}}`, `{"a":"y"}`, `{"a":"y"}`},
		{"a schema that is none", `{"type":"banana"}`, `{"a":1}`, `{"a":1}`},
		{"a schema that points outside", `{"$ref":"file:///etc/passwd"}`, `{"a":1}`, `{"a":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := accept(c.schema, c.content); err != nil || got != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestContentThatIsRefusedFieldByField(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","required":["name","mail"],"properties":{
		"name":{"type":"string","minLength":2,"maxLength":4},"mail":{"type":"string","format":"email"},
		"site":{"type":"string","format":"uri"},"day":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"},
		"n":{"type":"number","minimum":0.5,"maximum":2},"i":{"type":"integer"},"b":{"type":"boolean"},
		"c":{"type":"string","enum":["r","g"]},"t":{"oneOf":[{"const":"r"},{"const":"g"}]},
		"m":{"type":"array","items":{"type":"string","enum":["r","g"]},"minItems":1,"maxItems":1}}}`
	for _, c := range []struct{ content, field, message string }{
		{`{"mail":"a@b.example"}`, "name", "is required"},
		{`{"name":"a","mail":"a@b.example"}`, "name", "must have at least 2 characters"},
		{`{"name":"hunter2","mail":"a@b.example"}`, "name", "must have at most 4 characters"},
		{`{"name":"abc","mail":"hunter2"}`, "mail", "must be a valid e-mail address"},
		{`{"name":"abc","mail":"a@b.example","site":"hunter2"}`, "site", "must be a valid address (such as https://example.com)"},
		{`{"name":"abc","mail":"a@b.example","day":"hunter2"}`, "day", "must be a valid date (such as 2026-11-30)"},
		{`{"name":"abc","mail":"a@b.example","at":"hunter2"}`, "at", "must be a valid date and time (such as 2026-11-30T14:05:00Z)"},
		{`{"name":"abc","mail":"a@b.example","n":0.25}`, "n", "must be at least 0.5"},
		{`{"name":"abc","mail":"a@b.example","n":3}`, "n", "must be at most 2"},
		{`{"name":"abc","mail":"a@b.example","i":1.5}`, "i", "must be a whole number"},
		{`{"name":"abc","mail":"a@b.example","b":"hunter2"}`, "b", "must be yes or no"},
		{`{"name":"abc","mail":"a@b.example","c":"hunter2"}`, "c", "must be one of the choices"},
		{`{"name":"abc","mail":"a@b.example","t":"hunter2"}`, "t", "must be one of the choices"},
		{`{"name":"abc","mail":"a@b.example","m":[]}`, "m", "choose at least 1"},
		{`{"name":"abc","mail":"a@b.example","m":["r","g"]}`, "m", "choose at most 1"},
		{`{"name":"abc","mail":"a@b.example","i":1e999999999}`, "i", "a number with so large an exponent can't be checked"},
		{`["hunter2"]`, "", "the answer must be a JSON object"},
		{`{"name":`, "", "the answer must be a JSON object"},
	} {
		t.Run(c.content, func(t *testing.T) {
			t.Parallel()
			_, err := accept(schema, c.content)
			var invalid *InvalidError
			if !errors.As(err, &invalid) || len(invalid.Fields) != 1 {
				t.Fatalf("got %v, want one field error", err)
			}
			if got := invalid.Fields[0]; got.Field != c.field || got.Message != c.message {
				t.Errorf("got %+v, want %s: %s", got, c.field, c.message)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error repeats the value: %v", err)
			}
			if model.CodeOf(err) != model.CodeInvalid {
				t.Errorf("code %s", model.CodeOf(err))
			}
		})
	}
}

func TestAnswersWithoutContentKeepNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode   model.ElicitationMode
		action model.Action
	}{{model.ElicitForm, model.ActionDecline}, {model.ElicitForm, model.ActionCancel}, {model.ElicitURL, model.ActionAccept}} {
		a, err := check(model.Item{Mode: c.mode, Schema: json.RawMessage(`{"required":["x"]}`)},
			model.Answer{Action: c.action, Content: json.RawMessage(`{"x":1}`)})
		if err != nil || a.Content != nil {
			t.Errorf("%v: got %s, %v", c, a.Content, err)
		}
	}
	if _, err := check(model.Item{}, model.Answer{Action: "approve"}); model.CodeOf(err) != model.CodeInvalid {
		t.Errorf("an unknown action passed: %v", err)
	}
}
