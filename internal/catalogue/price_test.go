package catalogue

import (
	"sync"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestAToolIsPricedOnce(t *testing.T) {
	t.Parallel()
	var counted atomic.Int32
	r := newRig("a")
	r.o.Price = func(name, description string, schema []byte) int {
		counted.Add(1)
		return len(name) + len(description) + len(schema)
	}
	r.Replace("a", model.ListTools, raws(`{"name":"x","description":"one","inputSchema":{"type":"object"}}`, `{"name":"y","inputSchema":{}}`))
	if n := counted.Load(); n != 0 {
		t.Errorf("%d tools are priced before anybody asked", n)
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			got := r.Tools(Filter{})
			if x, y := len("mcp__a__x")+len("one")+len(`{"type":"object"}`), len("mcp__a__y")+len("{}"); got[0].Tokens != x || got[1].Tokens != y {
				t.Errorf("got %d and %d, want %d and %d", got[0].Tokens, got[1].Tokens, x, y)
			}
		})
	}
	readers.Wait()

	// The same tools again, switched off, moved, and one that is another now.
	r.Configure(model.Server{Name: "a", Enabled: true, DisabledTools: []string{"x"}})
	r.Replace("a", model.ListTools, raws(`{"name":"y","inputSchema":{}}`, `{"name":"x","description":"two!","inputSchema":{"type":"object"}}`))
	got := r.Tools(Filter{})
	if got[0].Name != "y" || got[0].Tokens != len("mcp__a__y")+len("{}") || got[1].Tokens != len("mcp__a__x")+len("two!")+len(`{"type":"object"}`) {
		t.Errorf("got %+v", got)
	}
	if n := counted.Load(); n != 3 {
		t.Errorf("%d tools were counted, want 3", n)
	}
}
