package servers

import (
	"context"
	"encoding/json"
	"sync"

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
