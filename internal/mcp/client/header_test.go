package client

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestHeaderValue(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":            "plain",
		"with blank":       "with blank",
		" led":             "=?base64?IGxlZA==?=",
		"trailing ":        "=?base64?dHJhaWxpbmcg?=",
		"a\tb":             "=?base64?YQli?=",
		"two\r\nlines":     "=?base64?dHdvDQpsaW5lcw==?=",
		"漢":                "=?base64?5ryi?=",
		"":                 "=?base64??=",
		"=?base64?literal": "=?base64?literal",
		"=?base64?x?=":     "=?base64?PT9iYXNlNjQ/eD89?=",
	} {
		if got := headerValue(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestArgumentsAreMirroredAsText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"x"`: "x", `"\u00e9"`: "é", `true`: "true", `false`: "false", `7`: "7", `-7`: "-7",
		`1.0`: "1", `1e2`: "100", `-0`: "0", `9007199254740991`: "9007199254740991",
		`1.5`: "-", `9007199254740993`: "-", `1e400000`: "-", `null`: "-", `{}`: "-", `[1]`: "-", ``: "-",
	} {
		got, ok := argumentText(json.RawMessage(in))
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s became %q, want %q", in, got, want)
		}
	}
}

func TestANumberThatNoHeaderMayHaveIsRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	rules := []mirrored{{header: "N", path: []string{"n"}}}
	for arguments, refused := range map[string]bool{
		`{"n":1.5}`: true, `{"n":12345678901234567890}`: true, `{"n":7}`: false, `{"n":null}`: false, `{"n":[1.5]}`: false, `{}`: false,
	} {
		if _, err := mirror(rules, json.RawMessage(arguments)); errors.Is(err, ErrArguments) != refused {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

func TestReadAnnotations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, schema, want string }{
		{"none", `{"type":"object"}`, ""},
		{"string", `{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`, "A=a"},
		{"nested", `{"properties":{"o":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}`, "N=o.n"},
		{"property of that name", `{"properties":{"x-mcp-header":{"type":"string"}}}`, ""},
		{"in a default", `{"properties":{"a":{"type":"object","default":{"x-mcp-header":"A"}}}}`, ""},
		{"empty", `{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, "error"},
		{"blank inside", `{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`, "error"},
		{"colon", `{"properties":{"a":{"type":"string","x-mcp-header":"A:"}}}`, "error"},
		{"line break", `{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`, "error"},
		{"beyond ASCII", `{"properties":{"a":{"type":"string","x-mcp-header":"Ä"}}}`, "error"},
		{"no string", `{"properties":{"a":{"type":"string","x-mcp-header":7}}}`, "error"},
		{"object", `{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}`, "error"},
		{"array", `{"properties":{"a":{"type":"array","x-mcp-header":"A"}}}`, "error"},
		{"number", `{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, "error"},
		{"null", `{"properties":{"a":{"type":"null","x-mcp-header":"A"}}}`, "error"},
		{"no type", `{"properties":{"a":{"x-mcp-header":"A"}}}`, "error"},
		{"twice", `{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`, "error"},
		{"in items", `{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`, "error"},
		{"in allOf", `{"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "error"},
		{"in $defs", `{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`, "error"},
		{"on the root", `{"type":"string","x-mcp-header":"A"}`, "error"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rules, err := readAnnotations(json.RawMessage(test.schema))
			var got []string
			for _, r := range rules {
				got = append(got, r.header+"="+strings.Join(r.path, "."))
			}
			if err != nil {
				got = []string{"error"}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %v (%v), want %s", got, err, test.want)
			}
		})
	}
}

func TestMembersOfKeepsTheHostsMeta(t *testing.T) {
	t.Parallel()
	o := &Options{Name: "k", Version: "1"}
	for _, test := range []struct{ in, legacy string }{
		{``, ``},
		{`null`, ``},
		{`{}`, ``},
		{`{ "a" : 1e400 }`, `{"a":1e400}`},
		{"{\"a\":\n12345678901234567890}", `{"a":12345678901234567890}`},
		{`{"z":1,"_meta":{"k":2},"a":{"n":1.0}}`, `{"a":{"n":1.0},"z":1,"_meta":{"k":2}}`},
		{`{"_meta":{}}`, ``},
	} {
		members, d, err := legacyDialect("2025-11-25").membersOf(json.RawMessage(test.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(d.params(members, 0)); got != test.legacy {
			t.Errorf("%s became %s, want %s", test.in, got, test.legacy)
		}
		members, d, err = modernDialect(o, newestModern).membersOf(json.RawMessage(test.in))
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Meta map[string]any `json:"_meta"`
		}
		if err := json.Unmarshal(d.params(members, 9), &got); err != nil {
			t.Fatalf("%s: %v in %s", test.in, err, d.params(members, 9))
		}
		if got.Meta["io.modelcontextprotocol/protocolVersion"] != newestModern || got.Meta["progressToken"] != 9.0 {
			t.Errorf("%s: _meta is %v", test.in, got.Meta)
		}
	}
}

func TestArgumentsMustBeAnObject(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`[]`, `"secret-value"`, `{"a":`, `{} {}`, `7`} {
		_, err := compactObject(json.RawMessage(in))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestCapabilitiesFollowTheRevision(t *testing.T) {
	t.Parallel()
	o := &Options{Handlers: Handlers{Elicit: (&host{}).elicit}}
	got := map[string]string{}
	for _, v := range revisions() {
		got[v] = string(clientCapabilities(o, v))
	}
	want := map[string]string{
		"2026-07-28": `{"elicitation":{"form":{},"url":{}}}`, "2025-11-25": `{"elicitation":{"form":{},"url":{}}}`,
		"2025-06-18": `{"elicitation":{}}`, "2025-03-26": `{}`, "2024-11-05": `{}`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
