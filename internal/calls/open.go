package calls

import (
	"context"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// progressEvery bounds how often a call's progress is news.
const progressEvery = 100 * time.Millisecond

// openCall is a call on its way.
type openCall struct {
	id      string
	publish func(model.Event)
	// cancel ends the call with the reason why.
	cancel context.CancelCauseFunc
	clock  *clock
	// over ends once the call is settled and recorded.
	over     context.Context
	markOver context.CancelFunc

	mu        sync.Mutex
	call      model.Call
	questions int
	// since is when the call began to wait for the person; zero while it doesn't.
	since   time.Time
	settled bool
	// left says that it isn't over, but goes on after the next start.
	left  bool
	told  time.Time   // when progress was last news
	later *time.Timer // tells the progress that came too soon after
}

func newOpenCall(call model.Call, publish func(model.Event), cancel context.CancelCauseFunc, l limits) *openCall {
	over, markOver := context.WithCancel(context.Background())
	o := &openCall{id: call.ID, publish: publish, cancel: cancel, clock: newClock(l, cancel), over: over, markOver: markOver, call: call}
	if call.State == model.CallWaitingApproval {
		o.since = call.StartedAt
	}
	return o
}

func (o *openCall) snapshot() model.Call {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.call
}

// asked notes that a person is asked on the call's behalf. To ask is a sign of
// life.
func (o *openCall) asked() model.Call {
	o.clock.touch()
	o.clock.hold()
	return o.question(1)
}

func (o *openCall) answered() {
	o.question(-1)
	o.clock.release()
}

// question counts the questions that are open; the first and the last are news.
func (o *openCall) question(n int) model.Call {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.questions
	o.questions += n
	if o.settled || (before == 0) == (o.questions == 0) {
		return o.call
	}
	state := model.CallRunning
	if o.questions > 0 {
		state = model.CallWaitingInput
	}
	o.turn(state)
	o.publish(model.CallProgressed{Call: o.call})
	return o.call
}

// progress takes a sign of life. It is news at once, or, too soon after the last
// one, a little later together with what comes meanwhile.
func (o *openCall) progress(p client.Progress) {
	o.clock.touch()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.settled {
		return
	}
	o.call.Progress = &model.Progress{Progress: p.Progress, Total: p.Total, Message: p.Message}
	if o.later != nil {
		return
	}
	if wait := progressEvery - time.Since(o.told); wait > 0 {
		o.later = time.AfterFunc(wait, o.tellLater)
		return
	}
	o.tell()
}

func (o *openCall) tellLater() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.later = nil
	if !o.settled {
		o.tell()
	}
}

// tell publishes under mu, so that no progress follows the end.
func (o *openCall) tell() {
	o.told = time.Now()
	o.publish(model.CallProgressed{Call: o.call})
}

// settle makes the call final and returns it. Its end is not news yet: see end.
func (o *openCall) settle(state model.CallState, result model.Result, reason *model.Error) model.Call {
	o.clock.stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.settled = true
	if o.later != nil {
		o.later.Stop()
	}
	o.turn(state)
	o.call.Result, o.call.Error = result, reason
	o.call.EndedAt = time.Now().UTC()
	return o.call
}

// move brings the call to another open state, which is news.
func (o *openCall) move(state model.CallState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.turn(state)
	o.publish(model.CallProgressed{Call: o.call})
}

// turn makes the call's state another one and counts what it waited for the person.
// The caller holds mu.
func (o *openCall) turn(state model.CallState) {
	waits := state == model.CallWaitingApproval || state == model.CallWaitingInput
	switch {
	case waits && o.since.IsZero():
		o.since = time.Now()
	case !waits && !o.since.IsZero():
		o.call.Waited += time.Since(o.since)
		o.since = time.Time{}
	}
	o.call.State = state
}

// leave lets go of all who wait for a call that waits for approval, and leaves it as
// it is. It answers false for any other.
func (o *openCall) leave() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left = o.call.State == model.CallWaitingApproval
	if o.left {
		o.markOver()
	}
	return o.left
}

// become lets go of all who wait for a call that had ended before.
func (o *openCall) become(call model.Call) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.call = call
	o.markOver()
}

// outcome is the call once it is over; the error says that it isn't.
func (o *openCall) outcome() (model.Call, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.left {
		return o.call, model.ErrStopping
	}
	return o.call, nil
}

// end tells the news, and whether it is stored, and lets go of all who wait.
func (o *openCall) end(stored bool) {
	o.mu.Lock()
	o.call.Unstored = !stored
	o.mu.Unlock()
	o.publish(model.CallEnded{Call: o.snapshot()})
	o.markOver()
}
