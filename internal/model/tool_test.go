package model

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestToolNamesComeApartAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ server, tool string }{
		{"a", "b"}, {"a_b", "c__d"}, {"a.b-c", "x/y z"}, {"a", "_b_"}, {"a", "mcp__b__c"},
	} {
		if server, tool, ok := SplitToolName(ToolName(c.server, c.tool)); !ok || server != c.server || tool != c.tool {
			t.Errorf("%+v: got %q, %q, %v", c, server, tool, ok)
		}
	}
	for _, name := range []string{"", "mcp__", "mcp__a", "mcp__a__", "mcp____b", "a__b", "ask_user"} {
		if server, tool, ok := SplitToolName(name); ok {
			t.Errorf("%q: got %q, %q", name, server, tool)
		}
	}
}

// What providers accept goes out as it is; all else under a name that they accept,
// that is the same after a restart, and no other tool's.
func TestToolAlias(t *testing.T) {
	t.Parallel()
	accepted := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	long := strings.Repeat("t", 50)
	seen := map[string]string{}
	for name, want := range map[string]string{
		ToolName("files", "read"):                                    "mcp__files__read",
		ToolName("hub", "admin.tools.list"):                          "mcp__hub__admin_tools_list_",
		ToolName("hub", "admin/tools/list"):                          "mcp__hub__admin_tools_list_",
		ToolName("hub", "admin_tools_list"):                          "mcp__hub__admin_tools_list",
		ToolName("hub.a", "search"):                                  "mcp__hub_a__search_",
		ToolName("hub-a", "search"):                                  "mcp__hub-a__search",
		ToolName("enterprise-database-management", long):             "mcp__enterprise-database-management__",
		ToolName("enterprise-database-management", long+"2"):         "mcp__enterprise-database-management__",
		ToolName("s", "größe 漢字 <b>"):                                "mcp__s__gr_e_",
		ToolName("s", strings.Repeat("x", 64-len("mcp__s__"))):       "mcp__s__xxx",
		ToolName("s", strings.Repeat("x", 64-len("mcp__s__"))+"\n#"): "mcp__s__xxx",
	} {
		got := ToolAlias(name)
		if !accepted.MatchString(got) || !strings.HasPrefix(got, want) || got != ToolAlias(name) {
			t.Errorf("%q goes out as %q, want %q…", name, got, want)
		}
		if (got == name) != accepted.MatchString(name) {
			t.Errorf("%q goes out as %q", name, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q both go out as %q", name, other, got)
		}
		seen[got] = name
	}
	// The hash is part of what models know of a chat that goes on.
	if got, want := ToolAlias("mcp__hub__admin.tools.list"), "mcp__hub__admin_tools_list_fdmwd2bmhaczrvbxdkd3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A server may give a tool the name under which another's goes out, again and again:
// both can be called, each under a name of its own that depends on nothing else.
func TestNoToolGoesOutUnderAnothersName(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b.c", "b_c", "x/y", "x_y", "_", "-", "ü", strings.Repeat("l", 40), "ABC", "77"}
	names := map[string]bool{}
	for range 2000 {
		name := ToolName(parts[r.IntN(4)], parts[r.IntN(len(parts))]+parts[r.IntN(len(parts))])
		for range r.IntN(4) {
			names[name] = true
			name = ToolAlias(name) // as the name of a tool; of the server b_c, for one of b.c
		}
	}
	seen := map[string]string{}
	for name := range names {
		alias := ToolAlias(name)
		if !aliasSafe.MatchString(alias) {
			t.Errorf("%q goes out as %q", name, alias)
		}
		if other, ok := seen[alias]; ok {
			t.Errorf("%q and %q both go out as %q", name, other, alias)
		}
		seen[alias] = name
	}
	if len(seen) < 300 {
		t.Errorf("only %d names were looked at", len(seen))
	}
}
