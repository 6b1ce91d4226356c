package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

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
