package toolschema

import (
	"encoding/json"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm/untrusted"
)

func TestAServersWordsInASchemaAreMarked(t *testing.T) {
	t.Parallel()
	const bad = "a\u202eb"
	for name, c := range map[string]struct{ in, want string }{
		"a property's description":  {`{"properties":{"a":{"description":"` + bad + `"}}}`, `{"type":"object","properties":{"a":{"description":"a‹U+202E›b"}}}`},
		"written as an escape":      {`{"properties":{"a":{"title":"a\u202eb"}}}`, `{"type":"object","properties":{"a":{"title":"a‹U+202E›b"}}}`},
		"its own":                   {`{"description":"` + bad + `"}`, `{"type":"object","description":"a‹U+202E›b","properties":{}}`},
		"deep inside":               {`{"properties":{"a":{"type":"array","items":{"anyOf":[{"title":"` + bad + `"}]}}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"title":"a‹U+202E›b"}]}}}}`},
		"of a definition":           {`{"$defs":{"` + bad + `":{"title":"` + bad + `"}},"properties":{"a":{"$ref":"#/$defs/` + bad + `"}}}`, `{"type":"object","properties":{"a":{"title":"a‹U+202E›b"}}}`},
		"of a choice":               {`{"properties":{"a":{"oneOf":[{"const":"x","title":"` + bad + `"}]}}}`, `{"type":"object","properties":{"a":{"oneOf":[{"type":"string","const":"x","title":"a‹U+202E›b"}]}}}`},
		"of an extension":           {`{"properties":{"a":{"enum":["x"],"enumNames":["` + bad + `"],"x-` + bad + `":{"say":"` + bad + `"}}}}`, `{"type":"object","properties":{"a":{"type":"string","enum":["x"],"enumNames":["a‹U+202E›b"],"x-a‹U+202E›b":{"say":"a‹U+202E›b"}}}}`},
		"of a pattern for names":    {`{"properties":{"a":{"patternProperties":{"^x":{"description":"` + bad + `"}}}}}`, `{"type":"object","properties":{"a":{"type":"object","patternProperties":{"^x":{"description":"a‹U+202E›b"}}}}}`},
		"a rule in words":           {`{"not":{"title":"` + bad + `"}}`, `{"type":"object","description":"not: {\"title\":\"a‹U+202E›b\"}.","properties":{}}`},
		"a property called default": {`{"properties":{"default":{"title":"` + bad + `"}}}`, `{"type":"object","properties":{"default":{"title":"a‹U+202E›b"}}}`},
		"nothing to mark":           {`{"properties":{"größe":{"title":"می\u200cخواهم","default":1.10,"maximum":1e400,"x":"\u00fc"}}}`, `{"type":"object","properties":{"größe":{"title":"می\u200cخواهم","default":1.10,"maximum":1e400,"x":"\u00fc"}}}`},
		"values that aren't cut":    {`{"properties":{"a":{"const":"` + strings.Repeat("x", 2000) + `"}}}`, `{"type":"object","properties":{"a":{"type":"string","const":"` + strings.Repeat("x", 2000) + `"}}}`},
	} {
		if got := Adapt(json.RawMessage(c.in), OpenAI()); string(got.Schema) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got.Schema, c.want)
		}
	}
}

func TestLongWordsInASchemaAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("w ", 1000)
	for name, in := range map[string]string{
		"a description":          `{"properties":{"a":{"description":"` + long + `"}}}`,
		"a title":                `{"title":"` + long + `"}`,
		"an extension":           `{"x-note":["` + long + `"]}`,
		"what is no description": `{"properties":{"a":{"description":{"a":"` + long + `"}}}}`,
	} {
		got := Adapt(json.RawMessage(in), OpenAI())
		if len(got.Schema) > maxSaid+100 || !strings.Contains(string(got.Schema), "(cut: it is 2000 bytes long)") || len(got.Badges) != 1 {
			t.Errorf("%s: got %d bytes with %q", name, len(got.Schema), got.Badges)
		}
	}
	many := `{"allOf":[` + strings.Repeat(`{"description":"`+long+`"},`, 30) + `{}]}`
	if got := Adapt(json.RawMessage(`{"properties":{"a":`+many+`}}`), Compatible()); len(got.Schema) > maxDescription+100 {
		t.Errorf("got %d bytes of many descriptions", len(got.Schema))
	}
	deep := strings.Repeat(`[`, 100) + `"` + long + `"` + strings.Repeat(`]`, 100)
	if got := Adapt(json.RawMessage(`{"x-note":`+deep+`}`), OpenAI()); !strings.Contains(string(got.Schema), "nested too deep") {
		t.Errorf("got %s", got.Schema)
	}
}

// A name in which something can't be seen goes out under an alias, a value with marks;
// the server gets both as it knows them.
func TestWhatCantBeSeenComesBack(t *testing.T) {
	t.Parallel()
	in := `{"properties":{"pa\u200bth":{"type":"string","enum":["a\u202eb","c"]},"ok":{"default":"d\ufeff"}},"required":["pa\u200bth"]}`
	for _, r := range []Rules{OpenAI(), Anthropic(), Compatible()} {
		a := Adapt(json.RawMessage(in), r)
		var s struct{ Required []string }
		if err := json.Unmarshal(a.Schema, &s); err != nil || len(s.Required) != 1 {
			t.Fatalf("got %s, %v", a.Schema, err)
		}
		got := a.Restore(json.RawMessage(`{"` + s.Required[0] + `":"a‹U+202E›b","ok":["d‹U+FEFF›","e‹U+FEFF›",1.50]}`))
		if want := "{\"pa\u200bth\":\"a\u202eb\",\"ok\":[\"d\ufeff\",\"e‹U+FEFF›\",1.50]}"; string(got) != want {
			t.Errorf("%s: got %+q, want %+q", r.Provider, got, want)
		}
	}
}

// A property may be called as the alias of another is: both keep a name of their own.
func TestAnAliasMeetsNoName(t *testing.T) {
	t.Parallel()
	first := Adapt(json.RawMessage(`{"properties":{"$a":{}},"required":["$a"]}`), Anthropic())
	var s struct{ Required []string }
	_ = json.Unmarshal(first.Schema, &s)
	both := Adapt(json.RawMessage(`{"properties":{"$a":{},"`+s.Required[0]+`":{}},"required":["$a","`+s.Required[0]+`"]}`), Anthropic())
	_ = json.Unmarshal(both.Schema, &s)
	if s.Required[0] == s.Required[1] {
		t.Fatalf("got %s", both.Schema)
	}
	if got, want := string(both.Restore(json.RawMessage(`{"`+s.Required[0]+`":1,"`+s.Required[1]+`":2}`))), `{"$a":1,"`+first.back.shown("$a")+`":2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// shown is the name that a real one goes out under.
func (b back) shown(real string) string {
	for shown, r := range b.names {
		if r == real {
			return shown
		}
	}
	return real
}

// unseen returns a string of JSON with something in it that can't be seen.
func unseen(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if untrusted.Visible(k) != k {
				return k
			}
			if s := unseen(e); s != "" {
				return s
			}
		}
	case []any:
		for _, e := range v {
			if s := unseen(e); s != "" {
				return s
			}
		}
	case string:
		if untrusted.Visible(v) != v {
			return v
		}
	}
	return ""
}
