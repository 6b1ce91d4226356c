package agent

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/agent/search"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

// The index outlives what it was made from: servers come and go, are switched off,
// lose tools and may not be used by every agent. What it finds can be called, if need
// be once its group is on, and what can be called is found by its name.
func TestWhatIsFoundCanBeCalled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	index := search.New(d.store)
	r := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		var list []Server
		var tools []model.Tool
		all := []string{model.GroupConfig}
		for i := range 4 {
			name := fmt.Sprintf("s%d", i)
			state := []model.ServerState{model.ServerReady, model.ServerDisabled, model.ServerFailed}[r.IntN(3)]
			if r.IntN(4) > 0 {
				list, all = append(list, server(name, state)), append(all, name)
			}
			for j := range 5 {
				if r.IntN(3) > 0 {
					tools = append(tools, named(name, fmt.Sprintf("readThing%d", j))...)
				}
			}
		}
		// A catalogue has no tools of a server that was deleted.
		tools = slices.DeleteFunc(tools, func(t model.Tool) bool { return !slices.Contains(all, t.Server) })
		d.servers.change(func(s *fakeServers) { s.list, s.tools = list, tools })
		a := agents.Agent{}
		if r.IntN(2) == 0 {
			a.Groups = slices.DeleteFunc(slices.Clone(all), func(string) bool { return r.IntN(3) == 0 })
		}
		callable := newOffer(d.groups(a, all), nil, toolschema.OpenAI(), &definitions{}).byName
		offered := searchable(d.groups(a, nil))
		for _, tool := range append(offered, tool("thing")) {
			hits, err := index.Search(t.Context(), tool.Server+" "+tool.Name, offered)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, h := range hits {
				found = found || h.Tool.FullName() == tool.FullName()
				if _, ok := callable[modelName(h.Tool.FullName())]; !ok {
					t.Fatalf("%s is found and can't be called", h.Tool.FullName())
				}
			}
			if _, ok := callable[modelName(tool.FullName())]; ok != found {
				t.Fatalf("%s can be called: %v, is found: %v", tool.FullName(), ok, found)
			}
		}
	}
}
