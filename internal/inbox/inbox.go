// Package inbox holds what waits for a person. Whoever asks blocks until the
// first answer, the deadline, or its own end. The values of a form pass through
// memory only: what is stored, published and logged says that and how an item
// ended. The answers to approvals and to an agent's questions are stored, because
// their askers come back for them after a restart.
package inbox

import (
	"context"
	"errors"
	"log/slog"
	"slices"
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
	// ItemOf is the latest of a kind that is about a call.
	ItemOf(ctx context.Context, kind model.ItemKind, callID string) (model.Item, error)
	// OpenItems returns those without a resolution, oldest first.
	OpenItems(ctx context.Context) ([]model.Item, error)
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

	mu    sync.Mutex
	open  map[string]*openItem
	order []string // ids, oldest first
}

// openItem is an item that waits for the person. answer is set before over closes.
type openItem struct {
	item   model.Item
	over   chan struct{}
	answer model.Answer
}

// New makes an empty inbox.
func New(o Options) *Inbox {
	return &Inbox{opts: o, open: map[string]*openItem{}}
}

// Ask puts an item before the person and waits. At the deadline, and when the
// item is resolved by something else than the person, the answer is a cancel.
// When ctx ends first the item is settled and the error is ctx's cause; but a
// lasting one stays open for the next start where that is model.ErrStopping.
//
// ID and CreatedAt are set here.
func (b *Inbox) Ask(ctx context.Context, item model.Item) (model.Answer, error) {
	o, err := b.add(ctx, item)
	if err != nil {
		return model.Answer{}, err
	}
	return b.await(ctx, o)
}

// Post puts an item before the person and doesn't wait.
func (b *Inbox) Post(ctx context.Context, item model.Item) (model.Item, error) {
	o, err := b.add(ctx, item)
	if err != nil {
		return model.Item{}, err
	}
	return o.item, nil
}

func (b *Inbox) add(ctx context.Context, item model.Item) (*openItem, error) {
	item.ID = uuid.Must(uuid.NewV7()).String()
	item.CreatedAt = time.Now().UTC()
	if err := b.opts.Store.InsertItem(ctx, item); err != nil {
		return nil, err
	}
	o := &openItem{item: item, over: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.enter(o)
	// Published under the lock: nobody hears of the end before the beginning.
	b.opts.Publish(model.ItemAdded{Item: item})
	return o, nil
}

// enter lists an item. The caller holds mu.
func (b *Inbox) enter(o *openItem) {
	b.open[o.item.ID] = o
	b.order = append(b.order, o.item.ID)
}

func (b *Inbox) await(ctx context.Context, o *openItem) (model.Answer, error) {
	var deadline <-chan time.Time
	if !o.item.Deadline.IsZero() {
		timer := time.NewTimer(time.Until(o.item.Deadline))
		defer timer.Stop()
		deadline = timer.C
	}
	by := ByTimeLimit
	select {
	case <-o.over:
		return o.answer, nil
	case <-deadline:
	case <-ctx.Done():
		if o.item.Kind.Lasting() && errors.Is(context.Cause(ctx), model.ErrStopping) {
			return model.Answer{}, context.Cause(ctx)
		}
		by = ByCallEnd
	}
	ours, err := b.settle(ctx, o.item.ID, model.Answer{Action: model.ActionCancel, By: by})
	if err != nil {
		return model.Answer{}, err
	}
	if ours && by == ByCallEnd {
		return model.Answer{}, context.Cause(ctx)
	}
	<-o.over // the person may have been a moment quicker
	return o.answer, nil
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
	a.By = by
	if ours, err := b.settle(ctx, id, a); err != nil || ours {
		return err
	}
	return b.gone(ctx, id)
}

// Complete ends a URL-mode item as accepted because its server says that the
// person has finished there (notifications/elicitation/complete, 2025-11-25).
func (b *Inbox) Complete(ctx context.Context, server, elicitationID string) {
	for _, item := range b.Open() {
		if elicitationID != "" && item.Server == server && item.ElicitationID == elicitationID {
			b.end(ctx, item.ID, model.Answer{Action: model.ActionAccept, By: ByServer})
		}
	}
}

// end settles an item for somebody who can do nothing about an error.
func (b *Inbox) end(ctx context.Context, id string, a model.Answer) {
	if _, err := b.settle(ctx, id, a); err != nil {
		b.opts.Log.Error("inbox: an item couldn't be ended", "item", id, "err", err)
	}
}

// settle ends an item, if nobody did before: removing it is what wins. What the
// person answers to a lasting item counts only once it is recorded, since it must
// outlive a crash: else the item stays, with the error.
func (b *Inbox) settle(ctx context.Context, id string, a model.Answer) (ours bool, _ error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, open := b.open[id]
	if !open {
		return false, nil
	}
	r := &model.Resolution{Action: a.Action, By: a.By, At: time.Now().UTC(),
		Scope: a.Scope, ForArguments: a.ForArguments, Note: a.Note, Text: a.Text}
	_, err := b.opts.Store.ResolveItem(context.WithoutCancel(ctx), id, *r)
	switch {
	case err != nil && o.item.Kind.Lasting() && a.Action != model.ActionCancel:
		return false, err
	case err != nil:
		// The end counts even where its record can't be kept, and however the
		// asker ended.
		b.opts.Log.Error("inbox: an item's end was not recorded", "item", id, "err", err)
	}
	delete(b.open, id)
	b.order = slices.DeleteFunc(b.order, func(other string) bool { return other == id })
	o.answer = a
	close(o.over)
	resolved := o.item
	resolved.Resolution = r
	b.opts.Publish(model.ItemResolved{Item: resolved})
	return true, nil
}

// Open lists what waits, oldest first.
func (b *Inbox) Open() []model.Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := make([]model.Item, 0, len(b.order))
	for _, id := range b.order {
		items = append(items, b.open[id].item)
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
	o, open := b.open[id]
	if !open {
		return model.Item{}, false
	}
	return o.item, true
}

func (b *Inbox) gone(ctx context.Context, id string) error {
	item, err := b.opts.Store.Item(ctx, id)
	if err != nil {
		return err
	}
	return &GoneError{Item: item}
}
