package catalogue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// rig is a catalogue that counts its news.
type rig struct {
	*Catalogue
	pins *pinned
	news []string
}

func newRig(servers ...string) *rig { return newRigWith(&pinned{}, servers...) }

// newRigWith is newRig over pins that are there.
func newRigWith(pins *pinned, servers ...string) *rig {
	r := &rig{pins: pins}
	// Only reading the pins could fail, and these don't.
	r.Catalogue, _ = New(context.Background(), Options{Pins: pins,
		Publish: func(e model.Event) { r.news = append(r.news, e.(model.CatalogueChanged).Server) }})
	for _, s := range servers {
		r.Configure(model.Server{Name: s, Enabled: true})
	}
	return r
}

func raws(entries ...string) []json.RawMessage {
	var out []json.RawMessage
	for _, e := range entries {
		out = append(out, json.RawMessage(e))
	}
	return out
}

func named(names ...string) []json.RawMessage {
	var out []json.RawMessage
	for _, n := range names {
		out = append(out, json.RawMessage(fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, n)))
	}
	return out
}

func names(tools []model.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.FullName())
	}
	return out
}

func TestToolsOfTwoServersWithOneName(t *testing.T) {
	t.Parallel()
	r := newRig("b", "a")
	r.Replace("b", model.ListTools, named("search"))
	r.Replace("a", model.ListTools, named("z", "search"))
	if got, want := names(r.Tools(Filter{})), []string{"mcp__a__z", "mcp__a__search", "mcp__b__search"}; !slices.Equal(got, want) {
		t.Errorf("tools = %q, want %q", got, want)
	}
	for _, server := range []string{"a", "b"} {
		if tool, err := r.Resolve("mcp__" + server + "__search"); err != nil || tool.Server != server {
			t.Errorf("%s: got %+v, %v", server, tool, err)
		}
	}
}

func TestDuplicatesKeepTheFirst(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	kept, warnings := r.Replace("a", model.ListTools, raws(`{"name":"x","title":"one"}`, `{"name":"x","title":"two"}`))
	if tool, _ := r.Resolve("mcp__a__x"); kept != 1 || tool.Title != "one" {
		t.Errorf("kept %d, %+v", kept, tool)
	}
	if !slices.ContainsFunc(warnings, func(w model.Warning) bool { return w.Code == warnDuplicate && w.Tool == "x" }) {
		t.Errorf("warnings = %+v", warnings)
	}
}

func TestTheSameListIsNoNews(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	r.Replace("a", model.ListTools, nil)
	r.Replace("a", model.ListTools, named("x"))
	r.Replace("a", model.ListTools, named("x"))
	r.Replace("a", model.ListPrompts, raws(`{"name":"p"}`))
	r.Configure(model.Server{Name: "a", FriendlyName: "A", Enabled: true})
	r.Configure(model.Server{Name: "a", DisabledTools: []string{"x"}, Enabled: true})
	r.Remove("a")
	r.Remove("a")
	if want := []string{"a", "a", "a", "a", "a"}; !slices.Equal(r.news, want) {
		t.Errorf("news = %q, want %q", r.news, want)
	}
}

func TestOfferedLeavesOutWhatNoModelMayHave(t *testing.T) {
	t.Parallel()
	r := newRig("a", "off")
	r.Configure(model.Server{Name: "off"})
	r.Configure(model.Server{Name: "a", Enabled: true, DisabledTools: []string{"d"}})
	r.Replace("a", model.ListTools, append(named("x", "d"), json.RawMessage(`{"name":"app","_meta":{"ui":{"visibility":["app"]}}}`)))
	r.Replace("off", model.ListTools, named("y"))
	if got, want := names(r.Tools(Filter{Offered: true})), []string{"mcp__a__x"}; !slices.Equal(got, want) {
		t.Errorf("offered %q, want %q", got, want)
	}
	if got := len(r.Tools(Filter{})); got != 4 {
		t.Errorf("%d tools in all", got)
	}
	if got := names(r.Tools(Filter{Server: "off"})); !slices.Equal(got, []string{"mcp__off__y"}) {
		t.Errorf("of one server: %q", got)
	}
}

func TestRemovedServerIsForgotten(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("l", 70)
	r := newRig("a")
	r.Replace("a", model.ListTools, named(long))
	r.Remove("a")
	r.Replace("a", model.ListTools, named("x")) // late
	if _, err := r.Resolve(model.ToolAlias(model.ToolName("a", long))); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("the alias lives on: %v", err)
	}
	if len(r.Tools(Filter{})) > 0 || r.Listed("a") {
		t.Error("its tools live on")
	}
}

