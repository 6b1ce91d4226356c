package servers

import (
	"time"

	"kontor.dev/kontor/internal/model"
)

// How long a list may stay fresh. A server that says 0 wants to be asked each time,
// which would be without end.
const (
	freshLeast = 30 * time.Second
	freshMost  = 24 * time.Hour
)

// lapse is when a list is no longer fresh, by the server's own word (2026-07-28,
// CacheableResult.ttlMs).
type lapse struct {
	after time.Duration
	at    time.Time
}

// due returns the lists that have lapsed and of whose changes nobody hears, and sets
// when each that has lapsed does so next.
func due(lapses map[model.ListKind]lapse, now time.Time, hears func(capability string) bool) []model.ListKind {
	var stale []model.ListKind
	for _, kind := range model.ListKinds() {
		l, ok := lapses[kind]
		if !ok || l.at.After(now) {
			continue
		}
		if !hears(capabilities[kind]) {
			stale = append(stale, kind)
		}
		lapses[kind] = lapse{l.after, now.Add(l.after)}
	}
	return stale
}

// capabilities are what a server declares that has a list.
var capabilities = map[model.ListKind]string{
	model.ListTools:     "tools",
	model.ListResources: "resources",
	model.ListTemplates: "resources",
	model.ListPrompts:   "prompts",
}

// freshen notes how long the lists that were read stay fresh.
func (o *owner) freshen(lists []listed) {
	for _, l := range lists {
		switch {
		case l.err != nil:
		case l.list.TTL == nil:
			delete(o.lapses, l.kind)
		default:
			after := min(max(*l.list.TTL, freshLeast), freshMost)
			o.lapses[l.kind] = lapse{after, time.Now().Add(after)}
		}
	}
	o.awaitLapse()
}

// awaitLapse sets the timer for the first list that lapses.
func (o *owner) awaitLapse() {
	o.lapseAt = nil
	var first time.Time
	for _, l := range o.lapses {
		if first.IsZero() || l.at.Before(first) {
			first = l.at
		}
	}
	if !first.IsZero() {
		o.lapseAt = time.After(time.Until(first))
	}
}

func (o *owner) lapsed() {
	o.lapseAt = nil
	conn := o.serving.Load()
	if conn == nil {
		return // a new connection reads everything
	}
	if stale := due(o.lapses, time.Now(), conn.client.Hears); len(stale) > 0 {
		o.markStale(stale...)
	}
	o.awaitLapse()
}
