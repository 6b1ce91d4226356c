package toolschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestAdaptGivesEachProviderWhatItTakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    string
		rules Rules
		want  string
		badge string // part of one; empty wants none
	}{
		"no properties":            {`{"type":"object"}`, OpenAI(), `{"type":"object","properties":{}}`, ""},
		"only $schema":             {`{"$schema":"http://json-schema.org/draft-07/schema#"}`, Anthropic(), `{"type":"object","properties":{}}`, ""},
		"nothing":                  {``, OpenAI(), `{"type":"object","properties":{}}`, ""},
		"no JSON":                  {`{"type":`, OpenAI(), `{"type":"object","properties":{}}`, "could not be read"},
		"a boolean":                {`true`, OpenAI(), `{"type":"object","properties":{}}`, "could not be read"},
		"no root type":             {`{"properties":{"name":{"type":"string","title":"Name"}},"required":["name"],"title":"greetArguments"}`, OpenAI(), `{"type":"object","properties":{"name":{"type":"string","title":"Name"}},"required":["name"],"title":"greetArguments"}`, ""},
		"additionalProperties":     {`{"type":"object","properties":{},"additionalProperties":false,"$schema":"x"}`, Compatible(), `{"type":"object","properties":{}}`, ""},
		"root union":               {`{"type":"object","properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, Anthropic(), `{"type":"object","properties":{"a":{},"b":{}},"description":"Exactly one of these must hold: it has a; it has b."}`, "oneOf"},
		"root allOf":               {`{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}}}]}`, OpenAI(), `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`, ""},
		"a reference":              {`{"type":"object","$defs":{"K":{"type":"string","enum":["a","b"]}},"properties":{"k":{"$ref":"#/$defs/K","default":"a"}}}`, OpenAI(), `{"type":"object","properties":{"k":{"type":"string","enum":["a","b"],"default":"a"}}}`, ""},
		"a reference to nowhere":   {`{"properties":{"k":{"$ref":"file:///etc/passwd","title":"K"}}}`, OpenAI(), `{"type":"object","properties":{"k":{"title":"K"}}}`, "leads nowhere"},
		"a list of types, kept":    {`{"properties":{"a":{"type":["string","null"]}}}`, Anthropic(), `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, ""},
		"a list of types":          {`{"properties":{"a":{"type":["string","null"]},"m":{"type":["array","null"],"items":{"type":["string","null"]}}}}`, Compatible(), `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"m":{"anyOf":[{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}},{"type":"null"}]}}}`, ""},
		"nullable":                 {`{"properties":{"a":{"type":"string","nullable":true}}}`, OpenAI(), `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, ""},
		"booleans":                 {`{"properties":{"a":true,"b":false}}`, OpenAI(), `{"type":"object","properties":{"a":{},"b":{"description":"Must not be given."}}}`, ""},
		"an array without items":   {`{"properties":{"a":{"type":"array"}}}`, OpenAI(), `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`, ""},
		"made-up types":            {`{"properties":{"a":{"type":"int"},"b":{"type":"any"},"c":{"type":"float"}}}`, Anthropic(), `{"type":"object","properties":{"a":{"type":"integer"},"b":{},"c":{"type":"number"}}}`, ""},
		"a type by its enum":       {`{"properties":{"a":{"enum":["x"]}}}`, Compatible(), `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`, ""},
		"draft 4 bounds":           {`{"properties":{"a":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`, Anthropic(), `{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":0}}}`, ""},
		"draft 3 required":         {`{"properties":{"a":{"type":"string","required":true},"b":{"type":"string","required":false}}}`, OpenAI(), `{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, ""},
		"formats":                  {`{"properties":{"a":{"type":"string","format":"email"},"b":{"type":"string","format":"date-time"}}}`, Compatible(), `{"type":"object","properties":{"a":{"type":"string","description":"format: email."},"b":{"type":"string","format":"date-time"}}}`, ""},
		"a pattern":                {`{"properties":{"a":{"type":"string","pattern":"^x"}}}`, Compatible(), `{"type":"object","properties":{"a":{"type":"string","description":"pattern: ^x."}}}`, "pattern"},
		"a const":                  {`{"properties":{"a":{"const":5}}}`, Compatible(), `{"type":"object","properties":{"a":{"type":"number","enum":[5]}}}`, ""},
		"a tuple":                  {`{"properties":{"a":{"type":"array","items":[{"type":"string"},{"type":"number"}]}}}`, Anthropic(), `{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]},"description":"items in this order: [{\"type\":\"string\"},{\"type\":\"number\"}]."}}}`, "order"},
		"required without meaning": {`{"properties":{"a":{}},"required":["a","b"]}`, Compatible(), `{"type":"object","properties":{"a":{},"b":{}},"required":["a","b"]}`, ""},
		"an inner allOf":           {`{"properties":{"a":{"allOf":[{"type":"object","properties":{"x":{"type":"string"}}},{"required":["x"]}]}}}`, Compatible(), `{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}}`, ""},
		"exact numbers":            {`{"properties":{"a":{"type":"integer","maximum":12345678901234567890,"default":1.10}}}`, OpenAI(), `{"type":"object","properties":{"a":{"type":"integer","maximum":12345678901234567890,"default":1.10}}}`, ""},
		"a property called type":   {`{"properties":{"type":{"type":"string"},"$ref":{"type":"string"},"id":{"type":"string"}}}`, OpenAI(), `{"type":"object","properties":{"type":{"type":"string"},"$ref":{"type":"string"},"id":{"type":"string"}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Adapt(json.RawMessage(c.in), c.rules)
			if string(got.Schema) != c.want {
				t.Errorf("got  %s\nwant %s", got.Schema, c.want)
			}
			badges := strings.Join(got.Badges, "; ")
			if (c.badge == "") != (badges == "") || !strings.Contains(badges, c.badge) {
				t.Errorf("got badges %q, want %q", badges, c.badge)
			}
		})
	}
}

