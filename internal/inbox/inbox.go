// Package inbox holds what waits for a person. Whoever asks blocks until the
// first answer, the deadline, or its own end. Answers pass through memory only:
// what is stored, published and logged says that and how an item ended, never
// with which values.
package inbox

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
)

// Store keeps items without their answers.
type Store interface {
	InsertItem(ctx context.Context, item model.Item) error
	// ResolveItem reports whether this resolution was the first.
	ResolveItem(ctx context.Context, id string, r model.Resolution) (bool, error)
	// Item returns an open or resolved item; CodeNotFound if there was none.
	Item(ctx context.Context, id string) (model.Item, error)
}

// Who ended an item, where it was not the person.
const (
	ByTimeLimit = "time limit"
	ByCallEnd   = "call ended"
	ByServer    = "server"
	ByShutdown  = "shutdown"
)

// Options wires an Inbox; every field is required.
type Options struct {
	Store   Store
	Publish func(model.Event)
	Log     *slog.Logger
}

// Inbox is the set of open items and those who wait for them.
type Inbox struct {
	opts Options

	mu      sync.Mutex
	waiting map[string]*waiter
	order   []string // ids, oldest first
}

type waiter struct {
	item   model.Item
	answer chan model.Answer // one, from whoever removed the waiter
}

// New makes an empty inbox.
func New(o Options) *Inbox {
	return &Inbox{opts: o, waiting: map[string]*waiter{}}
}

// Ask puts an item before the person and waits. At the deadline, and when the
// item is resolved by something else than the person, the answer is a cancel.
// When ctx ends first the item is settled and the error is ctx's cause.
//
// ID and CreatedAt are set here.
func (b *Inbox) Ask(ctx context.Context, item model.Item) (model.Answer, error) {
	item.ID = uuid.Must(uuid.NewV7()).String()
	item.CreatedAt = time.Now().UTC()
	if err := b.opts.Store.InsertItem(ctx, item); err != nil {
		return model.Answer{}, err
	}
	w := &waiter{item: item, answer: make(chan model.Answer, 1)}
	b.mu.Lock()
	b.waiting[item.ID] = w
	b.order = append(b.order, item.ID)
	// Published under the lock: nobody hears of the end before the beginning.
	b.opts.Publish(model.ItemAdded{Item: item})
	b.mu.Unlock()

	var deadline <-chan time.Time
	if !item.Deadline.IsZero() {
		timer := time.NewTimer(time.Until(item.Deadline))
		defer timer.Stop()
		deadline = timer.C
	}
	select {
	case a := <-w.answer:
		return a, nil
	case <-deadline:
		b.settle(ctx, item.ID, model.Answer{Action: model.ActionCancel}, ByTimeLimit)
		return <-w.answer, nil
	case <-ctx.Done():
		if !b.settle(ctx, item.ID, model.Answer{Action: model.ActionCancel}, ByCallEnd) {
			return <-w.answer, nil // the person was a moment quicker
		}
		return model.Answer{}, context.Cause(ctx)
	}
}

// Resolve gives the person's answer. Content of an accepted form is checked
// against the item's schema, and fields left out take the schema's defaults. A
// wrong one is an *InvalidError, and the item stays. An item that is gone is a
// *GoneError that says how it ended.
func (b *Inbox) Resolve(ctx context.Context, id string, a model.Answer, by string) error {
	item, open := b.get(id)
	if !open {
		return b.gone(ctx, id)
	}
	a, err := check(item, a)
	if err != nil {
		return err
	}
	if !b.settle(ctx, id, a, by) {
		return b.gone(ctx, id)
	}
	return nil
}

// Complete ends a URL-mode item as accepted because its server says that the
// person has finished there (notifications/elicitation/complete, 2025-11-25).
func (b *Inbox) Complete(ctx context.Context, server, elicitationID string) {
	for _, item := range b.Open() {
		if elicitationID != "" && item.Server == server && item.ElicitationID == elicitationID {
			b.settle(ctx, item.ID, model.Answer{Action: model.ActionAccept}, ByServer)
		}
	}
}

// settle ends an item, if nobody did before: removing the waiter is what wins.
func (b *Inbox) settle(ctx context.Context, id string, a model.Answer, by string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, open := b.waiting[id]
	if !open {
		return false
	}
	delete(b.waiting, id)
	for i, other := range b.order {
		if other == id {
			b.order = append(b.order[:i:i], b.order[i+1:]...)
			break
		}
	}
	r := &model.Resolution{Action: a.Action, By: by, At: time.Now().UTC()}
	// The answer counts even where its record can't be kept, and however its
	// asker ended.
	if _, err := b.opts.Store.ResolveItem(context.WithoutCancel(ctx), id, *r); err != nil {
		b.opts.Log.Error("inbox: an item's end was not recorded", "item", id, "err", err)
	}
	w.answer <- a
	w.item.Resolution = r
	b.opts.Publish(model.ItemResolved{Item: w.item})
	return true
}

// Open lists what waits, oldest first.
func (b *Inbox) Open() []model.Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := make([]model.Item, 0, len(b.order))
	for _, id := range b.order {
		items = append(items, b.waiting[id].item)
	}
	return items
}

// Get returns an item, open or ended.
func (b *Inbox) Get(ctx context.Context, id string) (model.Item, error) {
	if item, open := b.get(id); open {
		return item, nil
	}
	return b.opts.Store.Item(ctx, id)
}

func (b *Inbox) get(id string) (model.Item, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, open := b.waiting[id]
	if !open {
		return model.Item{}, false
	}
	return w.item, true
}

func (b *Inbox) gone(ctx context.Context, id string) error {
	item, err := b.opts.Store.Item(ctx, id)
	if err != nil {
		return err
	}
	return &GoneError{Item: item}
}
