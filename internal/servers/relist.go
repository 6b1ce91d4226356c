package servers

import (
	"fmt"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// markStale notes, from any goroutine, that a list has changed.
func (o *owner) markStale(kinds ...model.ListKind) {
	o.mu.Lock()
	for _, kind := range kinds {
		o.stale[kind] = true
	}
	o.mu.Unlock()
	nudge(o.changed)
}

// takeStale returns the lists that have changed since they were last read.
func (o *owner) takeStale() []model.ListKind {
	o.mu.Lock()
	defer o.mu.Unlock()
	var kinds []model.ListKind
	for _, kind := range model.ListKinds() {
		if o.stale[kind] {
			kinds = append(kinds, kind)
		}
	}
	clear(o.stale)
	return kinds
}

func (o *owner) anyStale() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.stale) > 0
}

// relistSoon makes sure that changed lists are read again: after a while that
// collects further changes, and one reading at a time.
func (o *owner) relistSoon() {
	if o.relisting || o.relistAt != nil || o.serving.Load() == nil || !o.anyStale() {
		return
	}
	o.relistAt = time.After(relistDelay)
}

func (o *owner) relist() {
	o.relistAt = nil
	conn := o.serving.Load()
	if conn == nil {
		return // a new connection reads everything
	}
	kinds := o.takeStale()
	o.relisting = true
	o.beside(func() {
		ctx, cancel := within(o.base, relistLimit)
		defer cancel()
		start := time.Now()
		lists := readLists(ctx, conn.client, kinds)
		took := time.Since(start)
		o.box.put(func() {
			o.relisting = false
			if o.serving.Load() == conn && o.base.Err() == nil {
				o.store(lists)
				o.say(func(v *View) {
					v.Status.Latency = took
					v.Status.Warnings = o.allWarnings()
				})
				o.save(conn, lists)
			}
			o.relistSoon()
		})
	})
}

// store hands lists to the catalogue. One that could not be read stays as it was.
func (o *owner) store(lists []listed) {
	for _, l := range lists {
		if l.err != nil {
			o.warnings[string(l.kind)] = []model.Warning{listFailed(redacted(explain(l.err), o.m.o.Redactor.Redact))}
			continue
		}
		kept, warnings := o.m.o.Catalogue.Replace(o.name, l.kind, l.list.Items)
		o.warnings[string(l.kind)] = append(warningsOf(l.list.Warnings, l.kind), warnings...)
		o.edit(func(v *View) {
			count(&v.Status, l.kind, kept)
			v.Status.ListedAt, v.Status.Saved = time.Now().UTC(), false
		})
	}
	o.freshen(lists)
}

func count(s *model.Status, kind model.ListKind, n int) {
	switch kind {
	case model.ListTools:
		s.Tools = n
	case model.ListResources:
		s.Resources = n
	case model.ListPrompts:
		s.Prompts = n
	}
}

// allWarnings joins what is odd about the server now.
func (o *owner) allWarnings() []model.Warning {
	var all []model.Warning
	for _, source := range []string{
		warnSettingsPending, "connect", string(model.ListTools), string(model.ListResources),
		string(model.ListTemplates), string(model.ListPrompts),
	} {
		all = append(all, o.warnings[source]...)
	}
	return append(all, o.odd.warnings()...)
}

// describe says in a line what was connected to.
func describe(i client.Info) string {
	name := i.Name
	if name == "" {
		name = "a server without a name"
	}
	if i.Version != "" {
		name += " " + i.Version
	}
	if i.SSE {
		return fmt.Sprintf("%s, protocol %s over the older HTTP+SSE transport", name, i.ProtocolVersion)
	}
	return fmt.Sprintf("%s, protocol %s (%s era)", name, i.ProtocolVersion, i.Era)
}
