package toolschema

import (
	"encoding/json"
	"testing"
)

func TestFitMendsOnlyWhatFits(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","$defs":{"L":{"type":"array"}},"required":["must"],"properties":{
		"tags":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}},
		"limit":{"type":"integer"},"ratio":{"type":"number"},"on":{"type":"boolean"},"text":{"type":"string"},
		"either":{"anyOf":[{"type":"array"},{"type":"string"}]},"maybe":{"anyOf":[{"type":"array"},{"type":"null"}],"default":null},
		"any":{},"ref":{"$ref":"#/$defs/L"},"must":{"type":"string"},"codes":{"enum":[1,2]}}}`
	for name, c := range map[string]struct {
		in, want string
		notes    int
	}{
		"nothing to mend":      {`{ "limit": 5, "n": 1.10 }`, `{ "limit": 5, "n": 1.10 }`, 0},
		"array and integer":    {`{"tags":"[\"a\"]","limit":"5"}`, `{"tags":["a"],"limit":5}`, 2},
		"long number":          {`{"limit":"12345678901234567890"}`, `{"limit":12345678901234567890}`, 1},
		"boolean and number":   {`{"on":"true","ratio":"1.10"}`, `{"on":true,"ratio":1.10}`, 2},
		"text stays text":      {`{"text":"{not json"}`, `{"text":"{not json"}`, 0},
		"text of JSON":         {`{"text":"[1]","either":"[1]","any":"[1]"}`, `{"text":"[1]","either":"[1]","any":"[1]"}`, 0},
		"what doesn't fit":     {`{"limit":"five","on":"1","tags":"{}","ratio":"null"}`, `{"limit":"five","on":"1","tags":"{}","ratio":"null"}`, 0},
		"a fraction":           {`{"limit":"5.5"}`, `{"limit":"5.5"}`, 0},
		"by reference":         {`{"ref":"[]"}`, `{"ref":[]}`, 1},
		"inside":               {`{"tags":[{"n":"7"},{"n":null}]}`, `{"tags":[{"n":7},{}]}`, 2},
		"inside text":          {`{"tags":"[{\"n\":\"7\"}]"}`, `{"tags":[{"n":7}]}`, 2},
		"null of an optional":  {`{"text":null,"limit":1}`, `{"limit":1}`, 1},
		"null that is allowed": {`{"maybe":null,"any":null}`, `{"maybe":null,"any":null}`, 0},
		"null of a required":   {`{"must":null}`, `{"must":null}`, 0},
		"by an enum":           {`{"codes":"1"}`, `{"codes":1}`, 1},
		"not an object":        {`[1]`, `[1]`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, notes := Fit(json.RawMessage(schema), json.RawMessage(c.in))
			if string(got) != c.want || len(notes) != c.notes {
				t.Errorf("got %s with %q, want %s with %d notes", got, notes, c.want, c.notes)
			}
		})
	}
}
