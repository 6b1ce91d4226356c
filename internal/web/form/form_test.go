package form_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/web/form"
	"kontor.dev/kontor/templates"
)

const every = `{"type":"object","required":["name","count","agree"],"properties":{
	"name":{"type":"string","title":"Your name","minLength":2},
	"email":{"type":"string","format":"email"},
	"count":{"type":"integer","minimum":1,"maximum":9007199254740993},
	"ratio":{"type":"number","default":0.50},
	"agree":{"type":"boolean","default":true},
	"plain":{"type":"string","enum":["a","b"],"default":"b"},
	"named":{"type":"string","enum":["x","y"],"enumNames":["Ex","Why"]},
	"titled":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]},
	"many":{"type":"array","items":{"enum":["m","n"]},"minItems":1,"default":["n"]},
	"anyOf":{"type":"array","items":{"anyOf":[{"const":"p","title":"P!"},{"const":"q","title":"Q!"}]}},
	"api_token":{"type":"string"},
	"odd":{"type":"object"},
	"long":{"type":"string","maxLength":2000}
}}`

func TestEveryKindOfField(t *testing.T) {
	t.Parallel()
	fields := form.Parse(json.RawMessage(every)).Fields()
	var got []string
	for _, f := range fields {
		got = append(got, f.Name+" "+string(f.Kind))
	}
	want := "name text, email text, count text, ratio text, agree boolean, plain choice, named choice, titled choice, many choices, anyOf choices, api_token secret, odd json, long long"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("kinds, in the schema's order:\n got %s\nwant %s", s, want)
	}
	for i, want := range map[int]string{1: "email", 2: "text"} {
		if fields[i].InputType != want {
			t.Errorf("%s: got input type %q, want %q", fields[i].Name, fields[i].InputType, want)
		}
	}
	if got := fields[2].Help; got != "Whole number, 1 to 9007199254740993" {
		t.Errorf("limits: got %q", got)
	}
	if got := fields[3].Value; got != "0.50" {
		t.Errorf("default: got %q, want 0.50 as it was sent", got)
	}
	if got := fields[6].Options[1].Title; got != "Why" {
		t.Errorf("enumNames: got %q, want Why", got)
	}
	if !fields[4].Options[0].Chosen || !fields[5].Options[1].Chosen || !fields[8].Options[1].Chosen {
		t.Error("defaults aren't chosen")
	}
}

func TestSecretsAreMaskedHoweverTheyAreMarked(t *testing.T) {
	t.Parallel()
	for property, want := range map[string]templates.FieldKind{
		`"value":{"type":"string","format":"password"}`:                 templates.FieldSecret,
		`"value":{"type":"string","writeOnly":true}`:                    templates.FieldSecret,
		`"value":{"type":"string","writeOnly":true,"maxLength":1000}`:   templates.FieldSecret,
		`"API_TOKEN":{"type":"string","maxLength":1000}`:                templates.FieldSecret,
		`"token_kind":{"type":"string","enum":["a","b"]}`:               templates.FieldChoice,
		`"max_tokens":{"type":"integer","description":"Not a secret."}`: templates.FieldText,
	} {
		fields := form.Parse(json.RawMessage(`{"type":"object","properties":{` + property + `}}`)).Fields()
		if got := fields[0].Kind; got != want {
			t.Errorf("%s: got %s, want %s", property, got, want)
		}
	}
}

func TestAnAnswerIsReadExactly(t *testing.T) {
	t.Parallel()
	f := form.Parse(json.RawMessage(every))
	got, ok := f.Read(url.Values{
		"f0": {"Ann \"A\""}, "f2": {" 9007199254740993 "}, "f3": {"1.50"}, "f4": {"false"}, "f5": {"0"}, "f7": {"1"},
		"f8": {"0", "1"}, "f10": {"s3cret"}, "f11": {`{"a": [1]}`}, "f12": {"two\r\nlines"}, "unknown": {"x"},
	})
	want := `{"name":"Ann \"A\"","count":9007199254740993,"ratio":1.50,"agree":false,"plain":"a","titled":"g","many":["m","n"],"api_token":"s3cret","odd":{"a": [1]},"long":"two\nlines"}`
	if !ok || string(got) != want {
		t.Errorf("got %s %v\nwant %s", got, ok, want)
	}
	for _, field := range f.Fields() {
		if field.Kind == templates.FieldSecret && field.Value != "" {
			t.Error("the secret is drawn again")
		}
	}
}

func TestWhatCantBeSentIsSaidAtItsField(t *testing.T) {
	t.Parallel()
	f := form.Parse(json.RawMessage(every))
	if _, ok := f.Read(url.Values{"f2": {"many"}, "f11": {"{"}}); ok {
		t.Error("the form is taken")
	}
	wrong := map[string]string{}
	for _, field := range f.Fields() {
		if field.Error != "" {
			wrong[field.Name] = field.Error
		}
	}
	for name, want := range map[string]string{"name": "required", "count": "number", "odd": "JSON", "agree": "required"} {
		if !strings.Contains(wrong[name], want) {
			t.Errorf("%s: got %q, want something about %s", name, wrong[name], want)
		}
	}
	if len(wrong) != 4 {
		t.Errorf("got errors at %v, want at four fields", wrong)
	}
}

func TestOddSchemasAreAYesOrNo(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{``, `null`, `[]`, `{"type":"object"}`, `{"properties":[]}`, `{"properties":{}}`, `"x"`} {
		f := form.Parse(json.RawMessage(schema))
		answer, ok := f.Read(nil)
		if len(f.Fields()) != 0 || !ok || string(answer) != "{}" {
			t.Errorf("%s: got %d fields, answer %s %v", schema, len(f.Fields()), answer, ok)
		}
	}
}

func TestAMessageFindsItsField(t *testing.T) {
	t.Parallel()
	f := form.Parse(json.RawMessage(every))
	if !f.Refuse("odd.deep", "must be text") || f.Refuse("nobody", "is required") {
		t.Error("messages are put to the wrong fields")
	}
}

func TestAnswersAreObjects(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]bool{
		"": true, "{}": true, `{"type":"object"}`: true, `{"type":["object","null"]}`: true,
		`{"type":"string"}`: false, `{"type":"array"}`: false,
	} {
		if got := form.Answerable(json.RawMessage(schema)); got != want {
			t.Errorf("%s: got %v, want %v", schema, got, want)
		}
	}
}
