package agent

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/agent/agents"
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
	t       testing.TB
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

func newDesk(t testing.TB, turns ...scripted.Turn) *desk {
	t.Helper()
	d := reopen(t, filepath.Join(t.TempDir(), "kontor.db"), turns...)
	demo := model.Server{Name: "demo", Transport: model.TransportStdio, Command: "demo", Enabled: true}
	if err := d.store.InsertServer(t.Context(), demo); err != nil {
		t.Fatal(err)
	}
	return d
}

// reopen makes a desk of a database, as after a restart.
func reopen(t testing.TB, path string, turns ...scripted.Turn) *desk {
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

// says is a scripted answer.
func says(steps ...scripted.Step) scripted.Turn { return scripted.Turn{Steps: steps} }

func words(text string) scripted.Step { return scripted.Say{Text: text} }

func calls(name, arguments string) scripted.Step {
	return scripted.Call{ID: "use_" + name, Name: name, Arguments: arguments}
}
