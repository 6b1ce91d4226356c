package calls

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeConn answers calls with a function.
type fakeConn func(ctx context.Context, call client.ToolCall) (json.RawMessage, error)

func (f fakeConn) CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error) {
	return f(ctx, call)
}

// fakeStore keeps rows in memory. insert and finish, if set, come first.
type fakeStore struct {
	insert, finish func(model.Call) error

	mu   sync.Mutex
	rows map[string]model.Call
}

func (f *fakeStore) InsertCall(_ context.Context, c model.Call) error {
	if f.insert != nil {
		if err := f.insert(c); err != nil {
			return err
		}
	}
	f.put(c)
	return nil
}

func (f *fakeStore) FinishCall(_ context.Context, c model.Call) error {
	if f.finish != nil {
		if err := f.finish(c); err != nil {
			return err
		}
	}
	f.put(c)
	return nil
}

func (f *fakeStore) put(c model.Call) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rows == nil {
		f.rows = map[string]model.Call{}
	}
	f.rows[c.ID] = c
}

func (f *fakeStore) Call(_ context.Context, id string) (model.Call, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.rows[id]
	if !ok {
		return c, model.Errorf(model.CodeNotFound, "no such call")
	}
	return c, nil
}

func (f *fakeStore) ListCalls(_ context.Context, filter Filter) ([]model.Call, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []model.Call
	for _, c := range f.rows {
		if matches(filter, c) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b model.Call) int { return strings.Compare(b.ID, a.ID) })
	return out, "", nil
}

// fakeCatalogue knows tools by full name.
type fakeCatalogue struct {
	mu     sync.Mutex
	tools  map[string]model.Tool
	listed bool
}

func (f *fakeCatalogue) Resolve(name string) (model.Tool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t, ok := f.tools[name]
	if !ok {
		return t, model.Errorf(model.CodeNotFound, "there is no tool %q", name)
	}
	return t, nil
}

func (f *fakeCatalogue) Listed(string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listed
}

func (f *fakeCatalogue) add(t model.Tool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tools[t.FullName()], f.listed = t, true
}

// rig is a service whose neighbours are fakes. Server "s" has the tools "run"
// and, switched off, "off".
type rig struct {
	*Service
	store     *fakeStore
	catalogue *fakeCatalogue
	config    model.Server

	mu     sync.Mutex
	events []model.Event
}

func newRig(t *testing.T, connect func(ctx context.Context, server string) (Conn, error)) *rig {
	t.Helper()
	r := &rig{store: &fakeStore{}, config: model.Server{Name: "s", Enabled: true}, catalogue: &fakeCatalogue{tools: map[string]model.Tool{}}}
	r.catalogue.add(model.Tool{Server: "s", Name: "run", Enabled: true})
	r.catalogue.add(model.Tool{Server: "s", Name: "off"})
	r.Service = New(Options{
		Open: NewRegistry(r.publish),
		Server: func(name string) (model.Server, error) {
			if name != r.config.Name {
				return model.Server{}, model.Errorf(model.CodeNotFound, "no server %q", name)
			}
			return r.config, nil
		},
		Connect: connect, Catalogue: r.catalogue, Store: r.store, Media: fakeMedia{}, Publish: r.publish,
	})
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// answering connects to a server whose tools are run.
func answering(run fakeConn) func(context.Context, string) (Conn, error) {
	return func(context.Context, string) (Conn, error) { return run, nil }
}

func (r *rig) publish(e model.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// told returns the news since it was last asked.
func (r *rig) told() []model.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := r.events
	r.events = nil
	return events
}

// states names the news about calls: "started running", "progressed waiting_input".
func states(events []model.Event) []string {
	var out []string
	for _, e := range events {
		switch e := e.(type) {
		case model.CallStarted:
			out = append(out, "started "+string(e.Call.State))
		case model.CallProgressed:
			out = append(out, "progressed "+string(e.Call.State))
		case model.CallEnded:
			out = append(out, "ended "+string(e.Call.State))
		}
	}
	return out
}

var runTool = Request{Name: "mcp__s__run", Asker: model.Asker{Kind: "person"}}

const text = `{"content":[{"type":"text","text":"hi"}]}`

// untilCancelled is a tool that never answers.
func untilCancelled(ctx context.Context, _ client.ToolCall) (json.RawMessage, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}
