package oauth

import (
	"bytes"
	"context"
	"sync"

	"kontor.dev/kontor/internal/model"
)

// memoryStore is a Store in memory, with a hook before each write.
type memoryStore struct {
	mu        sync.Mutex
	records   map[string]stored
	clients   map[string][]byte
	writes    int
	beforePut func(server string, data []byte) error
}

type stored struct {
	data     []byte
	revision int64
}

func newStore() *memoryStore {
	return &memoryStore{records: map[string]stored{}, clients: map[string][]byte{}}
}

func (m *memoryStore) OAuthRecord(_ context.Context, server string) ([]byte, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.records[server]
	if !ok {
		return nil, 0, model.Errorf(model.CodeNotFound, "no record")
	}
	return bytes.Clone(r.data), r.revision, nil
}

func (m *memoryStore) SwapOAuthRecord(ctx context.Context, server string, revision int64, data []byte) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	hook := m.beforePut
	m.mu.Unlock()
	if hook != nil {
		if err := hook(server, data); err != nil {
			return 0, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records[server].revision != revision {
		return 0, model.Errorf(model.CodeConflict, "changed meanwhile")
	}
	m.writes++
	if data == nil {
		delete(m.records, server)
		return 0, nil
	}
	m.records[server] = stored{bytes.Clone(data), revision + 1}
	return revision + 1, nil
}

// keeps tells whether a text is in anything that is kept of sign-ins.
func (m *memoryStore) keeps(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, kept := range m.records {
		if bytes.Contains(kept.data, []byte(text)) {
			return true
		}
	}
	return false
}

func (m *memoryStore) hook(f func(server string, data []byte) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beforePut = f
}

func (m *memoryStore) OAuthClient(_ context.Context, issuer, redirectURI string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if data, ok := m.clients[issuer+" "+redirectURI]; ok {
		return data, nil
	}
	return nil, model.Errorf(model.CodeNotFound, "no client")
}

func (m *memoryStore) PutOAuthClient(_ context.Context, issuer, redirectURI string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clients[issuer+" "+redirectURI] = bytes.Clone(data)
	return nil
}

func (m *memoryStore) DeleteOAuthClient(_ context.Context, issuer, redirectURI string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.clients, issuer+" "+redirectURI)
	return nil
}
