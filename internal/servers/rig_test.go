package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// rig is a manager whose neighbours are fakes. dial says what connecting to a
// server comes to.
type rig struct {
	*Manager
	store     *fakeStore
	catalogue *fakeCatalogue
	log       *fakeLog
	redactor  *fakeRedactor
	inbox     *fakeInbox
	questions *fakeQuestions

	mu     sync.Mutex
	events []model.Event
	pushes []string
	dials  []string
}

type dialFunc func(ctx context.Context, s model.Server) (*fakeClient, error)

func newRig(t *testing.T, dial dialFunc, configs ...model.Server) *rig {
	t.Helper()
	return newRigWith(t, func(o *Options) {
		o.Connect = func(ctx context.Context, s model.Server, co client.Options) (Client, error) {
			c, err := dial(ctx, s)
			if err != nil {
				return nil, err
			}
			c.o = co
			return c, nil
		}
	}, configs...)
}

// newRigWith is newRig with options of the test's own.
func newRigWith(t *testing.T, adjust func(*Options), configs ...model.Server) *rig {
	t.Helper()
	r := &rig{
		store: &fakeStore{servers: map[string]model.Server{}}, catalogue: &fakeCatalogue{lists: map[string][]json.RawMessage{}},
		log: &fakeLog{}, redactor: &fakeRedactor{values: map[string][]string{}}, inbox: &fakeInbox{},
		questions: &fakeQuestions{over: make(chan struct{})},
	}
	for _, s := range configs {
		r.store.servers[s.Name] = s
	}
	o := Options{
		Store: r.store, Catalogue: r.catalogue, Inbox: r.inbox, Questions: r.questions, Log: r.log, Redactor: r.redactor,
		Expander: fakeExpander{"KEY": "secret-of-key"},
		Publish:  r.publish,
		Push:     r.push,
	}
	adjust(&o)
	dial := o.Connect
	o.Connect = func(ctx context.Context, s model.Server, co client.Options) (Client, error) {
		r.mu.Lock()
		r.dials = append(r.dials, s.Name+" "+s.Command)
		r.mu.Unlock()
		return dial(ctx, s, co)
	}
	r.Manager = New(o)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) publish(e model.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *rig) push(server, method string, params json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pushes = append(r.pushes, fmt.Sprintf("%s %s %s", server, method, params))
}

// told returns the states of a server that were news since it was last asked,
// each change once.
func (r *rig) told(name string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var states []string
	for _, e := range r.events {
		switch e := e.(type) {
		case model.ServerChanged:
			if e.Server.Name == name {
				states = append(states, string(e.Status.State))
			}
		case model.ServerRemoved:
			if e.Name == name {
				states = append(states, "removed")
			}
		}
	}
	r.events = nil
	return slices.Compact(states)
}

func (r *rig) dialled() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	dials := r.dials
	r.dials = nil
	return dials
}

func (r *rig) state(t *testing.T, name string) model.Status {
	t.Helper()
	v, err := r.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return v.Status
}

// config is a server that is switched on.
func config(name string) model.Server {
	return model.Server{Name: name, Transport: model.TransportStdio, Command: "run", Enabled: true}
}

func toolList(names ...string) client.List {
	l := client.List{Pages: 1}
	for _, n := range names {
		l.Items = append(l.Items, json.RawMessage(fmt.Sprintf(`{"name":%q}`, n)))
	}
	return l
}
