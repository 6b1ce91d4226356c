package agent

import (
	"fmt"
	"testing"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

// BenchmarkOffer is what a request is offered of 50 servers with 100 tools each, one
// of them switched on.
func BenchmarkOffer(b *testing.B) {
	d := newDesk(b)
	d.servers.change(func(s *fakeServers) {
		s.list, s.tools = nil, nil
		for i := range 50 {
			name := fmt.Sprintf("s%d", i)
			s.list = append(s.list, server(name, model.ServerReady))
			for j := range 100 {
				t := tool(fmt.Sprintf("tool_%d", j))
				t.Server = name
				s.tools = append(s.tools, t)
			}
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		groups := d.groups(agents.Agent{}, []string{"s7"})
		newOffer(groups, nil, toolschema.Compatible(), &d.definitions)
	}
}
