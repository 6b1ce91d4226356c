package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

func tool(server, name, title, description string) model.Tool {
	return model.Tool{Server: server, Name: name, Title: title, Description: description, Enabled: true}
}

func names(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Tool.Server+"/"+h.Tool.Name)
	}
	return out
}

func some() []model.Tool {
	return []model.Tool{
		tool("hub", "createIssue", "", "Opens a ticket in a repository."),
		tool("hub", "list_pull_requests", "Pull requests", "Lists those of a repository."),
		tool("hub", "HTTPServerInfo", "", "About the server"),
		tool("weather", "get.forecast", "", "The weather of the coming days <b>anywhere</b>.\nReally."),
		tool("weather", "alerts", "Unwetterwarnungen", "Größere Gefahren"),
		tool("config", "register_mcp", "", "Adds a server to Kontor"),
		tool("ai", "v2", "", ""),
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	x := New(storetest.New(t))
	for _, c := range []struct {
		query string
		want  []string // the first ones
	}{
		{"create issue", []string{"hub/createIssue"}},
		{"issues", []string{"hub/createIssue"}},
		{"createIssue", []string{"hub/createIssue"}},
		{"mcp__hub__createIssue", []string{"hub/createIssue"}},
		{"pull_requests", []string{"hub/list_pull_requests"}},
		{"http", []string{"hub/HTTPServerInfo"}},
		{"Server info", []string{"hub/HTTPServerInfo"}},
		{"fore", []string{"weather/get.forecast"}},
		{"CAST", []string{"weather/get.forecast"}},
		{"warnung", []string{"weather/alerts"}},
		{"grosse große größere", []string{"weather/alerts"}},
		{"coming weather", []string{"weather/get.forecast", "weather/alerts"}},
		{"please add a server to kontor", []string{"config/register_mcp"}},
		{"v2", []string{"ai/v2"}},
		{"", nil},
		{" \t…!?", nil},
		{"xyzzy", nil},
		{`"`, nil},
		{`issue" OR "`, []string{"hub/createIssue"}},
		{`NEAR(issue, 3) AND NOT names:`, []string{"hub/createIssue"}},
		{`description : { -x } ^ * + (`, nil},
		{"issue\x00\xff'; DROP TABLE tool_search; --", []string{"hub/createIssue"}},
		{strings.Repeat("x ", 10_000) + "issue", []string{"hub/createIssue"}},
		{strings.Repeat("word", 50_000), nil},
		{"issue\u202e 漢字 🔑", []string{"hub/createIssue"}},
	} {
		hits, err := x.Search(t.Context(), c.query, some())
		if err != nil {
			t.Errorf("%.40q: %v", c.query, err)
			continue
		}
		if got := names(hits); len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) || c.want == nil && got != nil {
			t.Errorf("%.40q: got %v, want %v first", c.query, got, c.want)
		}
	}
	hits, err := x.Search(t.Context(), "forecast", some())
	if want := "The weather of the coming days ‹b›anywhere‹/b›. Really."; err != nil || len(hits) == 0 || hits[0].Line != want {
		t.Errorf("got %+v, %v, want %q", hits, err, want)
	}
}

// A name over the limit is found as any other.
func TestOneLongNameBreaksNothing(t *testing.T) {
	t.Parallel()
	x := New(storetest.New(t))
	long := tool("enterprise-database-management", strings.Repeat("purge_", 11)+"rows", "", "")
	tools := []model.Tool{long}
	for i := range 200 {
		tools = append(tools, tool("enterprise-database-management", fmt.Sprintf("rows_%03d", i), "", ""))
	}
	hits, err := x.Search(t.Context(), "rows", tools)
	if err != nil || len(hits) != MaxHits {
		t.Errorf("got %d hits, %v", len(hits), err)
	}
	if hits, err = x.Search(t.Context(), "purge", tools); err != nil || len(hits) != 1 || hits[0].Tool.Name != long.Name {
		t.Errorf("got %v, %v", names(hits), err)
	}
}

// What is found is among what is offered now, and everything offered can be found,
// whatever was offered before and whoever searches meanwhile.
func TestFoundIsOffered(t *testing.T) {
	t.Parallel()
	x := New(storetest.New(t))
	var searchers sync.WaitGroup
	for seed := range uint64(2) {
		searchers.Go(func() {
			r := rand.New(rand.NewPCG(seed, 5))
			for range 6 {
				searchOnce(t, x, r)
			}
		})
	}
	searchers.Wait()
}

func searchOnce(t *testing.T, x *Index, r *rand.Rand) {
	offered := map[string]bool{}
	var tools []model.Tool
	for s := range 4 {
		for i := range 8 {
			if r.IntN(3) > 0 {
				tl := tool(fmt.Sprintf("s%d", s), fmt.Sprintf("tool_%c", 'a'+i), "", fmt.Sprintf("common word%d", r.IntN(3)))
				tools = append(tools, tl)
				offered[tl.Server+"/"+tl.Name] = true
			}
		}
	}
	for _, query := range []string{"common", "tool", "word1", "ool"} {
		hits, err := x.Search(t.Context(), query, tools)
		if err != nil {
			t.Error(err)
		}
		for _, name := range names(hits) {
			if !offered[name] {
				t.Errorf("%s is found but not offered", name)
			}
		}
	}
	want := tools[r.IntN(len(tools))]
	hits, err := x.Search(t.Context(), want.Server+" "+want.Name, tools)
	if err != nil || !slices.Contains(names(hits), want.Server+"/"+want.Name) {
		t.Errorf("%s/%s isn't found among %v, %v", want.Server, want.Name, names(hits), err)
	}
}

// Words are indexed once, not for each search.
func TestNothingIsIndexedTwice(t *testing.T) {
	t.Parallel()
	c := &counting{Store: storetest.New(t)}
	x := New(c)
	for range 3 {
		if _, err := x.Search(t.Context(), "issue", some()); err != nil {
			t.Fatal(err)
		}
	}
	if c.replaced != 4 {
		t.Errorf("%d servers were indexed, want 4", c.replaced)
	}
	if _, err := New(c).Search(t.Context(), "issue", some()[1:]); err != nil || c.replaced != 5 {
		t.Errorf("%d servers were indexed, want 5 (%v)", c.replaced, err)
	}
}

type counting struct {
	Store
	replaced int
}

func (c *counting) ReplaceToolWords(ctx context.Context, server, digest string, words []model.ToolWords) error {
	c.replaced++
	return c.Store.ReplaceToolWords(ctx, server, digest, words)
}

func BenchmarkSearch5000Tools(b *testing.B) {
	x := New(storetest.New(b))
	var tools []model.Tool
	for i := range 5000 {
		tools = append(tools, tool(fmt.Sprintf("s%d", i/100), fmt.Sprintf("tool_%d_read_file", i), "", strings.Repeat("Reads a file of the disk. ", 10)))
	}
	if _, err := x.Search(b.Context(), "file", tools); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := x.Search(b.Context(), "read the disk", tools); err != nil {
			b.Fatal(err)
		}
	}
}
