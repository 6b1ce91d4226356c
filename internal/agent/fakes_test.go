package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"kontor.dev/kontor/internal/agent/search"
	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
)

// fakeCalls runs tools: echo and add answer at once, slow when it is cancelled, and
// those in asks only after an approval.
type fakeCalls struct {
	store    *store.Store
	inbox    *inbox.Inbox
	asks     map[string]bool
	stopping chan struct{}
	once     sync.Once
	// leaves hears that a call is about to be sent.
	leaves func()
	// refuses, if set, is heard by a run of the person's that doesn't begin.
	refuses func()

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
	if c.refuses != nil {
		c.refuses()
		return model.Call{}, model.Errorf(model.CodeInvalid, "no")
	}
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
	if c.leaves != nil {
		c.leaves()
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
	if strings.HasPrefix(uri, "missing:") {
		return nil, model.Errorf(model.CodeServerError, "there is no %s", uri)
	}
	return []model.Content{{Kind: model.ContentText, Text: "contents of " + uri}}, nil
}

func (s *fakeServers) GetPrompt(_ context.Context, _, name string, arguments json.RawMessage) ([]PromptMessage, error) {
	if name == "endless" {
		return make([]PromptMessage, maxPromptMessages+1), nil
	}
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

// play has another provider answer from now on. The end of a turn may still ask which.
func (m *fakeModels) play(p llm.Provider) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.provider = p
}

func (m *fakeModels) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}
