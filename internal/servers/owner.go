package servers

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/model"
)

// announceDelay collects small news, such as lines of stderr, into one event.
const announceDelay = 250 * time.Millisecond

// owner keeps one server's connection. Its goroutine, run, is the only one that
// decides anything; what takes time (dialling, listing, closing, asking) runs
// beside it and reports back through the mailbox.
type owner struct {
	m      *Manager
	name   string
	base   context.Context
	cancel context.CancelFunc
	box    *mailbox
	// tasks counts what runs beside the goroutine; done is closed at its end.
	tasks sync.WaitGroup
	done  chan struct{}

	serving atomic.Pointer[Conn]
	secrets secrets
	odd     oddities
	asking  openQuestions // questions that wait for a person
	small   chan struct{} // there is small news
	changed chan struct{} // a list is stale

	mu      sync.Mutex
	current View
	removed bool // no news any more
	stale   map[model.ListKind]bool

	// All below belongs to the goroutine.
	dialing *dialing
	waiters []chan<- reached
	asked   model.Item // the sign-in that the person is asked for, or none
	// retired ends the connections that were replaced and finish their calls.
	retired    context.Context
	endRetired context.CancelFunc
	failures   int
	dials      uint64 // since the start
	// known is what was found for knownOf, so that the next dial needn't probe.
	known     found
	knownOf   fingerprint
	shelf     shelf
	lapses    map[model.ListKind]lapse
	relisting bool
	warnings  map[string][]model.Warning
	// Each is nil while nothing is due.
	retryAt, relistAt, announceAt, lapseAt <-chan time.Time
}

// reached is what those who wait for a connection get.
type reached struct {
	conn *Conn
	err  error
}

func newOwner(m *Manager, s model.Server) *owner {
	o := &owner{
		m: m, name: s.Name, box: newMailbox(), done: make(chan struct{}),
		small: make(chan struct{}, 1), changed: make(chan struct{}, 1),
		stale: map[model.ListKind]bool{}, lapses: map[model.ListKind]lapse{}, warnings: map[string][]model.Warning{},
		current: View{Config: s, Status: model.Status{State: model.ServerDisabled, Since: time.Now().UTC()}},
	}
	o.base, o.cancel = context.WithCancel(m.base)
	o.retired, o.endRetired = context.WithCancel(o.base)
	o.current.Status.Auth = m.auth(s.Name)
	o.secrets = secrets{owner: "server " + s.Name, redactor: m.o.Redactor}
	if s.Enabled {
		o.current.Status.State = model.ServerConnecting
	}
	return o
}

// run is the life of the owner.
func (o *owner) run() {
	defer close(o.done)
	for {
		select {
		case <-o.base.Done():
			o.end()
			return
		case <-o.box.ready:
			for _, f := range o.box.take() {
				f()
			}
		case <-o.lost():
			o.connectionLost()
		case <-o.retryAt:
			o.dial()
		case <-o.changed:
			o.relistSoon()
		case <-o.relistAt:
			o.relist()
		case <-o.lapseAt:
			o.lapsed()
		case <-o.small:
			if o.announceAt == nil {
				o.announceAt = time.After(announceDelay)
			}
		case <-o.announceAt:
			o.announceAt = nil
			o.say(func(v *View) { v.Status.Warnings = o.allWarnings() })
		}
	}
}

// lost is closed when the serving connection is.
func (o *owner) lost() <-chan struct{} {
	if c := o.serving.Load(); c != nil {
		return c.client.Done()
	}
	return nil
}

// end closes what is open and waits for what runs.
func (o *owner) end() {
	o.hangUp()
	for o.tasks.Wait(); ; o.tasks.Wait() {
		queue := o.box.take()
		if len(queue) == 0 {
			break
		}
		for _, f := range queue {
			f()
		}
	}
	o.secrets.forget()
}

// do runs f in the goroutine and waits for it. Nothing is done after the end.
func (o *owner) do(f func()) {
	done := make(chan struct{})
	o.box.put(func() {
		defer close(done)
		if o.base.Err() == nil {
			f()
		}
	})
	select {
	case <-done:
	case <-o.done:
	}
}

// beside runs f beside the goroutine.
func (o *owner) beside(f func()) { o.tasks.Go(f) }

func (o *owner) view() View {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.current
}

// say changes the view and publishes it. It publishes under the lock, so that
// nothing is said of a server that was removed.
func (o *owner) say(edit func(*View)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.current.Status.State
	edit(&o.current)
	if o.current.Status.State != before {
		o.current.Status.Since = time.Now().UTC()
	}
	if !o.removed {
		o.m.o.Publish(model.ServerChanged{Server: o.current.Config, Status: o.current.Status})
	}
}

// edit changes the view without a word.
func (o *owner) edit(edit func(*View)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	edit(&o.current)
}

// whisper changes the view from any goroutine; it is news before long.
func (o *owner) whisper(edit func(*View)) {
	o.edit(edit)
	nudge(o.small)
}

// remove ends the owner of a deleted server, without a word.
func (o *owner) remove() {
	o.mu.Lock()
	o.removed = true
	o.mu.Unlock()
	o.cancel()
}

// configure takes over what changes nothing about the connection.
func (o *owner) configure(s model.Server) {
	if !reflect.DeepEqual(o.view().Config, s) {
		o.say(func(v *View) { v.Config = s })
	}
}

// lifecycle writes a line about the connection into the server's log.
func (o *owner) lifecycle(text string) { o.m.o.Log.Write(o.name, "lifecycle", text) }
