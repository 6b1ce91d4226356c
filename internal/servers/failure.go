package servers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// failed notes a dial that led to nothing, and when the next one is.
func (o *owner) failed(e *model.Error) {
	o.failures++
	state := model.ServerFailed
	auth := o.m.auth(o.name)
	if e.Code == model.CodeNeedsSignIn || e.Code == model.CodeInsufficientScope && len(auth.StepUp) > 0 {
		state = model.ServerNeedsSignIn
	}
	e = o.why(e)
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
	o.reviewSignIn()
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
	r := o.view().Config.WithDefaults().Reconnect
	wait, ok := backoff(r, o.failures, rand.Float64())
	if !ok {
		o.lifecycle(fmt.Sprintf("given up after %d attempts; the next call tries again", r.MaxAttempts))
		return time.Time{}
	}
	if asked, _ := comeLater(e, time.Now()); asked > wait {
		wait = min(asked, awayMost)
	}
	o.retryAt = time.After(wait)
	return time.Now().UTC().Add(wait)
}

// permanent errors stay until the person does something about them.
func permanent(code model.Code) bool {
	switch code {
	case model.CodeNeedsSignIn, model.CodeInsufficientScope, model.CodeMissingVariable, model.CodeInvalid,
		codeUnreadable, codeCommandNotFound, codeNotExecutable, codeNoCommonVersion, codeAddressRefused:
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
	case errors.Is(cause, wire.ErrSessionLost):
		o.anew(e)
	default:
		o.failed(e)
	}
}

// sessionLost takes a connection out of service whose session the server no longer
// knows. Its transport is well, and answers under way still come.
func (o *owner) sessionLost(conn *Conn) {
	if !o.serving.CompareAndSwap(conn, nil) {
		return
	}
	retired := o.retired
	o.beside(func() { _ = conn.retire(retired) })
	if time.Since(conn.since) >= stable {
		o.failures = 0
	}
	o.anew(redacted(explain(wire.ErrSessionLost), o.m.o.Redactor.Redact))
}

// unreachable are the errors of a server that isn't there, or not for us.
func unreachable(code model.Code) bool {
	switch code {
	case codeConnectionRefused, codeHostNotFound, codeUnreachable, codeTLS:
		return true
	}
	return false
}

// away takes a connection out of service whose server can't be reached any more: an
// HTTP session has no end of its own that would tell. Answers under way still come.
func (o *owner) away(conn *Conn, e *model.Error) {
	if !o.serving.CompareAndSwap(conn, nil) {
		return
	}
	retired := o.retired
	o.beside(func() { _ = conn.retire(retired) })
	if time.Since(conn.since) >= stable {
		o.failures = 0
	}
	if o.dialing != nil { // whoever asks next was faster
		o.say(func(v *View) { v.Status.State, v.Status.LastError = model.ServerConnecting, e })
		return
	}
	o.failed(e)
}

// anew dials for a server that is there and wants a new session: at once, unless
// that has happened just now.
func (o *owner) anew(e *model.Error) {
	if o.failures > 0 && o.dialing == nil {
		o.failed(e)
		return
	}
	o.failures++
	o.lifecycle(e.Message)
	if o.dialing == nil {
		o.dial()
	}
}

// signInNeeded takes a connection out of service whose server wants a sign-in.
// Answers under way still come.
func (o *owner) signInNeeded(conn *Conn, e *model.Error) {
	if !o.serving.CompareAndSwap(conn, nil) {
		return
	}
	retired := o.retired
	o.beside(func() { _ = conn.retire(retired) })
	o.failed(e)
}
