package llm_test

import (
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm"
)

func TestReadArgumentsKeepsThemOrSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    string
		cut   bool
		want  string
		fault string // part of it
	}{
		"an object":          {` {"a": 1.10, "n":12345678901234567890,"e":1e400} `, false, `{"a": 1.10, "n":12345678901234567890,"e":1e400}`, ""},
		"nothing":            {"", false, "{}", ""},
		"blanks":             {" \n", false, "{}", ""},
		"null":               {"null", false, "{}", ""},
		"text of an object":  {`"{\"a\":1}"`, false, `{"a":1}`, ""},
		"an empty one first": {`{}{"a":1}`, false, `{"a":1}`, ""},
		"a list":             {`[1]`, false, "", "not a JSON object but [1]"},
		"a number":           {`5`, false, "", "not a JSON object"},
		"text":               {`"hello"`, false, "", "not valid JSON"},
		"no JSON":            {`{"city": Zürich}`, false, "", "at byte 10"},
		"cut":                {`{"city":"Zü`, true, "", "end too early, after 12 bytes: …{\"city\":\"Zü. Your answer reached its length limit."},
		"cut, no limit":      {`{"city":"Zü`, false, "", "end too early"},
		"cut at once":        {"", true, "", "are missing. Your answer reached its length limit"},
		"two objects":        {`{"a":1}{"b":2}`, false, "", "not valid JSON"},
		"long rubbish":       {strings.Repeat("ü", 1000) + "!", false, "", "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, fault := llm.ReadArguments(c.in, c.cut)
			if string(got) != c.want || (fault == "") != (c.fault == "") || !strings.Contains(fault, c.fault) {
				t.Errorf("got %s and %q, want %s and %q", got, fault, c.want, c.fault)
			}
			if len(fault) > 400 {
				t.Errorf("the fault has %d bytes", len(fault))
			}
		})
	}
}

func TestCheckToolsNamesTheToolThatIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tools []string
		want  string
	}{
		"good":     {[]string{"a", "mcp__x__y-1"}, ""},
		"dots":     {[]string{"a", "admin.list"}, `"admin.list"`},
		"too long": {[]string{strings.Repeat("x", 65)}, strings.Repeat("x", 65)},
		"empty":    {[]string{""}, `""`},
		"twice":    {[]string{"a", "a"}, `Two tools would go to the model as "a"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tools []llm.Tool
			for _, n := range c.tools {
				tools = append(tools, llm.Tool{Name: n})
			}
			err := llm.CheckTools(tools)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestCallIDsAreTheSameForCallAndResult(t *testing.T) {
	t.Parallel()
	if got := llm.CallID("toolu_01-A"); got != "toolu_01-A" {
		t.Errorf("a good id became %q", got)
	}
	odd := strings.Repeat("x|", 40)
	if got := llm.CallID(odd); got != llm.CallID(odd) || len(got) > 40 || got == llm.CallID(odd+"y") {
		t.Errorf("got %q", got)
	}
}

func TestAnAnswerHasAnEnd(t *testing.T) {
	t.Parallel()
	var a llm.Answer
	piece := strings.Repeat("x", 1<<20)
	for range llm.MaxAnswer >> 20 {
		if _, err := a.Text(piece); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Text("x"); err == nil {
		t.Error("an answer may be longer than its limit")
	}
}