func TestASchemaThatContainsItselfEnds(t *testing.T) {
	t.Parallel()
	in := `{"type":"object","properties":{"child":{"$ref":"#"},"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"}},
		"$defs":{"n":{"type":"object","properties":{"l":{"$ref":"#/$defs/n"},"r":{"$ref":"#/$defs/n"},"up":{"$ref":"#"}}}}}`
	for _, r := range []Rules{OpenAI(), Anthropic(), Compatible()} {
		got := Adapt(json.RawMessage(in), r)
		if !json.Valid(got.Schema) || len(got.Schema) > r.MaxBytes || !strings.Contains(strings.Join(got.Badges, " "), "contains itself") {
			t.Errorf("%s: got %d bytes, badges %q", r.Provider, len(got.Schema), got.Badges)
		}
	}
}

func TestWhatIsTooDeepIsToldInWords(t *testing.T) {
	t.Parallel()
	in := `{"type":"string"}`
	for range 30 {
		in = `{"type":"object","properties":{"x":` + in + `}}`
	}
	got := Adapt(json.RawMessage(in), Compatible())
	if n := strings.Count(string(got.Schema), `"properties"`); n > 10 || !strings.Contains(string(got.Schema), "As JSON Schema") || len(got.Badges) == 0 {
		t.Errorf("got %s with %q", got.Schema, got.Badges)
	}
}

