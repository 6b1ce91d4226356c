package policy

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, text string
		want          bool
	}{
		{"read", "read", true},
		{"read", "Read", false},
		{"read", "read_file", false},
		{"read", "pread", false},
		{"read*", "read", true},
		{"read*", "read_file", true},
		{"*read", "pread", true},
		{"*", "", true},
		{"*", "anything\nat all", true},
		{"", "", true},
		{"", "a", false},
		{"a*b*c", "abc", true},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "a-b-c-", false},
		{"*ab", "aab", true},
		{"**a**", "xax", true},
		{"?", "a", false},
		{"[a-z]", "a", false},
		{`\*`, "*", false},
		{"/tmp/*", "/tmp/../etc/passwd", true}, // a pattern knows no paths
		{"a*a", "a", false},
		{"ab*ba", "aba", false},
		{"*a*b", "ab-a", false},
		{"a**b", "a*b", true},
		{"ä*", "äöü", true},
	} {
		if got := glob(tc.pattern, tc.text); got != tc.want {
			t.Errorf("glob(%q, %q) = %v", tc.pattern, tc.text, got)
		}
	}
}

func TestARuleFitsByAllItsFields(t *testing.T) {
	t.Parallel()
	call := model.PolicySubject{Tool: model.Tool{Server: "ssh", Name: "run"}, Asker: model.Asker{Kind: "subagent", Label: "agent"},
		Agent: "researcher", Arguments: json.RawMessage(`{"host":"a"}`)}
	for _, tc := range []struct {
		rule model.Rule
		want bool
	}{
		{model.Rule{}, true},
		{model.Rule{Server: "ssh"}, true},
		{model.Rule{Server: "SSH"}, false},
		{model.Rule{Server: "ss"}, false},
		{model.Rule{Tool: "r*"}, true},
		{model.Rule{Tool: "mcp__ssh__run"}, false},
		{model.Rule{Agent: "researcher", Asker: "sub*", Server: "ssh", Tool: "run"}, true},
		{model.Rule{Agent: "main", Server: "ssh", Tool: "run"}, false},
		{model.Rule{Asker: "agent", Server: "ssh", Tool: "run"}, false},
		{model.Rule{Server: "ssh", Argument: &model.ArgumentPattern{Path: "/host", Pattern: "a"}}, true},
		{model.Rule{Server: "ssh", Argument: &model.ArgumentPattern{Path: "/host", Pattern: "b"}}, false},
	} {
		if got := fits(tc.rule, call); got != tc.want {
			t.Errorf("%+v: %v", tc.rule, got)
		}
	}
	call.Agent = ""
	if fits(model.Rule{Agent: "main"}, call) || !fits(model.Rule{Agent: "*"}, call) {
		t.Error("a call without an agent")
	}
}

func TestArgumentsFit(t *testing.T) {
	t.Parallel()
	const arguments = `{"path":"/tmp/a","n":1.50,"big":12345678901234567890,"on":true,"none":null,"list":["x",{"k":"v"}],
		"":"empty","a/b":"slash","m~n":"tilde","o":{ "z": 1, "a": [ 1, 2 ] },"esc":"\u002ftmp\/b","text":"a*b"}`
	for _, tc := range []struct {
		path, pattern string
		want          bool
	}{
		{"/path", "/tmp/*", true},
		{"/path", "/etc/*", false},
		{"/path", "/TMP/*", false},
		{"/missing", "*", false},
		{"/path/deeper", "*", false},
		{"/n", "1.50", true},
		{"/n", "1.5", false},
		{"/big", "12345678901234567890", true},
		{"/big", "1234567890123456789*", true},
		{"/on", "true", true},
		{"/none", "null", true},
		{"/list/0", "x", true},
		{"/list/1/k", "v", true},
		{"/list/2", "*", false},
		{"/list/00", "*", false},
		{"/list/-", "*", false},
		{"/list/-1", "*", false},
		{"/", "empty", true},
		{"/a~1b", "slash", true},
		{"/a/b", "*", false},
		{"/m~0n", "tilde", true},
		{"/o", `{"a":[1,2],"z":1}`, true},
		{"/o", `{"z":1,"a":[1,2]}`, false},
		{"/esc", "/tmp/b", true},
		{"", `{"":"empty",*`, true},
	} {
		for _, action := range []model.PolicyAction{model.PolicyAllow, model.PolicyAsk, model.PolicyDeny} {
			p := model.ArgumentPattern{Path: tc.path, Pattern: tc.pattern}
			if got := fitsArguments(p, action, json.RawMessage(arguments)); got != tc.want {
				t.Errorf("%s: %q against %q = %v", action, tc.path, tc.pattern, got)
			}
		}
	}
	exact := model.ArgumentPattern{Path: "/text", Pattern: "a*b", Exact: true}
	if !fitsArguments(exact, model.PolicyAllow, json.RawMessage(arguments)) ||
		fitsArguments(exact, model.PolicyAllow, json.RawMessage(`{"text":"aXb"}`)) {
		t.Error("an exact pattern is a pattern")
	}
}

