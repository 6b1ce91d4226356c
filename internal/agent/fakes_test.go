package agent

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/agent/search"
	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a Service on a real database and inbox, with tools, servers and models of
// the test's own.
type desk struct {
	*Service
	t       *testing.T
	store   *store.Store
	inbox   *inbox.Inbox
	calls   *fakeCalls
	servers *fakeServers
	models  *fakeModels
	heard   *ear
	path    string
}

// tool is a tool of the server demo, with any arguments.
func tool(name string) model.Tool {
	return model.Tool{Server: "demo", Name: name, Description: name + " does it", Enabled: true, Tokens: 10,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`)}
}

func newDesk(t *testing.T, turns ...scripted.Turn) *desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kontor.db")
	empty, err := template()
	if err == nil {
		err = os.WriteFile(path, empty, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return reopen(t, path, turns...)
}

// template is a database with the server demo, made once: to migrate takes long.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "kontor.db")
	s, err := store.Open(context.Background(), store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return storetest.Plain{}, nil }})
	if err != nil {
		return nil, err
	}
	err = s.InsertServer(context.Background(), model.Server{Name: "demo", Transport: model.TransportStdio, Command: "demo", Enabled: true})
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// reopen makes a desk of a database, as after a restart.
func reopen(t *testing.T, path string, turns ...scripted.Turn) *desk {
	t.Helper()
	d := &desk{t: t, path: path, store: storetest.Open(t, path)}
	events := bus.New()
	d.inbox = inbox.New(inbox.Options{Store: d.store, Publish: events.Publish, Log: slog.New(slog.DiscardHandler)})
	if err := d.inbox.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.heard = listen(events)
	t.Cleanup(d.heard.close)
	d.servers = &fakeServers{list: []Server{
		{Config: model.Server{Name: "demo", Description: "A demo", Enabled: true}, Status: model.Status{State: model.ServerReady}},
	}, tools: []model.Tool{tool("echo"), tool("add"), tool("slow"), tool("picture")}}
	d.calls = &fakeCalls{store: d.store, inbox: d.inbox, stopping: make(chan struct{})}
	d.models = &fakeModels{provider: scripted.New(scripted.Script{Turns: turns}), model: model.LanguageModel{
		Name: "script", Provider: model.ProviderScripted, Model: "script", ContextTokens: 100_000, Images: true,
	}}
	files, err := media.Open(filepath.Join(filepath.Dir(path), "media"), 0)
	if err != nil {
		t.Fatal(err)
	}
	d.Service = New(Options{
		Store: d.store, Calls: d.calls, Inbox: d.inbox, Models: d.models, Servers: d.servers, Catalogue: d.servers,
		Config: []model.Tool{{Server: model.GroupConfig, Name: "list_items", InputSchema: json.RawMessage(`{"type":"object"}`)}},
		Search: d.servers, Agents: agents.New(filepath.Join(filepath.Dir(path), "agents")), Media: files,
		Count: func(s string) int { return (len(s) + 3) / 4 }, Vocabulary: "test", Bus: events,
	})
	t.Cleanup(d.down)
	return d
}

// down stops the service as Kontor does; more than once does nothing.
func (d *desk) down() {
	d.Pause()
	d.calls.close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		d.t.Errorf("close: %v", err)
	}
}

// chat begins a chat in which groups are on.
func (d *desk) chat(groups ...string) string {
	d.t.Helper()
	v, err := d.Create(d.t.Context(), model.ChatSession{})
	if err == nil && len(groups) > 0 {
		_, err = d.SetGrants(d.t.Context(), v.ID, groups)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return v.ID
}

func (d *desk) send(chat, text string) string {
	d.t.Helper()
	id, err := d.Send(d.t.Context(), chat, model.Sending{Text: text})
	if err != nil {
		d.t.Fatalf("send: %v", err)
	}
	return id
}

// ended waits for the end of a chat's turn.
func (d *desk) ended(chat string) model.TurnEnded {
	d.t.Helper()
	return await(d, func(e model.TurnEnded) bool { return e.SessionID == chat })
}

// say sends a message and waits for the end of the turn.
func (d *desk) say(chat, text string) model.TurnEnded {
	d.t.Helper()
	d.send(chat, text)
	return d.ended(chat)
}

// rows are what the person sees of a chat, oldest first.
func (d *desk) rows(chat string) []model.ChatMessage {
	d.t.Helper()
	rows, _, err := d.Messages(d.t.Context(), model.MessageFilter{SessionID: chat, Limit: 500})
	if err != nil {
		d.t.Fatal(err)
	}
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows
}

// story is a chat in short: one line for each part.
func (d *desk) story(chat string) []string {
	var out []string
	for _, m := range d.rows(chat) {
		for _, p := range m.Parts {
			line := string(m.Role) + " " + string(p.Kind)
			for _, s := range []string{p.Code, p.Name, p.Text} {
				if s != "" {
					line += " " + strings.SplitN(s, "\n", 2)[0]
				}
			}
			if p.IsError {
				line += " !"
			}
			out = append(out, line)
		}
		if len(m.Parts) == 0 {
			out = append(out, string(m.Role)+" "+m.Finish)
		}
	}
	return out
}

// requests are those that the model got.
func (d *desk) requests() []llm.Request { return d.models.provider.(*scripted.Provider).Requests() }

// ear keeps the news.
type ear struct {
	sub  *bus.Subscription
	over chan struct{}

	mu     sync.Mutex
	events []model.Event
	taken  map[int]bool
	more   chan struct{}
}

func listen(b *bus.Bus) *ear {
	e := &ear{sub: b.Subscribe(1 << 16), over: make(chan struct{}), more: make(chan struct{}), taken: map[int]bool{}}
	go func() {
		defer close(e.over)
		for event := range e.sub.C() {
			e.mu.Lock()
			e.events = append(e.events, event)
			close(e.more)
			e.more = make(chan struct{})
			e.mu.Unlock()
		}
	}()
	return e
}

func (e *ear) close() {
	e.sub.Close()
	<-e.over
}

func (e *ear) all() []model.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]model.Event(nil), e.events...)
}

// await takes the first piece of news that fits and that nobody has taken.
func await[E model.Event](d *desk, fits func(E) bool) E {
	d.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		d.heard.mu.Lock()
		more := d.heard.more
		for i, event := range d.heard.events {
			if e, ok := event.(E); ok && !d.heard.taken[i] && fits(e) {
				d.heard.taken[i] = true
				d.heard.mu.Unlock()
				return e
			}
		}
		d.heard.mu.Unlock()
		select {
		case <-more:
		case <-deadline:
			var none E
			d.t.Fatalf("no %T came", none)
		}
	}
}

// item waits for an item of a kind.
func (d *desk) item(kind model.ItemKind) model.Item {
	d.t.Helper()
	return await(d, func(e model.ItemAdded) bool { return e.Item.Kind == kind }).Item
}

func (d *desk) answer(id string, a model.Answer) {
	d.t.Helper()
	if err := d.inbox.Resolve(d.t.Context(), id, a, "you"); err != nil {
		d.t.Fatal(err)
	}
}

// fakeCalls runs tools: echo and add answer at once, slow when it is cancelled, and
// those in asks only after an approval.
type fakeCalls struct {
	store    *store.Store
	inbox    *inbox.Inbox
	asks     map[string]bool
	stopping chan struct{}
	once     sync.Once

	mu   sync.Mutex
	sent []string // ids
}

func (c *fakeCalls) close() { c.once.Do(func() { close(c.stopping) }) }

func (c *fakeCalls) Run(ctx context.Context, r model.CallRequest) (model.Call, error) {
	call := model.Call{ID: r.ID, Server: r.Server, Tool: r.Tool, Arguments: r.Arguments, State: model.CallRunning,
		Asker: r.Asker, Agent: r.Agent, SessionID: r.SessionID, StartedAt: time.Now()}
	if c.asks[r.Tool] {
		call.State = model.CallWaitingApproval
	}
	if err := c.store.InsertCall(ctx, call); err != nil {
		return model.Call{}, err
	}
	return c.goOn(ctx, call)
}

func (c *fakeCalls) Start(ctx context.Context, r model.CallRequest) (model.Call, error) {
	return c.Run(ctx, r)
}

func (c *fakeCalls) Get(ctx context.Context, id string) (model.Call, error) {
	return c.store.Call(ctx, id)
}

func (c *fakeCalls) Resume(ctx context.Context, id string) (model.Call, error) {
	call, err := c.store.Call(ctx, id)
	if err != nil || !call.State.Open() {
		return call, err
	}
	return c.goOn(ctx, call)
}

func (c *fakeCalls) goOn(ctx context.Context, call model.Call) (model.Call, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-c.stopping:
			cancel(model.ErrStopping)
		case <-ctx.Done():
		}
	}()
	if call.State == model.CallWaitingApproval {
		answer, err := c.approval(ctx, call)
		switch {
		case errors.Is(err, model.ErrStopping):
			return call, err
		case err != nil:
			return c.finish(call, model.CallCancelled, "")
		case answer.Action != model.ActionAccept:
			call.Error = &model.Error{Code: model.CodeRejected, Message: answer.Note}
			return c.finish(call, model.CallRejected, "")
		}
	}
	c.mu.Lock()
	c.sent = append(c.sent, call.ID)
	c.mu.Unlock()
	if call.Tool == "slow" {
		<-ctx.Done()
		return c.finish(call, model.CallCancelled, "")
	}
	return c.finish(call, model.CallDone, call.Tool+" "+string(call.Arguments))
}

// approval asks, or waits on for what was asked before.
func (c *fakeCalls) approval(ctx context.Context, call model.Call) (model.Answer, error) {
	if item, err := c.inbox.Find(ctx, model.ItemApproval, call.ID); err == nil {
		return c.inbox.Wait(ctx, item.ID)
	}
	return c.inbox.Ask(ctx, model.Item{Kind: model.ItemApproval, Server: call.Server, Tool: call.Tool, CallID: call.ID,
		SessionID: call.SessionID, Asker: call.Asker, Approval: &model.Approval{Name: call.Name(), Arguments: call.Arguments}})
}

func (c *fakeCalls) finish(call model.Call, state model.CallState, text string) (model.Call, error) {
	call.State, call.EndedAt = state, time.Now()
	call.Result = model.Result{Type: model.ResultString, Text: text}
	return call, c.store.FinishCall(context.Background(), call)
}

func (c *fakeCalls) sends() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sent)
}

// fakeServers are servers, what they offer, and a search that finds parts of names.
type fakeServers struct {
	mu    sync.Mutex
	list  []Server
	tools []model.Tool
	reach map[string]error
}

func (s *fakeServers) change(edit func(*fakeServers)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	edit(s)
}

func (s *fakeServers) Servers() []Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Server(nil), s.list...)
}

func (s *fakeServers) Reach(_ context.Context, name string) error { return s.reach[name] }

func (s *fakeServers) ReadResource(_ context.Context, _, uri string) ([]model.Content, error) {
	return []model.Content{{Kind: model.ContentText, Text: "contents of " + uri}}, nil
}

func (s *fakeServers) GetPrompt(_ context.Context, _, name string, arguments json.RawMessage) ([]PromptMessage, error) {
	return []PromptMessage{{Role: "user", Content: model.Content{Kind: model.ContentText, Text: name + " " + string(arguments)}}}, nil
}

func (s *fakeServers) Offered(server string) []model.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []model.Tool
	for _, t := range s.tools {
		if server == "" || t.Server == server {
			out = append(out, t)
		}
	}
	return out
}

func (s *fakeServers) Resolve(name string) (model.Tool, error) {
	for _, t := range s.Offered("") {
		if t.FullName() == name {
			return t, nil
		}
	}
	return model.Tool{}, model.Errorf(model.CodeNotFound, "there is no tool %q", name)
}

func (s *fakeServers) Search(_ context.Context, query string, offered []model.Tool) ([]search.Hit, error) {
	var hits []search.Hit
	for _, t := range offered {
		if strings.Contains(t.Name, query) {
			hits = append(hits, search.Hit{Tool: t, Line: t.Description})
		}
	}
	return hits, nil
}

// fakeModels has one model, or an error.
type fakeModels struct {
	mu       sync.Mutex
	provider llm.Provider
	model    model.LanguageModel
	err      error
}

func (m *fakeModels) Provider(context.Context, string) (llm.Provider, model.LanguageModel, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.provider, m.model, m.err
}

func (m *fakeModels) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// turn is a scripted answer.
func says(steps ...scripted.Step) scripted.Turn { return scripted.Turn{Steps: steps} }

func words(text string) scripted.Step { return scripted.Say{Text: text} }

func calls(name, arguments string) scripted.Step {
	return scripted.Call{ID: "use_" + name, Name: name, Arguments: arguments}
}
