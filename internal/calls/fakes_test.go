package calls

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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

	mu    sync.Mutex
	rows  map[string]model.Call
	audit []model.AuditEntry
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

func (f *fakeStore) InsertDecidedCall(ctx context.Context, c model.Call, a model.AuditEntry) error {
	if err := f.InsertCall(ctx, c); err != nil {
		return err
	}
	return f.InsertAudit(ctx, a)
}

func (f *fakeStore) FinishDecidedCall(ctx context.Context, c model.Call, a model.AuditEntry) error {
	if err := f.FinishCall(ctx, c); err != nil {
		return err
	}
	return f.InsertAudit(ctx, a)
}

func (f *fakeStore) ApproveCall(ctx context.Context, id string, a model.AuditEntry) error {
	if err := f.move(id, model.CallWaitingApproval, model.CallRunning); err != nil {
		return err
	}
	return f.InsertAudit(ctx, a)
}

func (f *fakeStore) HoldCall(_ context.Context, id string) error {
	return f.move(id, model.CallRunning, model.CallWaitingApproval)
}

func (f *fakeStore) move(id string, from, to model.CallState) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.rows[id]
	if c.State != from {
		return model.Errorf(model.CodeConflict, "call %s is %s", id, c.State)
	}
	c.State = to
	f.rows[id] = c
	return nil
}

func (f *fakeStore) InsertAudit(_ context.Context, a model.AuditEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.audit = append(f.audit, a)
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

func (f *fakeCatalogue) Accept(_ context.Context, server, tool string, shown time.Time) (model.Tool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tools[model.ToolName(server, tool)]
	if t.Change != nil && !t.Change.At.Equal(shown) {
		return t, model.Errorf(model.CodeConflict, "it changed again")
	}
	t.Change = nil
	f.tools[t.FullName()] = t
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
		Connect: connect, Catalogue: r.catalogue, Policy: freely{}, Store: r.store, Media: fakeMedia{}, Publish: r.publish,
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

// freely is a policy that allows everything.
type freely struct{}

func (freely) Decide(context.Context, model.PolicySubject) model.PolicyDecision {
	return model.PolicyDecision{Action: model.PolicyAllow}
}

func (freely) Widen(context.Context, model.PolicySubject, model.ApprovalScope, bool) error {
	return nil
}

var runTool = Request{Name: "mcp__s__run", Asker: model.Asker{Kind: "person"}}

const text = `{"content":[{"type":"text","text":"hi"}]}`

// untilCancelled is a tool that never answers.
func untilCancelled(ctx context.Context, _ client.ToolCall) (json.RawMessage, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}