// A server may read ambiguous arguments otherwise than Kontor: what allows must fit
// every reading, what denies one.
func TestAmbiguousArgumentsAreNotAllowedAndAreDenied(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, arguments string
		allowed, denied bool
	}{
		{"one", `{"path":"/tmp/a"}`, true, true},
		{"twice, both fit", `{"path":"/tmp/a","path":"/tmp/b"}`, true, true},
		{"twice, the first fits", `{"path":"/tmp/a","path":"/etc"}`, false, true},
		{"twice, the last fits", `{"path":"/etc","path":"/tmp/a"}`, false, true},
		{"twice, by an escape", `{"path":"/tmp/a","p\u0061th":"/etc"}`, false, true},
		{"in another case beside it", `{"path":"/tmp/a","Path":"/etc"}`, false, true},
		{"only in another case", `{"PATH":"/tmp/a"}`, false, true},
		{"none fits", `{"path":"/etc","Path":"/etc"}`, false, false},
		{"missing", `{}`, false, false},
	} {
		p := model.ArgumentPattern{Path: "/path", Pattern: "/tmp/*"}
		if got := fitsArguments(p, model.PolicyAllow, json.RawMessage(tc.arguments)); got != tc.allowed {
			t.Errorf("%s: allowed %v", tc.name, got)
		}
		if got := fitsArguments(p, model.PolicyDeny, json.RawMessage(tc.arguments)); got != tc.denied {
			t.Errorf("%s: denied %v", tc.name, got)
		}
	}
}

func TestCanonicalTellsArgumentsApart(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{`{"a":1,"b":[true,null]}`, "{ \"b\": [ true , null ],\n\"a\": 1 }"},
		{`{"a":"é<"}`, `{"\u0061":"\u00e9\u003c"}`},
		{`[]`, ` [ ] `},
		{`{}`, `{ }`},
		{"{\"a\":\"\xff\"}", `{"a":"\ufffd"}`},
	}
	for _, pair := range same {
		a, b := canonical(nil, json.RawMessage(pair[0])), canonical(nil, json.RawMessage(pair[1]))
		if string(a) != string(b) || !json.Valid(a) {
			t.Errorf("%s and %s became %s and %s", pair[0], pair[1], a, b)
		}
	}
	var all []string
	for _, different := range []string{`{"a":1}`, `{"a":1.0}`, `{"a":"1"}`, `{"a":1,"a":2}`, `{"a":2,"a":1}`, `{"a":[1]}`, `{"a":{}}`, `{"A":1}`} {
		c := string(canonical(nil, json.RawMessage(different)))
		if slices.Contains(all, c) {
			t.Errorf("%s became %s, as another", different, c)
		}
		all = append(all, c)
	}
}

// What a model sends takes a rule no time to speak of, however it is nested and
// whatever the pattern.
func TestNoArgumentsTakeLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 4<<20)
	nested := func(depth int) json.RawMessage {
		return json.RawMessage(strings.Repeat(`{"z":[`, depth/2) + `"` + long + `"` + strings.Repeat(`],"a":0}`, depth/2))
	}
	deep := nested(9_000)
	for _, path := range []string{"", "/z", strings.Repeat("/z/0", 4_000)} {
		p := model.ArgumentPattern{Path: path, Pattern: "*"}
		if fitsArguments(p, model.PolicyAllow, deep) || !fitsArguments(p, model.PolicyDeny, deep) {
			t.Errorf("what is too deep to be read is allowed, or isn't denied, at %.20q", path)
		}
	}
	if got := canonical(nil, deep); !bytes.Equal(got, deep) {
		t.Errorf("got %d bytes", len(got))
	}
	if p := (model.ArgumentPattern{Path: "/z/0/a", Pattern: "0"}); !fitsArguments(p, model.PolicyAllow, nested(maxNesting)) ||
		fitsArguments(p, model.PolicyAllow, nested(maxNesting+2)) {
		t.Error("the limit isn't where it is said to be")
	}
	if glob(strings.Repeat("*"+long[:8<<10], 4)+"b*", long) {
		t.Error("there is no b")
	}
}

// A bracket in a string nests nothing.
func TestNesting(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{`"[[["`: 0, `{"[":"\"[{","b":[1,[]]}`: 3, `[{"\\":[]}]`: 3, ``: 0, `[[],[]]`: 2} {
		if got := nesting(json.RawMessage(value)); got != want {
			t.Errorf("%s: got %d, want %d", value, got, want)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("a*b*", "a-b-b")
	f.Add("**", "")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		parts := strings.Split(pattern, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		if !utf8.ValidString(pattern) || !utf8.ValidString(text) {
			return // regexp reads those otherwise
		}
		want := regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*") + `\z`).MatchString(text)
		if got := glob(pattern, text); got != want {
			t.Errorf("glob(%q, %q) = %v", pattern, text, got)
		}
	})
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"a":[{"b":"c"},1e400]}`, `{"a":{"a":{"a":[]}}}`, `{"a":1,"A":2,"a":3}`, `{"\u0061":"\ud800"}`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(seed), "/a", "*")
	}
	f.Fuzz(func(t *testing.T, arguments []byte, path, pattern string) {
		if !json.Valid(arguments) || nesting(arguments) > maxNesting || validPointer(path) != nil {
			return
		}
		p := model.ArgumentPattern{Path: path, Pattern: pattern}
		allowed := fitsArguments(p, model.PolicyAllow, arguments)
		if denied := fitsArguments(p, model.PolicyDeny, arguments); allowed && !denied {
			t.Errorf("%q at %q in %s allows and doesn't deny", pattern, path, arguments)
		}
		c := canonical(nil, arguments)
		if !json.Valid(c) {
			t.Fatalf("%s became %s", arguments, c)
		}
		if again := canonical(nil, c); string(again) != string(c) {
			t.Errorf("%s became %s, then %s", arguments, c, again)
		}
		whole := model.ArgumentPattern{Pattern: text(arguments), Exact: true}
		if !fitsArguments(whole, model.PolicyAllow, arguments) {
			t.Errorf("%s isn't the same as itself", arguments)
		}
	})
}
