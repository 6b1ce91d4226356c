package cases

import (
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// naming is what servers call their tools.
func naming() []fault {
	return []fault{
		{
			name: "dots-and-slashes-in-names",
			server: server{
				tools: `{"name":"admin.tools.list","inputSchema":{"type":"object"}},{"name":"user-profile/update","inputSchema":{"type":"object"}}`,
				on:    map[string]handler{"tools/call": calledName},
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				for _, tool := range []string{"admin.tools.list", "user-profile/update"} {
					c := call(k, name, tool, `{}`)
					if c.Text() != tool || c.Tool != tool || c.Name != "mcp__"+name+"__"+tool {
						t.Errorf("%s was called as %s and is kept as %s, %s", tool, c.Text(), c.Tool, c.Name)
					}
				}
			},
		},
		{
			name: "enterprise-database-management",
			server: server{tools: `{"name":"` + strings.Repeat("t", 50) + `","inputSchema":{"type":"object"}}`,
				on: map[string]handler{"tools/call": calledName}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				long := strings.Repeat("t", 50)
				if c := call(k, name, long, `{}`); c.Text() != long || c.Name != "mcp__"+name+"__"+long {
					t.Errorf("called as %s, kept as %s", c.Text(), c.Name)
				}
			},
		},
		{
			name: "one-name-twice",
			server: server{
				tools: `{"name":"search","description":"first","inputSchema":{"type":"object"}},{"name":"search","description":"second","inputSchema":{"type":"object"}}`,
				on:    map[string]handler{"tools/call": always(text("of one-name-twice"))},
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				warned(t, k, name, "duplicate_name", "search")
				if got := k.Tools(name)["search"].Description; got != "first" {
					t.Errorf("the %s is kept", got)
				}
				if got := done(t, k, name, "search", `{}`); got != "of one-name-twice" {
					t.Errorf("the call went to another server: %s", got)
				}
			},
		},
		{
			name: "a-name-that-another-server-has",
			server: server{tools: `{"name":"search","inputSchema":{"type":"object"}}`,
				on: map[string]handler{"tools/call": always(text("of the other"))}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				if c := call(k, name, "search", `{}`); c.Text() != "of the other" || c.Server != name {
					t.Errorf("the call went to another server: %s, kept for %s", c.Text(), c.Server)
				}
			},
		},
	}
}

// passing is what goes to a tool, and the schema that says so.
func passing() []fault {
	const only = `{"$schema":"http://json-schema.org/draft-07/schema#"}`
	return []fault{
		{
			name:   "schema-that-says-nothing",
			server: server{tools: `{"name":"echo","inputSchema":` + only + `}`},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				if got := string(k.Tools(name)["echo"].InputSchema); got != only {
					t.Errorf("the schema is %s", got)
				}
				holds(t, done(t, k, name, "echo", `{}`), `"arguments":{}`)
			},
		},
		{
			name:   "arguments-left-out",
			server: server{tools: echo},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				for _, body := range []string{"}", `,"arguments":null}`, `,"arguments":{}}`} {
					var c kontor.Call
					k.Post("/api/tools/call", []byte(`{"wait_ms":60000,"name":"mcp__`+name+`__echo"`+body), &c)
					holds(t, c.Text(), `"arguments":{}`)
				}
			},
		},
		{
			name: "null-for-what-is-optional",
			server: server{tools: `{"name":"echo","inputSchema":{"type":"object","properties":{
				"a":{"type":"string"},"n":{"anyOf":[{"type":"array"},{"type":"null"}],"default":null}}}}`},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				// Null goes where someone put it, and nowhere else.
				holds(t, done(t, k, name, "echo", `{"n":null}`), `"arguments":{"n":null}`)
				holds(t, done(t, k, name, "echo", `{"a":"null"}`), `"arguments":{"a":"null"}`)
			},
		},
	}
}
