package inbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is an inbox with a store and a bus in memory.
type desk struct {
	*inbox.Inbox
	mu     sync.Mutex
	items  map[string]model.Item
	events []model.Event
	added  chan string
	full   bool
}

func newDesk() *desk {
	d := &desk{items: map[string]model.Item{}, added: make(chan string, 100)}
	d.restart()
	return d
}

// restart makes another inbox over the same store.
func (d *desk) restart() {
	d.Inbox = inbox.New(inbox.Options{Store: d, Log: slog.New(slog.DiscardHandler), Publish: func(e model.Event) {
		d.mu.Lock()
		d.events = append(d.events, e)
		d.mu.Unlock()
		if a, ok := e.(model.ItemAdded); ok {
			d.added <- a.Item.ID
		}
	}})
}

func (d *desk) InsertItem(_ context.Context, item model.Item) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items[item.ID] = item
	return nil
}

func (d *desk) ResolveItem(_ context.Context, id string, r model.Resolution) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full {
		return false, errors.New("disk full")
	}
	item := d.items[id]
	first := item.Resolution == nil
	item.Resolution = &r
	d.items[id] = item
	return first, nil
}

func (d *desk) Item(_ context.Context, id string) (model.Item, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	item, ok := d.items[id]
	if !ok {
		return item, model.Errorf(model.CodeNotFound, "no such item")
	}
	return item, nil
}

func (d *desk) ItemOf(_ context.Context, kind model.ItemKind, callID string) (model.Item, error) {
	return model.Item{}, model.Errorf(model.CodeNotFound, "no %s of %s", kind, callID)
}

func (d *desk) OpenItems(context.Context) ([]model.Item, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []model.Item
	for _, item := range d.items {
		if item.Resolution == nil {
			out = append(out, item)
		}
	}
	return out, nil
}

func (d *desk) published() []model.Event {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.events
}

func form(schema string) model.Item {
	return model.Item{Kind: model.ItemElicitation, Server: "demo", Mode: model.ElicitForm, Message: "?", Schema: json.RawMessage(schema)}
}

const password = `{"type":"object","properties":{"password":{"type":"string","format":"password","minLength":3}},"required":["password"]}`

func TestAnswerReachesTheAskerAndNothingElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		done := make(chan model.Answer, 1)
		go func() {
			a, err := d.Ask(t.Context(), form(password))
			if err != nil {
				t.Error(err)
			}
			done <- a
		}()
		id := <-d.added
		if open := d.Open(); len(open) != 1 || open[0].ID != id {
			t.Fatalf("open: %v", open)
		}
		answer := model.Answer{Action: model.ActionAccept, Content: json.RawMessage(`{"password":"hunter2hunter2"}`)}
		if err := d.Resolve(t.Context(), id, answer, "you"); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got.Action != model.ActionAccept || string(got.Content) != `{"password":"hunter2hunter2"}` {
			t.Errorf("got %s %s", got.Action, got.Content)
		}
		for _, kept := range []any{d.published(), d.items} {
			if data, _ := json.Marshal(kept); contains(data, "hunter2") {
				t.Errorf("the answer is in what was kept: %s", data)
			}
		}
		if len(d.Open()) != 0 || len(d.published()) != 2 {
			t.Errorf("open %v, events %v", d.Open(), d.published())
		}
	})
}

func contains(data []byte, s string) bool {
	for i := range data {
		if len(data)-i >= len(s) && string(data[i:i+len(s)]) == s {
			return true
		}
	}
	return false
}

func TestFirstAnswerWinsAndTheOthersLearnHow(t *testing.T) {
	t.Parallel()
	d := newDesk()
	done := make(chan model.Answer, 1)
	go func() {
		a, _ := d.Ask(context.Background(), form(`{"type":"object","properties":{}}`))
		done <- a
	}()
	id := <-d.added
	var wins atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			err := d.Resolve(context.Background(), id, model.Answer{Action: model.ActionDecline}, "you")
			var gone *inbox.GoneError
			switch {
			case err == nil:
				wins.Add(1)
			case !errors.As(err, &gone) || gone.Item.Resolution.By != "you" || model.CodeOf(err) != model.CodeGone:
				t.Errorf("loser got %v", err)
			}
		})
	}
	wg.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d answers won, want 1", wins.Load())
	}
	if a := <-done; a.Action != model.ActionDecline {
		t.Errorf("asker got %v", a)
	}
	err := d.Resolve(context.Background(), id, model.Answer{Action: model.ActionAccept}, "you")
	if want := "this was already declined by you"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestDeadlineCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		item := form(password)
		item.Deadline = time.Now().Add(5 * time.Minute)
		start := time.Now()
		a, err := d.Ask(t.Context(), item)
		if err != nil || a.Action != model.ActionCancel || time.Since(start) != 5*time.Minute {
			t.Errorf("got %v, %v after %v", a, err, time.Since(start))
		}
		if r := d.items[<-d.added].Resolution; r == nil || r.By != inbox.ByTimeLimit {
			t.Errorf("resolution %v", r)
		}
	})
}

func TestItemEndsWithItsAsker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		why := errors.New("the call was stopped")
		ctx, stop := context.WithCancelCause(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := d.Ask(ctx, form(password))
			done <- err
		}()
		id := <-d.added
		stop(why)
		if err := <-done; err != why {
			t.Errorf("got %v, want %v", err, why)
		}
		if r := d.items[id].Resolution; r == nil || r.Action != model.ActionCancel || r.By != inbox.ByCallEnd {
			t.Errorf("resolution %v", r)
		}
	})
}

func TestAnswerCountsWhenItsRecordCantBeKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		done := make(chan model.Answer, 1)
		go func() {
			a, _ := d.Ask(t.Context(), form(`{}`))
			done <- a
		}()
		id := <-d.added
		d.mu.Lock()
		d.full = true
		d.mu.Unlock()
		if err := d.Resolve(t.Context(), id, model.Answer{Action: model.ActionAccept}, "you"); err != nil {
			t.Fatal(err)
		}
		if a := <-done; a.Action != model.ActionAccept {
			t.Errorf("got %v", a)
		}
	})
}

func TestServerSaysThatThePersonHasFinishedThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		done := make(chan model.Answer, 1)
		go func() {
			a, _ := d.Ask(t.Context(), model.Item{Server: "demo", Mode: model.ElicitURL, URL: "https://a.example/", ElicitationID: "e1"})
			done <- a
		}()
		<-d.added
		d.Complete(t.Context(), "other", "e1")
		d.Complete(t.Context(), "demo", "")
		if len(d.Open()) != 1 {
			t.Fatal("another's word ended the item")
		}
		d.Complete(t.Context(), "demo", "e1")
		if a := <-done; a.Action != model.ActionAccept || a.Content != nil {
			t.Errorf("got %v", a)
		}
	})
}

func TestUnknownItemIsNotFound(t *testing.T) {
	t.Parallel()
	d := newDesk()
	if err := d.Resolve(t.Context(), "nope", model.Answer{Action: model.ActionAccept}, "you"); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("got %v", err)
	}
}
