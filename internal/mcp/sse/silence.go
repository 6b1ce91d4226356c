package sse

import (
	"errors"
	"time"
)

// ErrSilent ends a stream that sent keep-alives and then nothing any more: its
// connection is dead, and TCP alone may take hours to notice.
var ErrSilent = errors.New("the stream fell silent")

const (
	// minBeat is how far apart two keep-alives must be to count as two: comments
	// of a greeting come all at once.
	minBeat = time.Second
	// missedBeats is how many keep-alives in a row may be late.
	missedBeats = 3
)

// pulse is what is known of a stream's keep-alives.
type pulse struct {
	beats int
	last  time.Time
	// longest is the longest time between two of them.
	longest time.Duration
}

// beat notes a keep-alive.
func (p *pulse) beat(now time.Time) {
	if !p.last.IsZero() {
		gap := now.Sub(p.last)
		if gap < minBeat {
			return
		}
		p.longest = max(p.longest, gap)
	}
	p.beats++
	p.last = now
}

// pause notes that the stream was down: what comes next is no late keep-alive.
func (p *pulse) pause() { p.last = time.Time{} }

// patience is how long the stream may be silent; 0 is for ever. One keep-alive
// may be a greeting: a stream that never sends a second is never given up. A
// server that keeps its streams alive at longer intervals gets longer.
func (p *pulse) patience(idle time.Duration) time.Duration {
	if idle == 0 || p.beats < 2 {
		return 0
	}
	return max(idle, missedBeats*p.longest)
}

// keepsAlive tells whether an event is there for nothing else. One that only sets
// an id is not: servers begin a stream with it so that it can be resumed.
func keepsAlive(e Event, id bool) bool {
	switch e.Name {
	case "ping", "heartbeat", "keepalive", "keep-alive":
		return true
	case "", "message":
		return len(e.Data) == 0 && !id
	}
	return false
}

// await waits for at least one byte, and ends the body when the stream falls
// silent.
func (d *Reader) await() ([]byte, error) {
	patience := d.pulse.patience(d.Idle)
	if patience == 0 || d.Cut == nil || d.r.Buffered() > 0 {
		return d.r.Peek(1)
	}
	timer := time.AfterFunc(patience, d.Cut)
	first, err := d.r.Peek(1)
	d.silent = d.silent || !timer.Stop()
	if err != nil && d.silent {
		return nil, ErrSilent
	}
	return first, err
}
