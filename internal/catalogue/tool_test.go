package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseToolKeepsWhatWasSent(t *testing.T) {
	t.Parallel()
	const schema = `{"properties":{"n":{"type":"integer","maximum":7960607143101464577}},"$defs":{"K":{}} }`
	got, problem := parseTool(json.RawMessage(`{"name":"a b[c]","description":"d","inputSchema":` + schema + `,"outputSchema":{"x":1e400},
		"annotations":{"title":"T","readOnlyHint":true},"icons":[{"src":"data:,"}],"execution":{"taskSupport":"required"},"_meta":{"ui":{"visibility":["model","app"]}}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	if got.Name != "a b[c]" || got.Title != "T" || got.Description != "d" || string(got.InputSchema) != schema ||
		string(got.OutputSchema) != `{"x":1e400}` || string(got.Icons) != `[{"src":"data:,"}]` || got.TaskSupport != "required" || got.AppOnly {
		t.Errorf("got %+v", got)
	}
	if len(got.Warnings) > 0 {
		t.Errorf("warnings %+v", got.Warnings)
	}
}

func TestParseToolToleratesOddShapes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, raw, schema string
		warnings          []string
	}{
		{"no schema", `{"name":"x"}`, noArguments, []string{warnSchemaMissing}},
		{"null schema", `{"name":"x","inputSchema":null}`, noArguments, []string{warnSchemaMissing}},
		{"schema of another kind", `{"name":"x","inputSchema":true}`, noArguments, []string{warnSchemaOdd}},
		{"only $schema", `{"name":"x","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#"}`, nil},
		{"no properties", `{"name":"x","inputSchema":{"type":"object"}}`, `{"type":"object"}`, nil},
		{"odd members", `{"name":"x","title":7,"description":[],"annotations":"a","outputSchema":1,"_meta":"m","execution":[],"inputSchema":{}}`,
			`{}`, []string{warnFieldOdd, warnFieldOdd, warnSchemaOdd, warnFieldOdd}},
		{"schema too large", `{"name":"x","inputSchema":{"a":"` + strings.Repeat("x", maxSchema) + `"}}`, noArguments, []string{warnSchemaTooLarge}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, problem := parseTool(json.RawMessage(tc.raw))
			var codes []string
			for _, w := range got.Warnings {
				codes = append(codes, w.Code)
				if w.Tool != "x" || w.Message == "" {
					t.Errorf("warning %+v", w)
				}
			}
			if problem != nil || string(got.InputSchema) != tc.schema || !slices.Equal(codes, tc.warnings) {
				t.Errorf("got %s, %q, %v, want %s, %q", got.InputSchema, codes, problem, tc.schema, tc.warnings)
			}
		})
	}
}

func TestParseToolCutsALongDescriptionBetweenCharacters(t *testing.T) {
	t.Parallel()
	raw, _ := json.Marshal(map[string]any{"name": "x", "description": strings.Repeat("ü", maxDescription), "inputSchema": map[string]any{}})
	got, _ := parseTool(raw)
	if want := strings.Repeat("ü", maxDescription/2) + "…"; got.Description != want {
		t.Errorf("%d bytes, want %d", len(got.Description), len(want))
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Message != fmt.Sprintf("the description is %d bytes long: only the first %d are shown to anyone", 2*maxDescription, maxDescription) {
		t.Errorf("warnings = %+v", got.Warnings)
	}
}

func TestParseToolsLeavesOutWhatIsNoTool(t *testing.T) {
	t.Parallel()
	tools, warnings := parseTools(raws(`7`, `null`, `{"title":"nameless"}`, `{"name":""}`, `{"name":"x","inputSchema":{}}`))
	var got []string
	for _, w := range warnings {
		got = append(got, w.Message)
	}
	want := []string{
		"tool 1 is left out: it isn't a JSON object", "tool 2 is left out: it isn't a JSON object",
		"tool 3 is left out: it has no name", "tool 4 is left out: it has no name",
	}
	if len(tools) != 1 || !slices.Equal(got, want) {
		t.Errorf("%d tools, %q, want %q", len(tools), got, want)
	}
}

func TestParseToolsStopsAtTheMost(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range maxTools + 3 {
		many = append(many, fmt.Sprint(i))
	}
	tools, warnings := parseTools(named(many...))
	if len(tools) != maxTools || len(warnings) != 1 || warnings[0].Message != "3 more tools are left out: a server may offer 512" {
		t.Errorf("%d tools, %+v", len(tools), warnings)
	}
}

func TestAppOnly(t *testing.T) {
	t.Parallel()
	for meta, want := range map[string]bool{
		``: false, `null`: false, `{}`: false, `{"ui":{}}`: false, `{"ui":{"visibility":[]}}`: false, `{"ui":{"visibility":"app"}}`: false,
		`{"ui":{"visibility":["app"]}}`: true, `{"ui":{"visibility":["app","model"]}}`: false,
	} {
		if got := appOnly(json.RawMessage(meta)); got != want {
			t.Errorf("appOnly(%s) = %v", meta, got)
		}
	}
}

func FuzzParseTools(f *testing.F) {
	for _, seed := range []string{`{"name":"x","inputSchema":{}}`, `{"name":1}`, `[]`, `{"name":"x","_meta":{"ui":{"visibility":[1]}}}`, `{`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		tools, warnings := parseTools([]json.RawMessage{raw, raw})
		if len(tools) > 1 || len(tools)+len(warnings) < 2 {
			t.Errorf("%q: %d tools, %d warnings", raw, len(tools), len(warnings))
		}
	})
}
