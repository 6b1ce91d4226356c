package demo

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestServerNamesItself(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		got := p.InitializeResult()
		if got.ServerInfo.Title != "Kontor demo" || got.ServerInfo.Version != "test" {
			t.Errorf("got %+v, want Kontor demo, version test", got.ServerInfo)
		}
		if got.Instructions == "" || strings.Contains(got.Instructions, "\n") {
			t.Errorf("got instructions %q, want one paragraph", got.Instructions)
		}
		if got.Capabilities.Completions == nil || !got.Capabilities.Tools.ListChanged {
			t.Errorf("got %+v, want completions and tools that change", got.Capabilities)
		}
	})
}

func TestToolsDescribeThemselves(t *testing.T) {
	t.Parallel()
	p := connect(t, way{"memory", newer}, nil)
	list, err := p.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(list.Tools), 20; got != want {
		t.Errorf("got %d tools, want %d", got, want)
	}
	for _, tool := range list.Tools {
		if tool.Title == "" || tool.Description == "" || tool.Annotations == nil {
			t.Errorf("%s lacks a title, a description or hints", tool.Name)
			continue
		}
		changes := tool.Name == "log" || tool.Name == "notify"
		if tool.Annotations.ReadOnlyHint == changes {
			t.Errorf("%s: readOnlyHint is %v", tool.Name, !changes)
		}
		for name, property := range inputSchema(t, tool).Properties {
			if property.Title == "" || property.Description == "" {
				t.Errorf("%s: argument %s lacks a title or a description", tool.Name, name)
			}
		}
	}
}

func inputSchema(t *testing.T, tool *mcp.Tool) *jsonschema.Schema {
	t.Helper()
	data, err := json.Marshal(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal(data, &parsed); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	return &parsed
}

func TestArgumentsMayBeNull(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		result, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "table", Arguments: json.RawMessage("null")})
		if err != nil || result.IsError {
			t.Errorf("got %v, %v, want a table", result, err)
		}
	})
}

// Every tool that asks nothing runs with no arguments or with the few that it needs.
func TestToolsRunOnDefaults(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		for name, arguments := range map[string]map[string]any{
			"echo": {"text": "x"}, "sum": {"numbers": []int{1}}, "slow": {"delay_ms": 0},
			"big": nil, "nothing": nil, "markup": nil, "table": nil, "picture": nil, "sound": nil,
			"document": nil, "link": nil, "mixed": nil, "log": nil, "notify": nil,
		} {
			if result := p.call(t, name, arguments); result.IsError {
				t.Errorf("%s failed: %s", name, text(t, result))
			}
		}
	})
}

func TestArgumentsOutsideTheSchemaAreRefused(t *testing.T) {
	t.Parallel()
	p := connect(t, way{"memory", newer}, nil)
	for name, arguments := range map[string]map[string]any{
		"echo":    {},
		"picture": {"width": 100000},
		"sound":   {"seconds": 0},
		"table":   {"count": -1},
		"big":     {"shape": "round"},
		"notify":  {"method": "notifications/message"},
		"nothing": {"surplus": true},
	} {
		if result := p.call(t, name, arguments); !result.IsError {
			t.Errorf("%s took %v", name, arguments)
		}
	}
}
