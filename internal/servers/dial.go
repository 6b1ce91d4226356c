package servers

import (
	"context"
	"time"

	"kontor.dev/kontor/internal/model"
)

const warnSettingsPending = "settings_pending"

// What a server says about itself goes with every event: it is bounded.
const (
	maxName         = 200
	maxInstructions = 16 << 10
)

// dialing is a dial that goes on. Only the one that the owner holds counts.
type dialing struct {
	config model.Server
	cancel context.CancelFunc
}

// start opens the first connection of a configuration.
func (o *owner) start(s model.Server) {
	o.configure(s)
	o.failures = 0
	o.dial()
}

// wake dials at once where nothing is connected and nothing dials: something has
// changed that may help.
func (o *owner) wake() {
	if o.view().Config.Enabled && o.serving.Load() == nil && o.dialing == nil {
		o.failures = 0
		o.dial()
	}
}

// stop ends the connection because the person doesn't want it.
func (o *owner) stop(s model.Server) {
	o.hangUp()
	o.answer(reached{err: errDisabled(o.name)})
	o.say(func(v *View) {
		v.Config = s
		v.Status.State, v.Status.LastError, v.Status.Attempts = model.ServerDisabled, nil, 0
		v.Status.NextAttemptAt = time.Time{}
	})
	o.reviewSignIn()
	o.lifecycle("switched off")
}

// replace dials for other settings. The connection there is serves until the new
// one works, unless force ends it first: then the server has exited before it is
// started again.
func (o *owner) replace(s model.Server, force bool) {
	o.configure(s)
	o.failures = 0
	conn := o.serving.Load()
	switch {
	case conn != nil && force:
		o.abandon()
		o.serving.Store(nil)
		o.say(func(v *View) { v.Status.State = model.ServerConnecting })
		d := &dialing{config: s, cancel: func() {}}
		o.dialing = d
		o.beside(func() {
			_ = conn.client.Close() // bounded, and what outlives it is the log's matter
			o.box.put(func() {
				if o.dialing == d {
					o.dial()
				}
			})
		})
	case conn != nil && sameConnection(conn.config, s):
		o.abandon() // back to what serves
		o.settled(conn)
	default:
		o.dial()
	}
}

// hangUp ends all connections and the dial, if there are any.
func (o *owner) hangUp() {
	o.abandon()
	o.endRetired()
	o.retired, o.endRetired = context.WithCancel(o.base)
	if conn := o.serving.Swap(nil); conn != nil {
		o.close(conn)
	}
}

// abandon gives up the dial that goes on, and the next one.
func (o *owner) abandon() {
	o.retryAt = nil
	if o.dialing != nil {
		o.dialing.cancel()
		o.dialing = nil
	}
}

func (o *owner) close(conn *Conn) {
	o.beside(func() { _ = conn.client.Close() })
}

// dial opens a connection in the background, in the place of any dial before.
func (o *owner) dial() {
	o.abandon()
	s := o.view().Config
	ctx, cancel := within(o.base, s.WithDefaults().StartTimeout)
	d := &dialing{config: s, cancel: cancel}
	o.dialing = d
	o.odd.forget()
	o.say(func(v *View) {
		if o.serving.Load() == nil {
			v.Status.State = model.ServerConnecting
		}
		v.Status.Attempts++
		v.Status.NextAttemptAt = time.Time{}
	})
	p := opening{m: o.m, config: s, handlers: o.handlers(), learn: o.secrets.add, known: o.known, knownOf: o.knownOf}
	o.beside(func() {
		defer cancel()
		out := p.run(ctx)
		o.box.put(func() { o.arrived(d, out) })
	})
}

// arrived takes what a dial came to.
func (o *owner) arrived(d *dialing, out opened) {
	switch {
	case o.dialing != d || o.base.Err() != nil:
		if out.conn != nil { // nobody wants it any more
			o.close(out.conn)
		}
	case out.err != nil:
		o.dialing = nil
		o.failed(out.err)
	default:
		o.dialing = nil
		o.connected(out)
	}
}

// connected puts a new connection into service.
func (o *owner) connected(out opened) {
	conn := out.conn
	conn.owner = o
	old := o.serving.Swap(conn)
	if old != nil {
		retired := o.retired
		o.beside(func() { _ = old.retire(retired) })
	}
	info := conn.client.Info()
	o.known, o.knownOf = found{info.Era, info.SSE}, conn.with
	o.warnings = map[string][]model.Warning{"connect": warningsOf(info.Warnings, "")}
	o.store(out.lists)
	o.lifecycle("connected: " + describe(info))
	o.edit(func(v *View) {
		v.Status.Era, v.Status.ProtocolVersion = string(info.Era), info.ProtocolVersion
		v.Status.ServerName, v.Status.ServerVersion = clip(info.Name, maxName), clip(info.Version, maxName)
		v.Status.Instructions = clip(info.Instructions, maxInstructions)
		v.Status.Latency = out.latency
	})
	o.settled(conn)
	o.save(conn, out.lists)
	nudge(o.changed) // a list may have changed while it was read
}

// settled is the state of a connection that serves what is wanted.
func (o *owner) settled(conn *Conn) {
	delete(o.warnings, warnSettingsPending)
	o.say(func(v *View) {
		v.Status.State, v.Status.Attempts, v.Status.NextAttemptAt = model.ServerReady, 0, time.Time{}
		v.Status.Warnings = o.allWarnings()
	})
	o.reviewSignIn()
	o.answer(reached{conn: conn})
}