func TestWhatIsTooLongIsShortenedAndStaysASchema(t *testing.T) {
	t.Parallel()
	for name, property := range map[string]string{
		"long words": `{"type":"string","description":"` + strings.Repeat("x", 500) + `"}`,
		"many deep":  `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string","description":"` + strings.Repeat("y", 500) + `"}}}}}`,
	} {
		var in strings.Builder
		in.WriteString(`{"type":"object","properties":{"first":{"type":"string"}`)
		for i := range 200 {
			fmt.Fprintf(&in, `,"p%d":%s`, i, property)
		}
		in.WriteString(`}}`)
		got := Adapt(json.RawMessage(in.String()), Compatible())
		if len(got.Schema) > Compatible().MaxBytes || !json.Valid(got.Schema) || !strings.Contains(string(got.Schema), `"p199"`) || len(got.Badges) == 0 {
			t.Errorf("%s: got %d bytes, badges %q", name, len(got.Schema), got.Badges)
		}
	}
}

func TestNamesThatAProviderRefusesComeBack(t *testing.T) {
	t.Parallel()
	in := `{"properties":{"$filter":{"type":"string"},"ok":{"type":"object","properties":{"größe in cm":{"type":"number"}}}},"required":["$filter"]}`
	a := Adapt(json.RawMessage(in), Anthropic())
	var s struct {
		Properties map[string]struct{ Properties map[string]any }
		Required   []string
	}
	if err := json.Unmarshal(a.Schema, &s); err != nil {
		t.Fatal(err)
	}
	alias := s.Required[0]
	if _, ok := s.Properties[alias]; !ok || !Anthropic().Keys.MatchString(alias) {
		t.Fatalf("got %s", a.Schema)
	}
	for inner := range s.Properties["ok"].Properties {
		got := a.Restore(json.RawMessage(`{"` + alias + `":"a","ok":{"` + inner + `":1.50},"other":[1]}`))
		if want := `{"$filter":"a","ok":{"größe in cm":1.50},"other":[1]}`; string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if again := Adapt(json.RawMessage(in), Anthropic()); string(again.Schema) != string(a.Schema) {
		t.Error("the same schema is adapted in two ways")
	}
}

func TestForChoosesByAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		provider, base string
		narrow         bool
	}{
		{"openai", "", false}, {"openai", "https://api.openai.com/v1", false}, {"anthropic", "http://localhost", false},
		{"openai", "http://localhost:11434/v1", true}, {"openai", "https://api.openai.com.evil.example/v1", true}, {"scripted", "", true},
	} {
		if got := For(c.provider, c.base).Narrow; got != c.narrow {
			t.Errorf("%s at %q: got narrow %v", c.provider, c.base, got)
		}
	}
}

func FuzzAdapt(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}},"oneOf":[true,{"not":false}]}`)
	f.Add(`{"properties":[],"required":{},"type":{},"items":[],"enum":3,"allOf":[1,null]}`)
	f.Add("{\"properties\":{\"a\u202e\":{\"enum\":[\"\u200b\",1],\"title\":\"\ufeff\",\"x\u2066\":{\"\u2067\":\"\u2069\"}}},\"not\":{\"const\":\"\u00ad\"}}")
	f.Add(`{"$defs":{"\u200b":{"description":"\u202e"}},"properties":{"b":{"$ref":"#/$defs/\u200b"}},"dependentRequired":{"\u200b":["\u200b"]}}`)
	f.Add(`{"x":` + strings.Repeat("[", 80) + `"\u202e"` + strings.Repeat("]", 80) + `}`)
	f.Fuzz(func(t *testing.T, in string) {
		for _, r := range []Rules{OpenAI(), Anthropic(), Compatible()} {
			got := Adapt(json.RawMessage(in), r)
			var s map[string]json.RawMessage
			if err := json.Unmarshal(got.Schema, &s); err != nil || string(s["type"]) != `"object"` || s["properties"] == nil || len(got.Schema) > r.MaxBytes {
				t.Errorf("%s: %q became %s (%v)", r.Provider, in, got.Schema, err)
			}
			var v any
			if err := json.Unmarshal(got.Schema, &v); err == nil && unseen(v) != "" {
				t.Errorf("%s: %q became %s, where %+q can't be seen", r.Provider, in, got.Schema, unseen(v))
			}
		}
	})
}
