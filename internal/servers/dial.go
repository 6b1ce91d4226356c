package servers

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

const warnSettingsPending = "settings_pending"

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

// stop ends the connection because the person doesn't want it.
func (o *owner) stop(s model.Server) {
	o.hangUp()
	o.answer(reached{err: errDisabled(o.name)})
	o.say(func(v *View) {
		v.Config = s
		v.Status.State, v.Status.LastError, v.Status.Attempts = model.ServerDisabled, nil, 0
		v.Status.NextAttemptAt = time.Time{}
	})
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

// hangUp ends the connection and the dial, if there are any.
func (o *owner) hangUp() {
	o.abandon()
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

// await waits for a connection; the dial that it needs begins now if none goes on.
func (o *owner) await(ctx context.Context) (*Conn, error) {
	answer := make(chan reached, 1)
	o.box.put(func() { o.wanted(answer) })
	select {
	case r := <-answer:
		return r.conn, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-o.base.Done():
		return nil, model.Errorf(model.CodeServerUnavailable, "server %s was stopped", o.name)
	}
}

func (o *owner) wanted(answer chan<- reached) {
	conn := o.serving.Load()
	switch {
	case !o.view().Config.Enabled:
		answer <- reached{err: errDisabled(o.name)}
	case conn != nil && conn.alive():
		answer <- reached{conn: conn}
	default:
		o.waiters = append(o.waiters, answer)
		if o.dialing == nil {
			o.dial()
		}
	}
}

// answer tells all who wait.
func (o *owner) answer(r reached) {
	for _, w := range o.waiters {
		w <- r
	}
	o.waiters = nil
}

// dial opens a connection in the background, in the place of any dial before.
func (o *owner) dial() {
	o.abandon()
	s := o.view().Config
	ctx, cancel := within(o.base, s.WithDefaults().StartTimeout)
	d := &dialing{config: s, cancel: cancel}
	o.dialing = d
	o.say(func(v *View) {
		if o.serving.Load() == nil {
			v.Status.State = model.ServerConnecting
		}
		v.Status.Attempts++
		v.Status.NextAttemptAt = time.Time{}
	})
	p := opening{m: o.m, config: s, handlers: o.handlers(), learn: o.secrets.add}
	if sameConnection(s, o.eraOf) {
		p.knownEra = o.era
	}
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
	conn.refused = func(c *Conn, e *model.Error) { o.box.put(func() { o.signInNeeded(c, e) }) }
	old := o.serving.Swap(conn)
	if old != nil {
		o.beside(func() { _ = old.retire(o.base) })
	}
	info := conn.client.Info()
	o.era, o.eraOf = info.Era, conn.config
	o.warnings = map[string][]model.Warning{"connect": warningsOf(info.Warnings, "")}
	o.store(out.lists)
	o.lifecycle("connected: " + describe(info))
	o.edit(func(v *View) {
		v.Status.Era, v.Status.ProtocolVersion = string(info.Era), info.ProtocolVersion
		v.Status.ServerName, v.Status.ServerVersion, v.Status.Instructions = info.Name, info.Version, info.Instructions
		v.Status.Latency = out.latency
	})
	o.settled(conn)
	nudge(o.changed) // a list may have changed while it was read
}

// settled is the state of a connection that serves what is wanted.
func (o *owner) settled(conn *Conn) {
	delete(o.warnings, warnSettingsPending)
	o.say(func(v *View) {
		v.Status.State, v.Status.Attempts, v.Status.NextAttemptAt = model.ServerReady, 0, time.Time{}
		v.Status.Warnings = o.allWarnings()
	})
	o.answer(reached{conn: conn})
}

// failed notes a dial that led to nothing, and when the next one is.
func (o *owner) failed(e *model.Error) {
	o.failures++
	state := model.ServerFailed
	if e.Code == model.CodeNeedsSignIn {
		state = model.ServerNeedsSignIn
	}
	if before := o.view().Status.LastError; o.failures == 1 || before == nil || before.Message != e.Message {
		o.lifecycle("failed: " + e.Message) // each distinct error once
	}
	conn := o.serving.Load()
	if conn != nil {
		// The settings before still serve.
		state = model.ServerReady
		o.warnings[warnSettingsPending] = []model.Warning{{Code: warnSettingsPending,
			Message: "the new settings don't work yet, and the connection from before them goes on: " + e.Message}}
	}
	next := o.retryLater(e)
	o.say(func(v *View) {
		v.Status.State, v.Status.LastError, v.Status.NextAttemptAt = state, e, next
		v.Status.Warnings = o.allWarnings()
	})
	if conn != nil {
		o.answer(reached{conn: conn})
		return
	}
	o.answer(reached{err: e})
}

// retryLater sets when the next dial is; zero when there is none.
func (o *owner) retryLater(e *model.Error) time.Time {
	if permanent(e.Code) {
		return time.Time{}
	}
	wait, ok := backoff(o.failures, rand.Float64())
	if !ok {
		o.lifecycle("given up after 20 attempts; the next call tries again")
		return time.Time{}
	}
	o.retryAt = time.After(wait)
	return time.Now().UTC().Add(wait)
}

// permanent errors stay until the person does something about them.
func permanent(code model.Code) bool {
	switch code {
	case model.CodeNeedsSignIn, model.CodeInsufficientScope, model.CodeMissingVariable, model.CodeInvalid,
		codeUnreadable, codeCommandNotFound, codeNotExecutable, codeNoCommonVersion:
		return true
	}
	return false
}

// connectionLost takes a connection that ended by itself out of service.
func (o *owner) connectionLost() {
	conn := o.serving.Swap(nil)
	o.close(conn) // its process and streams
	if time.Since(conn.since) >= stable {
		o.failures = 0
	}
	cause := conn.client.Err()
	if cause == nil {
		cause = wire.ErrClosed
	}
	e := redacted(explain(cause), o.m.o.Redactor.Redact)
	e.Message = "stopped unexpectedly: " + e.Message
	switch {
	case o.dialing != nil:
		o.say(func(v *View) { v.Status.State, v.Status.LastError = model.ServerConnecting, e })
		o.lifecycle(e.Message)
	case errors.Is(cause, wire.ErrSessionLost) && o.failures == 0:
		// The server is there and wants a new session.
		o.failures++
		o.lifecycle(e.Message)
		o.dial()
	default:
		o.failed(e)
	}
}

// signInNeeded takes a connection out of service whose server wants a sign-in.
func (o *owner) signInNeeded(conn *Conn, e *model.Error) {
	if !o.serving.CompareAndSwap(conn, nil) {
		return
	}
	o.close(conn)
	o.failed(e)
}
