package servers

import (
	"context"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Add saves a server and begins to connect. A taken name is CodeConflict.
func (m *Manager) Add(ctx context.Context, s model.Server) (View, error) {
	if err := s.Validate(); err != nil {
		return View{}, err
	}
	m.changing.Lock()
	defer m.changing.Unlock()
	s.CreatedAt = time.Now().UTC()
	s.UpdatedAt = s.CreatedAt
	if err := m.o.Store.InsertServer(ctx, s); err != nil {
		return View{}, err
	}
	m.adopt(s, model.SavedCatalogue{})
	m.apply(UpdateOptions{})
	return m.Get(s.Name)
}

// Update replaces a configuration, by its name. A connection that other settings
// lead to takes the place of the one there is once it works.
func (m *Manager) Update(ctx context.Context, s model.Server, how UpdateOptions) (View, error) {
	if err := s.Validate(); err != nil {
		return View{}, err
	}
	return m.change(ctx, s.Name, how, func(model.Server) model.Server { return s })
}

// SetEnabled switches a server on or off, at once.
func (m *Manager) SetEnabled(ctx context.Context, name string, enabled bool) (View, error) {
	return m.change(ctx, name, UpdateOptions{}, func(s model.Server) model.Server {
		s.Enabled = enabled
		return s
	})
}

func (m *Manager) change(ctx context.Context, name string, how UpdateOptions, edit func(model.Server) model.Server) (View, error) {
	m.changing.Lock()
	defer m.changing.Unlock()
	o, err := m.find(name)
	if err != nil {
		return View{}, err
	}
	before := o.view().Config
	s := edit(before)
	s.CreatedAt, s.UpdatedAt = before.CreatedAt, time.Now().UTC()
	if err := m.o.Store.UpdateServer(ctx, s); err != nil {
		return View{}, err
	}
	m.o.Catalogue.Configure(s)
	o.do(func() { o.configure(s) })
	m.apply(how)
	o.do(o.wake)
	return o.view(), nil
}

// VariablesChanged dials the servers that failed for want of a variable: it may
// have a value now.
func (m *Manager) VariablesChanged() {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, o := range m.owners {
		if e := o.view().Status.LastError; e != nil && e.Code == model.CodeMissingVariable {
			o.do(o.wake)
		}
	}
}

// Delete ends a server at once and forgets it: its configuration, its lists, its
// log in memory. It doesn't wait until the process has ended.
func (m *Manager) Delete(ctx context.Context, name string) error {
	m.changing.Lock()
	defer m.changing.Unlock()
	o, err := m.find(name)
	if err != nil {
		return err
	}
	if m.o.SignIn != nil {
		if err := m.o.SignIn.Forget(ctx, name); err != nil {
			m.o.Logger.Warn("what was granted by a server can't be revoked; it is deleted here", "server", name, "err", err)
		}
	}
	if err := m.o.Store.DeleteServer(ctx, name); err != nil {
		return err
	}
	m.mu.Lock()
	delete(m.owners, name)
	m.mu.Unlock()
	delete(m.opened, name)
	o.remove()
	m.o.Catalogue.Remove(name)
	m.o.Log.Forget(name)
	m.o.Publish(model.ServerRemoved{Name: name})
	return nil
}

// Reconnect closes the connection and dials anew; it doesn't wait for it.
func (m *Manager) Reconnect(name string) (View, error) {
	o, err := m.find(name)
	if err != nil {
		return View{}, err
	}
	if !o.view().Config.Enabled {
		return View{}, errDisabled(name)
	}
	o.do(func() { o.replace(o.view().Config, true) })
	return o.view(), nil
}

func errDisabled(name string) error {
	return model.Errorf(model.CodeDisabled, "server %s is switched off", name)
}
