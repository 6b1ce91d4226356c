package inbox

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Restore takes up the lasting items that the last run left open. It is for the
// start, before anybody asks.
func (b *Inbox) Restore(ctx context.Context) error {
	items, err := b.opts.Store.OpenItems(ctx)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, item := range items {
		if item.Kind.Lasting() {
			b.enter(&openItem{item: item, over: make(chan struct{})})
		}
	}
	return nil
}

// Wait is Ask for a lasting item that is there already. One that ended answers at
// once.
func (b *Inbox) Wait(ctx context.Context, id string) (model.Answer, error) {
	b.mu.Lock()
	o := b.open[id]
	b.mu.Unlock()
	if o != nil {
		return b.await(ctx, o)
	}
	item, err := b.opts.Store.Item(ctx, id)
	if err != nil {
		return model.Answer{}, err
	}
	if item.Resolution == nil {
		return model.Answer{}, model.Errorf(model.CodeNotFound, "item %s is not one that can be waited for again", id)
	}
	r := item.Resolution
	return model.Answer{Action: r.Action, Scope: r.Scope, ForArguments: r.ForArguments, Note: r.Note, Text: r.Text, By: r.By}, nil
}

// Find returns the latest item of a kind that is about a call, open or ended, or
// CodeNotFound.
func (b *Inbox) Find(ctx context.Context, kind model.ItemKind, callID string) (model.Item, error) {
	return b.opts.Store.ItemOf(ctx, kind, callID)
}
