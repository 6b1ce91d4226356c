package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// fakeClient is an open connection that tests steer. Functions left out answer
// with nothing.
type fakeClient struct {
	o     client.Options
	lists func(ctx context.Context, kind model.ListKind) (client.List, error)
	call  func(ctx context.Context, call client.ToolCall) (json.RawMessage, error)
	read  func(ctx context.Context) (json.RawMessage, error)
	info  client.Info
	hears func(capability string) bool

	once   sync.Once
	done   chan struct{}
	mu     sync.Mutex
	err    error
	closed bool
}

func newFakeClient() *fakeClient {
	return &fakeClient{done: make(chan struct{}), info: client.Info{Era: client.Legacy, ProtocolVersion: "2025-11-25", Name: "fake", Version: "1"}}
}

func (f *fakeClient) list(ctx context.Context, kind model.ListKind) (client.List, error) {
	if f.lists == nil {
		return client.List{}, nil
	}
	return f.lists(ctx, kind)
}

func (f *fakeClient) ListTools(ctx context.Context) (client.List, error) {
	return f.list(ctx, model.ListTools)
}
func (f *fakeClient) ListResources(ctx context.Context) (client.List, error) {
	return f.list(ctx, model.ListResources)
}
func (f *fakeClient) ListResourceTemplates(ctx context.Context) (client.List, error) {
	return f.list(ctx, model.ListTemplates)
}
func (f *fakeClient) ListPrompts(ctx context.Context) (client.List, error) {
	return f.list(ctx, model.ListPrompts)
}
func (f *fakeClient) Info() client.Info { return f.info }
func (f *fakeClient) Hears(capability string) bool {
	return f.hears != nil && f.hears(capability)
}
func (f *fakeClient) CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error) {
	return f.call(ctx, call)
}
func (f *fakeClient) ReadResource(ctx context.Context, _ string) (json.RawMessage, error) {
	return f.read(ctx)
}
func (f *fakeClient) GetPrompt(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return nil, nil
}
func (f *fakeClient) Complete(context.Context, json.RawMessage) (json.RawMessage, error) {
	return nil, nil
}
func (f *fakeClient) Done() <-chan struct{} { return f.done }

func (f *fakeClient) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *fakeClient) Close() error {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.once.Do(func() { close(f.done) })
	return nil
}

func (f *fakeClient) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// die ends the connection by itself.
func (f *fakeClient) die(err error) {
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	f.once.Do(func() { close(f.done) })
}

// fakeStore keeps configurations in memory.
type fakeStore struct {
	mu      sync.Mutex
	servers map[string]model.Server
	saved   map[string]model.SavedCatalogue
	saves   []string // in words
}

func (f *fakeStore) ListServers(context.Context) ([]model.Server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []model.Server
	for _, s := range f.servers {
		all = append(all, s)
	}
	return all, nil
}

func (f *fakeStore) InsertServer(_ context.Context, s model.Server) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, taken := f.servers[s.Name]; taken {
		return model.Errorf(model.CodeConflict, "taken")
	}
	f.servers[s.Name] = s
	return nil
}

func (f *fakeStore) UpdateServer(_ context.Context, s model.Server) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.servers[s.Name] = s
	return nil
}

func (f *fakeStore) DeleteServer(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.servers, name)
	delete(f.saved, name)
	return nil
}

func (f *fakeStore) Catalogues(context.Context) (map[string]model.SavedCatalogue, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.saved), nil
}

func (f *fakeStore) SaveCatalogue(_ context.Context, c model.SavedCatalogue) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	words := "save"
	lists := maps.Clone(f.saved[c.Server].Lists)
	if lists == nil {
		lists = map[model.ListKind][]json.RawMessage{}
	}
	for _, kind := range model.ListKinds() {
		if items, ok := c.Lists[kind]; ok {
			words += fmt.Sprintf(" %s=%s", kind, items)
			lists[kind] = items
		}
	}
	f.saves = append(f.saves, words)
	c.Lists = lists
	if f.saved == nil {
		f.saved = map[string]model.SavedCatalogue{}
	}
	f.saved[c.Server] = c
	return nil
}

func (f *fakeStore) TouchCatalogue(context.Context, string, time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.saves = append(f.saves, "touch")
	return nil
}

// written returns what was saved since it was last asked.
func (f *fakeStore) written() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	saves := f.saves
	f.saves = nil
	return saves
}

// fakeCatalogue remembers the last list of each kind.
type fakeCatalogue struct {
	mu    sync.Mutex
	lists map[string][]json.RawMessage
}

func (f *fakeCatalogue) Configure(model.Server) {}

func (f *fakeCatalogue) Replace(server string, kind model.ListKind, items []json.RawMessage) (int, []model.Warning) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists[server+" "+string(kind)] = items
	return len(items), []model.Warning{{Code: "seen", Message: string(kind)}}
}

func (f *fakeCatalogue) Restore(server string, kind model.ListKind, items []json.RawMessage, _ time.Time) (int, []model.Warning) {
	return f.Replace(server, kind, items)
}

func (f *fakeCatalogue) Remove(server string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.lists {
		if strings.HasPrefix(key, server+" ") {
			delete(f.lists, key)
		}
	}
}

// fakeLog keeps lines as "tag text".
type fakeLog struct {
	mu     sync.Mutex
	lines  []string
	bodies []string
}

func (f *fakeLog) Write(_, tag, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(f.lines, tag+" "+text)
}

func (f *fakeLog) Trace(_ string, e model.TraceEntry, body []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bodies = append(f.bodies, fmt.Sprintf("%s %s %s", e.Dir, e.Kind, body))
}

func (f *fakeLog) Forget(string) {}

func (f *fakeLog) count(line string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, l := range f.lines {
		if l == line {
			n++
		}
	}
	return n
}

// fakeRedactor masks by plain replacement.
type fakeRedactor struct {
	mu     sync.Mutex
	values map[string][]string
}

func (f *fakeRedactor) Set(owner string, values []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.values[owner] = values
}

func (f *fakeRedactor) Redact(text string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, values := range f.values {
		for _, v := range values {
			text = strings.ReplaceAll(text, v, "•••")
		}
	}
	return text
}

func (f *fakeRedactor) knows(value string) bool { return f.Redact(value) == "•••" }

// fakeInbox answers with functions.
type fakeInbox struct {
	ask      func(ctx context.Context, item model.Item) (model.Answer, error)
	complete func(server, elicitationID string)
}

func (f fakeInbox) Ask(ctx context.Context, item model.Item) (model.Answer, error) {
	return f.ask(ctx, item)
}
func (f fakeInbox) Complete(_ context.Context, server, id string) { f.complete(server, id) }

// fakeQuestions knows calls by id; over ends every question.
type fakeQuestions struct {
	calls map[string]model.Call
	over  chan struct{}
	open  atomic.Int64
}

func (f *fakeQuestions) Begin(ctx context.Context, callIDs []string) (context.Context, []model.Call, func()) {
	asking, cancel := context.WithCancelCause(ctx)
	var calls []model.Call
	for _, id := range callIDs {
		if c, ok := f.calls[id]; ok {
			calls = append(calls, c)
		}
	}
	go func() {
		select {
		case <-f.over:
			cancel(errors.New("call ended"))
		case <-asking.Done():
		}
	}()
	f.open.Add(1)
	return asking, calls, func() {
		f.open.Add(-1)
		cancel(nil)
	}
}
