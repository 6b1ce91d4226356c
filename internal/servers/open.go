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

	// at is the step that it came to.
	at step
}

// step is a part of an opening.
type step string

const (
	stepVariables step = "variables"
	stepConnect   step = "connect"
	stepLists     step = "lists"
)

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
	if out.err = p.step(stepVariables, func() error {
		var err error
		expanded, o, err = p.prepare()
		return err
	}); out.err != nil {
		return out
	}
	var c Client
	begun := time.Now()
	out.err = p.step(stepConnect, func() (err error) {
		c, err = p.m.o.Connect(ctx, expanded, o)
		return err
	})
	if out.err != nil {
		return out
	}
	out.latency = time.Since(begun)
	out.err = p.step(stepLists, func() (err error) {
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
	p.with = fingerprintOf(p.config, expanded)
	if p.with.expanded() != p.knownOf.expanded() {
		p.known = found{}
	}
	o := client.Options{
		HTTP: expanded.Transport == model.TransportHTTP,
		Name: "kontor", Title: "Kontor", Version: p.m.o.Version,
		KnownEra: p.known.era, KnownSSE: p.known.sse, LogLevel: "debug", Handlers: p.handlers,
	}
	return expanded, o, p.m.dialers(expanded, &o)
}

// step takes one step; its error is in words, without secrets.
func (p *opening) step(at step, do func() error) *model.Error {
	p.at = at
	if err := do(); err != nil {
		return redacted(explain(err), p.m.o.Redactor.Redact)
	}
	return nil
}
