package servers

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"kontor.dev/kontor/internal/model"
)

// Manager owns the servers.
type Manager struct {
	o Options
	// base ends when the manager closes.
	base context.Context
	end  context.CancelFunc
	// running counts the owners, those of deleted servers included.
	running sync.WaitGroup

	// changing puts changes of the configuration in one order, on disk and here.
	changing sync.Mutex
	// opened are the configurations that connections were wanted for last.
	opened map[string]model.Server

	mu     sync.RWMutex
	owners map[string]*owner

	// trials counts the configurations that were tried.
	trials atomic.Int64
}

// New makes a manager without servers: see Start.
func New(o Options) *Manager {
	if o.Connect == nil {
		o.Connect = connect
	}
	if o.TrialClient == nil {
		o.TrialClient = o.HTTPClient
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	m := &Manager{o: o, opened: map[string]model.Server{}, owners: map[string]*owner{}}
	m.base, m.end = context.WithCancel(context.Background())
	return m
}

// Start reads the configurations and begins to connect, in the background.
func (m *Manager) Start(ctx context.Context) error {
	m.changing.Lock()
	defer m.changing.Unlock()
	configs, err := m.o.Store.ListServers(ctx)
	if err != nil {
		return err
	}
	saved, err := m.o.Store.Catalogues(ctx)
	if err != nil {
		m.o.Logger.Error("what the servers listed last can't be read: it is listed anew", "err", err)
	}
	for _, s := range configs {
		m.adopt(s, saved[s.Name])
	}
	m.apply(UpdateOptions{})
	return nil
}

// Close ends all connections side by side and waits for them, within the bounds
// of the transports.
func (m *Manager) Close() error {
	m.end()
	m.running.Wait()
	return nil
}

// adopt makes the owner of a configuration, of which something may be saved. The
// caller holds changing.
func (m *Manager) adopt(s model.Server, saved model.SavedCatalogue) {
	m.o.Catalogue.Configure(s)
	o := newOwner(m, s)
	o.restore(saved)
	m.mu.Lock()
	m.owners[s.Name] = o
	m.mu.Unlock()
	m.running.Go(o.run)
	if !s.Enabled {
		o.say(func(*View) {}) // others are news once they dial
	}
}

// apply makes what runs what is wanted. The caller holds changing.
func (m *Manager) apply(how UpdateOptions) {
	for _, a := range reconcile(m.desired(), m.opened) {
		o := m.owner(a.name)
		switch a.change {
		case start:
			m.opened[a.name] = a.config
			o.do(func() { o.start(a.config) })
		case stop:
			delete(m.opened, a.name)
			if o != nil {
				o.do(func() { o.stop(a.config) })
			}
		case replace:
			m.opened[a.name] = a.config
			o.do(func() { o.replace(a.config, how.Force) })
		case keep:
			if a.config.Enabled {
				m.opened[a.name] = a.config
			}
		}
	}
}

// desired are the configurations that the person wants.
func (m *Manager) desired() map[string]model.Server {
	m.mu.RLock()
	defer m.mu.RUnlock()
	all := make(map[string]model.Server, len(m.owners))
	for name, o := range m.owners {
		all[name] = o.view().Config
	}
	return all
}

func (m *Manager) owner(name string) *owner {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.owners[name]
}

// find is owner with an error in words.
func (m *Manager) find(name string) (*owner, error) {
	if o := m.owner(name); o != nil {
		return o, nil
	}
	return nil, model.Errorf(model.CodeNotFound, "there is no server %q", name)
}

// List returns every server, by name.
func (m *Manager) List() []View {
	m.mu.RLock()
	defer m.mu.RUnlock()
	views := make([]View, 0, len(m.owners))
	for _, name := range slices.Sorted(maps.Keys(m.owners)) {
		views = append(views, m.owners[name].view())
	}
	return views
}

// Get returns one server, or CodeNotFound.
func (m *Manager) Get(name string) (View, error) {
	o, err := m.find(name)
	if err != nil {
		return View{}, err
	}
	return o.view(), nil
}

// Server returns one server's configuration, or CodeNotFound.
func (m *Manager) Server(name string) (model.Server, error) {
	v, err := m.Get(name)
	return v.Config, err
}

// Conn returns a live connection. It dials at once when there is none, whatever
// the backoff, and waits for the dial, which the start limit bounds. Those who
// come meanwhile share it.
func (m *Manager) Conn(ctx context.Context, name string) (*Conn, error) {
	o, err := m.find(name)
	if err != nil {
		return nil, err
	}
	if c := o.serving.Load(); c != nil && c.alive() {
		return c, nil
	}
	return o.await(ctx)
}
