// Package approvals tests what decides about a call and how the person is asked, with
// everything real but the servers: rules, inbox, catalogue, calls and one database,
// which outlives a stop and a kill.
package approvals

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/policy"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is one run of Kontor in it.
type house struct {
	*world
	store  *store.Store
	inbox  *inbox.Inbox
	policy *policy.Service
	shelf  *catalogue.Catalogue
	calls  *calls.Service
	local  *localTools
	added  chan model.Item
}

// start begins a run as internal/app does.
func (w *world) start(t *testing.T) *house {
	t.Helper()
	h := &house{world: w, store: storetest.Open(t, w.path), local: &localTools{}, added: make(chan model.Item, 100)}
	h.must(t, errors.Join(settle(h.store.SettleOpenCalls(t.Context(), time.Now())), settle(h.store.SettleOpenItems(t.Context(), time.Now()))))
	publish := func(e model.Event) {
		if a, ok := e.(model.ItemAdded); ok {
			h.added <- a.Item
		}
	}
	log := slog.New(slog.DiscardHandler)
	h.inbox = inbox.New(inbox.Options{Store: h.store, Publish: publish, Log: log})
	h.must(t, h.inbox.Restore(t.Context()))
	var err error
	h.shelf, err = catalogue.New(t.Context(), catalogue.Options{Pins: h.store, Publish: publish})
	h.must(t, err)
	files, err := media.Open(t.TempDir(), 0)
	h.must(t, err)
	h.policy = policy.New(t.Context(), policy.Options{Store: h.store, Publish: publish, Log: log})
	h.calls = calls.New(calls.Options{
		Open: calls.NewRegistry(publish), Server: h.server, Connect: h.connect, Catalogue: h.shelf, Policy: h.policy,
		Approvals: h.inbox, Local: h.local, Store: h.store, Media: files, Publish: publish,
	})
	t.Cleanup(func() { h.stop(t) })
	if _, err := h.store.Server(t.Context(), "s"); err != nil {
		h.must(t, h.store.InsertServer(t.Context(), model.Server{Name: "s", Transport: model.TransportStdio, Command: "x"}))
	}
	if _, err := h.server("s"); err == nil {
		h.shelf.Configure(model.Server{Name: "s", Enabled: true})
		h.list()
	}
	return h
}

func settle(_ int, err error) error { return err }

func (h *house) must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// stop ends the run in good order.
func (h *house) stop(t *testing.T) {
	t.Helper()
	if err := h.calls.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// ask is a call of a chat's agent.
func ask(id string) model.CallRequest {
	return model.CallRequest{ID: id, Name: "mcp__s__run", Arguments: json.RawMessage(`{"command":"ls","n":1.0}`),
		Asker: model.Asker{Kind: "agent", Label: "main"}, Agent: "main", SessionID: "chat", Notes: []string{"n was text"}}
}

// callID makes ids later than every start.
func callID(n int) string { return fmt.Sprintf("ffffffff-ffff-7000-8000-%012d", n) }

// outcome is what came of a call.
type outcome struct {
	call model.Call
	err  error
}

// run runs a call in the background.
func (h *house) run(ctx context.Context, r model.CallRequest) chan outcome {
	done := make(chan outcome, 1)
	go func() {
		call, err := h.calls.Run(ctx, r)
		done <- outcome{call, err}
	}()
	return done
}

func (h *house) resume(ctx context.Context, id string) chan outcome {
	done := make(chan outcome, 1)
	go func() {
		call, err := h.calls.Resume(ctx, id)
		done <- outcome{call, err}
	}()
	return done
}

// shown waits for the next item.
func (h *house) shown(t *testing.T) model.Item {
	t.Helper()
	select {
	case item := <-h.added:
		return item
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was asked")
		return model.Item{}
	}
}

func ended(t *testing.T, done chan outcome) outcome {
	t.Helper()
	select {
	case o := <-done:
		return o
	case <-time.After(20 * time.Second):
		t.Fatal("the call didn't end")
		return outcome{}
	}
}

func (h *house) answer(t *testing.T, item model.Item, a model.Answer) {
	t.Helper()
	h.must(t, h.inbox.Resolve(t.Context(), item.ID, a, "you"))
}

func approve(scope model.ApprovalScope) model.Answer {
	return model.Answer{Action: model.ActionAccept, Scope: scope}
}

func reject(note string) model.Answer { return model.Answer{Action: model.ActionDecline, Note: note} }

// audited is the outcomes in the audit, oldest first.
func (h *house) audited(t *testing.T) []model.AuditEntry {
	t.Helper()
	entries, _, err := h.store.ListAudit(t.Context(), 100, "")
	h.must(t, err)
	for i, j := 0, len(entries)-1; i < j; i, j = i+1, j-1 {
		entries[i], entries[j] = entries[j], entries[i]
	}
	return entries
}

func outcomes(entries []model.AuditEntry) string {
	out := ""
	for _, e := range entries {
		out += " " + e.Outcome
	}
	return out
}

func (h *house) rule(t *testing.T, r model.Rule) {
	t.Helper()
	r.Position = -1
	_, err := h.policy.Add(t.Context(), r)
	h.must(t, err)
}

// row is a call as it is stored.
func (h *house) row(t *testing.T, id string) model.Call {
	t.Helper()
	call, err := h.store.Call(t.Context(), id)
	h.must(t, err)
	return call
}

// withConnect has the server do something each time it is connected to.
func (h *house) withConnect(t *testing.T, connected func()) *calls.Service {
	t.Helper()
	files, err := media.Open(t.TempDir(), 0)
	h.must(t, err)
	publish := func(model.Event) {}
	s := calls.New(calls.Options{
		Open: calls.NewRegistry(publish), Server: h.server, Catalogue: h.shelf, Policy: h.policy,
		Connect: func(ctx context.Context, name string) (calls.Conn, error) {
			connected()
			return h.connect(ctx, name)
		},
		Approvals: h.inbox, Store: h.store, Media: files, Publish: publish,
	})
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// answerLater stops Kontor, and has the answer be given in between.
func (h *house) answerLater(t *testing.T, item model.Item) {
	t.Helper()
	h.stop(t)
	h.answer(t, item, approve(model.ScopeOnce))
}
