package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/model"
)

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
	if f.ask == nil { // nobody answers
		<-ctx.Done()
		return model.Answer{}, context.Cause(ctx)
	}
	return f.ask(ctx, item)
}

func (f fakeInbox) EndSignIns(context.Context, string, model.Action, string) {}

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
