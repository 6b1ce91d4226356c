package servers

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

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
