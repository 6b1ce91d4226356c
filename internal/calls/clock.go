package calls

import (
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

// limits are how long a call may take.
type limits struct {
	// idle is the time without a sign of life, whole that of everything.
	idle, whole time.Duration
}

// clock ends a call that takes too long. It is made standing still; each hold
// needs a release until it goes again. Time only passes while it goes.
type clock struct {
	limits limits
	expire func(error)

	mu    sync.Mutex
	holds int
	// Standing still, the two are what is left; going, they count from since.
	idleLeft, wholeLeft time.Duration
	since               time.Time
	timer               *time.Timer
	stopped             bool
}

// newClock makes a clock with one hold on it. expire is called at most once.
func newClock(l limits, expire func(error)) *clock {
	return &clock{limits: l, expire: expire, holds: 1, idleLeft: l.idle, wholeLeft: l.whole}
}

// hold makes the clock stand still.
func (c *clock) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holds++; c.holds > 1 {
		return
	}
	c.pass()
	if c.timer != nil {
		c.timer.Stop()
	}
}

// release undoes one hold.
func (c *clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holds--; c.holds > 0 || c.stopped {
		return
	}
	c.since = time.Now()
	c.arm()
}

// touch notes a sign of life.
func (c *clock) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holds == 0 {
		c.pass()
	}
	// The timer stays: it fires too early and arms itself anew, which is
	// cheaper than moving it for each progress notification.
	c.idleLeft = c.limits.idle
}

// stop ends the clock: it won't expire any more.
func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.timer != nil {
		c.timer.Stop()
	}
}

// pass takes the time that went by off both limits. The caller holds mu.
func (c *clock) pass() {
	now := time.Now()
	gone := now.Sub(c.since)
	c.idleLeft -= gone
	c.wholeLeft -= gone
	c.since = now
}

// arm sets the timer to the nearer limit. The caller holds mu.
func (c *clock) arm() {
	left := min(c.idleLeft, c.wholeLeft)
	if c.timer == nil {
		c.timer = time.AfterFunc(left, c.fire)
		return
	}
	c.timer.Reset(left)
}

func (c *clock) fire() {
	c.mu.Lock()
	if c.stopped || c.holds > 0 {
		c.mu.Unlock()
		return
	}
	c.pass()
	limit := c.over()
	if limit == nil {
		c.arm()
	}
	c.stopped = limit != nil
	c.mu.Unlock()
	if limit != nil {
		c.expire(limit)
	}
}

// over is the limit that was reached, or nil. The caller holds mu.
func (c *clock) over() error {
	switch {
	case c.wholeLeft <= 0:
		return model.Errorf(model.CodeTimeout, "the call took longer than %s in all and was cancelled", model.InWords(c.limits.whole))
	case c.idleLeft <= 0:
		return model.Errorf(model.CodeTimeout, "no answer and no sign of life for %s: the call was cancelled", model.InWords(c.limits.idle))
	}
	return nil
}
