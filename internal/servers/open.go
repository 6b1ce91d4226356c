package servers

import (
	"context"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// opening is one attempt to get a server ready: what it needs, and how far it
// came.
type opening struct {
	m        *Manager
	config   model.Server
	handlers client.Handlers
	// known is what was found last time, with knownOf.
	known   found
	knownOf fingerprint
	// with is what it is opened with; set once that is known.
	with fingerprint
	// learn gets the secret values before anything could show them.
	learn func(secrets []string)

	stages []Stage
}

// found is what a connection found out about how a server speaks, for the next
// one to begin with.
type found struct {
	era client.Era
	sse bool
}

// opened is what an opening came to.
type opened struct {
	conn  *Conn
	lists []listed
	// latency is how long the handshake took.
	latency time.Duration
	err     *model.Error
}

// run expands, connects and lists. Unless there is an error, conn is open.
func (p *opening) run(ctx context.Context) opened {
	var out opened
	var o client.Options
	var expanded model.Server
	if out.err = p.step(StageVariables, func() error {
		var err error
		expanded, o, err = p.prepare()
		return err
	}); out.err != nil {
		return out
	}
	var c Client
	out.err = p.step(StageConnect, func() (err error) {
		c, err = p.m.o.Connect(ctx, expanded, o)
		return err
	})
	if out.err != nil {
		return out
	}
	out.latency = p.stages[len(p.stages)-1].Duration
	out.err = p.step(StageList, func() (err error) {
		out.lists, err = listAll(ctx, c)
		return err
	})
	if out.err != nil {
		_ = c.Close() // the reason for the failure is worth more
		return out
	}
	out.conn = newConn(c, p.config, p.m.o.Redactor.Redact)
	out.conn.with = p.with
	return out
}

func (p *opening) prepare() (model.Server, client.Options, error) {
	expanded, secrets, missing := expandServer(p.config, p.m.o.Expander)
	p.learn(secrets)
	if missing != nil {
		return expanded, client.Options{}, missing
	}
	p.with = fingerprintOf(expanded)
	if p.with != p.knownOf {
		p.known = found{}
	}
	o := client.Options{
		HTTP: expanded.Transport == model.TransportHTTP,
		Name: "kontor", Title: "Kontor", Version: p.m.o.Version,
		KnownEra: p.known.era, KnownSSE: p.known.sse, LogLevel: "debug", Handlers: p.handlers,
	}
	return expanded, o, p.m.dialers(expanded, &o)
}

// step runs one stage and notes how it went.
func (p *opening) step(name string, do func() error) *model.Error {
	start := time.Now()
	err := do()
	stage := Stage{Name: name, OK: err == nil, Duration: time.Since(start)}
	var words *model.Error
	if err != nil {
		words = redacted(explain(err), p.m.o.Redactor.Redact)
		stage.Code, stage.Message = words.Code, words.Message
		stage.Evidence = p.m.o.Redactor.Redact(evidence(err))
	}
	p.stages = append(p.stages, stage)
	return words
}
