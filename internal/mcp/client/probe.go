package client

import (
	"context"
	"errors"
	"time"
)

// probe finds the era: server/discover, and after some silence initialize beside
// it. The first good answer decides; a bad one leaves the decision to the other.
func (n *opening) probe(ctx context.Context) (Info, error) {
	p := &probing{opening: n, dialect: modernDialect(n.o, newestModern), version: newestLegacy}
	defer p.abandon()
	if err := p.ask(ctx); err != nil {
		return p.broken(ctx, StageProbe, err)
	}
	silence := time.NewTimer(n.silence())
	defer silence.Stop()
	for {
		select {
		case r := <-p.discover.replies():
			if done, info, err := p.discovered(ctx, r); done {
				return info, err
			}
		case r := <-p.initialize.replies():
			if done, info, err := p.initialized(ctx, r); done {
				return info, err
			}
		case <-silence.C:
			if err := p.open(ctx); err != nil {
				return p.broken(ctx, StageInitialize, err)
			}
		case <-ctx.Done():
			stage := StageProbe
			if p.initialize != nil {
				stage = StageInitialize
			}
			return Info{}, startError(stage, context.Cause(ctx))
		}
	}
}

// probing is a probe under way. An exchange is nil before it is sent and once it
// has been answered.
type probing struct {
	*opening
	dialect    *dialect
	version    string // for initialize
	discover   *exchange
	initialize *exchange
	// undecided is the answer to the probe that said neither era.
	undecided error
}

// replies is where the answer comes; for no exchange it never does.
func (e *exchange) replies() <-chan reply {
	if e == nil {
		return nil
	}
	return e.answered
}

// broken is a probe or an initialize that could not be sent.
func (p *probing) broken(ctx context.Context, stage Stage, err error) (Info, error) {
	if p.exited(ctx, err) {
		return p.restart(ctx, p.version)
	}
	return Info{}, startError(stage, err)
}

func (p *probing) ask(ctx context.Context) (err error) {
	p.probed = true
	p.discover, err = p.conn.begin(ctx, discoverRequest(p.dialect))
	return err
}

func (p *probing) open(ctx context.Context) (err error) {
	p.initialize, err = p.conn.begin(ctx, p.initializeRequest(p.version))
	return err
}

func (p *probing) abandon() {
	for _, e := range []*exchange{p.discover, p.initialize} {
		if e != nil {
			e.abandon(nil)
		}
	}
}

// discovered takes the answer to server/discover.
func (p *probing) discovered(ctx context.Context, r reply) (done bool, _ Info, _ error) {
	p.discover = nil
	result, err := r.result()
	if p.exited(ctx, err) {
		info, err := p.restart(ctx, p.version)
		return true, info, err
	}
	v := judgeDiscover(result, err, p.o.HTTP)
	if v.step == stepDiscover && p.rediscovered {
		v = verdict{step: stepFail, err: err}
	}
	switch v.step {
	case stepModern:
		return true, p.modern(modernDialect(p.o, v.version), result), nil
	case stepDiscover:
		p.rediscovered = true
		p.dialect = modernDialect(p.o, v.version)
		if err := p.ask(ctx); err != nil {
			info, err := p.broken(ctx, StageProbe, err)
			return true, info, err
		}
	case stepInitialize:
		if p.initialize == nil {
			info, err := p.opening.initialize(ctx, v.version)
			return true, info, err
		}
	case stepFail:
		stage := StageProbe
		if errors.Is(v.err, ErrNoCommonVersion) {
			stage = StageVersion
		}
		p.undecided = startError(stage, v.err)
		if p.initialize == nil {
			return true, Info{}, p.undecided
		}
	}
	return false, Info{}, nil
}

// overlap is how far apart the answers of a server may come that speaks both eras and
// found both questions waiting when it was up: it may work on them side by side.
const overlap = 100 * time.Millisecond

// both looks for a modern answer to the probe that comes with the one to initialize.
// Such a server takes the era of the question that it came to last for its client's,
// and doesn't say which that was; a modern client says it with every request.
func (p *probing) both(ctx context.Context) (info Info, ok bool) {
	if p.discover == nil {
		return Info{}, false
	}
	wait := time.NewTimer(overlap)
	defer wait.Stop()
	select {
	case r := <-p.discover.replies():
		p.discover = nil
		result, err := r.result()
		if v := judgeDiscover(result, err, p.o.HTTP); v.step == stepModern {
			return p.modern(modernDialect(p.o, v.version), result), true
		}
	case <-wait.C:
	case <-ctx.Done():
	}
	return Info{}, false
}

// initialized takes the answer to an initialize that was sent beside the probe.
func (p *probing) initialized(ctx context.Context, r reply) (done bool, _ Info, _ error) {
	p.initialize = nil
	result, err := r.result()
	if p.exited(ctx, err) {
		info, err := p.restart(ctx, p.version)
		return true, info, err
	}
	if err == nil {
		if info, ok := p.both(ctx); ok {
			return true, info, nil
		}
		info, err := p.legacy(ctx, p.version, result)
		return true, info, err
	}
	if p.discover != nil {
		return false, Info{}, nil // a modern server refuses initialize: its other answer will come
	}
	if p.undecided != nil {
		return true, Info{}, p.undecided
	}
	info, err := p.afterInitialize(ctx, p.version, err)
	return true, info, err
}