func TestListed(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	r.Replace("a", model.ListPrompts, nil)
	if r.Listed("a") {
		t.Error("a server without a tools list counts as listed")
	}
	r.Replace("a", model.ListTools, nil)
	if !r.Listed("a") || r.Listed("b") {
		t.Errorf("listed: a %v, b %v", r.Listed("a"), r.Listed("b"))
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	dotted, long := "admin.tools/list", strings.Repeat("l", 70)
	r := newRig("srv", "other")
	r.Replace("srv", model.ListTools, named("search_pages", "create__page", dotted, long))
	r.Replace("other", model.ListTools, named("search"))
	for name, want := range map[string]string{
		"mcp__srv__search_pages":                       "search_pages",
		"mcp__srv__create__page":                       "create__page",
		model.ToolAlias(model.ToolName("srv", dotted)): dotted,
		model.ToolAlias(model.ToolName("srv", long)):   long,
		model.ToolName("srv", dotted):                  dotted,
	} {
		if tool, err := r.Resolve(name); err != nil || tool.Name != want {
			t.Errorf("Resolve(%q) = %q, %v, want %q", name, tool.Name, err, want)
		}
	}
	for name, want := range map[string]string{
		"mcp__srv__serch_pages": `there is no tool "mcp__srv__serch_pages"; near: mcp__srv__search_pages`,
		"mcp__nope__x":          `there is no tool "mcp__nope__x": no server is named "nope"`,
		"mcp__srv__unlike":      `there is no tool "mcp__srv__unlike"`,
		"search":                `there is no tool "search"; near: mcp__other__search`,
		"":                      `there is no tool ""`,
	} {
		if _, err := r.Resolve(name); model.CodeOf(err) != model.CodeNotFound || err.Error() != want {
			t.Errorf("Resolve(%q): %v, want %s", name, err, want)
		}
	}
}

func TestResourcesTemplatesAndPrompts(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	kept, warnings := r.Replace("a", model.ListResources, raws(
		`{"uri":"r://1","name":"one","mimeType":"text/plain","size":5}`, `{"uri":"r://1"}`, `{"name":"no uri"}`, `7`))
	if got := r.Resources(""); kept != 1 || len(got) != 1 || got[0].Name != "one" || got[0].MIMEType != "text/plain" || string(got[0].Raw) == "" {
		t.Errorf("resources = %+v", got)
	}
	want := []string{warnDuplicate, warnNameMissing, warnUnreadable}
	for i, w := range warnings {
		if w.Code != want[i] {
			t.Errorf("warning %d = %+v, want %s", i, w, want[i])
		}
	}
	r.Replace("a", model.ListTemplates, raws(`{"uriTemplate":"r://{id}","title":"T","name":7}`))
	if got := r.Templates("a"); len(got) != 1 || got[0].URITemplate != "r://{id}" || got[0].Title != "T" || got[0].Name != "" {
		t.Errorf("templates = %+v", got)
	}
	r.Replace("a", model.ListPrompts, raws(`{"name":"p","arguments":[{"name":"x","required":true}]}`))
	if got := r.Prompts("a"); len(got) != 1 || string(got[0].Arguments) != `[{"name":"x","required":true}]` {
		t.Errorf("prompts = %+v", got)
	}
	if got := r.Prompts("b"); got != nil {
		t.Errorf("prompts of nobody = %+v", got)
	}
}

func TestMoreEntriesThanTheMostAreLeftOut(t *testing.T) {
	t.Parallel()
	var many []json.RawMessage
	for i := range maxEntries + 2 {
		many = append(many, json.RawMessage(fmt.Sprintf(`{"uri":"r://%d"}`, i)))
	}
	kept, warnings := newRig("a").Replace("a", model.ListResources, many)
	if kept != maxEntries || len(warnings) != 1 || warnings[0].Message != "2 more entries are left out: a server may offer 10000 of each kind" {
		t.Errorf("kept %d, %+v", kept, warnings)
	}
}

func TestEntriesDoNotHoldOnToTheAnswer(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	answer := []byte(`{"name":"x","inputSchema":{"type":"object"}}`)
	r.Replace("a", model.ListTools, []json.RawMessage{answer})
	copy(answer, strings.Repeat("#", len(answer)))
	if tool, _ := r.Resolve("mcp__a__x"); string(tool.InputSchema) != `{"type":"object"}` {
		t.Errorf("schema = %s", tool.InputSchema)
	}
}
