package calls

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Get returns a call as it is now, or CodeNotFound.
func (s *Service) Get(ctx context.Context, id string) (model.Call, error) {
	if o := s.o.Open.get(id); o != nil {
		return o.snapshot(), nil
	}
	return s.o.Store.Call(ctx, id)
}

// List returns calls, newest first, and the cursor of the next page. Open states
// are only known here, not to the store: a list of one of them is whole and has
// no next page.
func (s *Service) List(ctx context.Context, f Filter) ([]model.Call, string, error) {
	if f.State.Open() {
		return s.o.Open.list(f), "", nil
	}
	items, next, err := s.o.Store.ListCalls(ctx, f)
	if err != nil {
		return nil, "", err
	}
	for i, c := range items {
		if !c.State.Open() {
			continue
		}
		// A row is open until its call is recorded; it may be by now.
		if items[i], err = s.Get(ctx, c.ID); err != nil {
			return nil, "", err
		}
	}
	return items, next, nil
}
