package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// streamWait is how long a test waits for the server to say whether it offers a
// stream. Some answer only once they have something to say.
const streamWait = 3 * time.Second

// Test tries a configuration without saving it: it goes through the stages up to
// the one that fails, and closes what it opened. The name may be missing.
func (m *Manager) Test(ctx context.Context, s model.Server) Report {
	return m.try(ctx, s, true)
}

// Verify is Test without the stream, which no server has to offer.
func (m *Manager) Verify(ctx context.Context, s model.Server) Report {
	return m.try(ctx, s, false)
}

func (m *Manager) try(ctx context.Context, s model.Server, stream bool) Report {
	w := newWatch()
	t := trial{m: m, config: s, watch: w, stages: stagesOf(s)}
	if s.Name == "" {
		t.config.Name = "test"
	}
	if !stream && t.stages[len(t.stages)-1] == StageStream {
		t.stages = t.stages[:len(t.stages)-1]
	}
	if err := t.config.Validate(); err != nil {
		return t.report(StageParse, err)
	}
	w.pass(StageParse, "%s", t.config.Transport)
	ctx, cancel := within(ctx, t.config.WithDefaults().StartTimeout)
	defer cancel()
	owner := fmt.Sprintf("trial %d", m.trials.Add(1))
	// What was learned is forgotten once the report is masked.
	defer m.o.Redactor.Set(owner, nil)
	return t.run(ctx, func(secrets []string) { m.o.Redactor.Set(owner, secrets) })
}

// trial is one try of a configuration.
type trial struct {
	m      *Manager
	config model.Server
	watch  *watch
	stages []string
	lists  []listed
}

func (t *trial) run(ctx context.Context, learn func([]string)) Report {
	p := opening{m: &Manager{o: t.options()}, config: t.config, learn: learn, handlers: client.Handlers{
		Elicit: func(context.Context, client.Question) (client.Answer, error) {
			return client.Answer{Action: string(model.ActionCancel)}, nil
		},
		// With it, changes of the lists are listened for.
		Notification: func(string, json.RawMessage) {},
		Trace:        t.watch.trace, Note: t.watch.note,
	}}
	out := p.run(ctx)
	if out.conn == nil {
		return t.report(string(p.at), out.err)
	}
	t.connected(out.conn.client.Info())
	t.lists = out.lists
	t.watch.pass(StageLists, "%s", countsOf(out.lists))
	t.awaitStream(ctx)
	_ = out.conn.client.Close() // it worked; how it ends says nothing more
	return t.report("", nil)
}

// options are the manager's, with the watch on what leads to the server.
func (t *trial) options() Options {
	o := t.m.o
	o.HTTPClient = func(s model.Server) (*http.Client, error) {
		guarded, err := t.m.o.TrialClient(s)
		if err != nil {
			return nil, err
		}
		c := *guarded
		c.Transport = t.watch.around(guarded.Transport)
		return &c, nil
	}
	o.Connect = func(ctx context.Context, s model.Server, co client.Options) (Client, error) {
		t.watch.pass(StageVariables, "")
		t.watch.change(func(seen *seen) { seen.path = pathOf(s) })
		dial := co.Dial
		co.Dial = func(ctx context.Context, r wire.Receiver) (wire.Transport, error) {
			transport, err := dial(ctx, r)
			if err == nil && s.Transport == model.TransportStdio {
				t.watch.pass(StageSpawn, "%s", s.Command)
			}
			return transport, err
		}
		c, err := t.m.o.Connect(ctx, s, co)
		if missing := (*stdio.NotFoundError)(nil); errors.As(err, &missing) {
			t.watch.change(func(seen *seen) { seen.found = elsewhere(s.Command) })
		}
		return c, err
	}
	return o
}

// pathOf is the PATH of a server's environment.
func pathOf(s model.Server) string {
	if v, ok := s.Env["PATH"]; ok {
		return v.Text
	}
	return os.Getenv("PATH")
}

// connected notes what the server said about itself.
func (t *trial) connected(i client.Info) {
	t.watch.pass(StageEra, "")
	how := "it asks for none"
	if t.config.BearerToken.Text != "" || len(t.config.Headers) > 0 {
		how = "it takes what was given"
	}
	t.watch.pass(StageAuth, "%s", how)
	t.watch.pass(StageHandshake, "%s", strings.TrimSpace(clip(i.Name, maxName)+" "+clip(i.Version, maxName)))
	t.watch.change(func(s *seen) {
		switch {
		case i.SSE:
			s.details[StageEra] = "only the older HTTP+SSE transport, protocol " + i.ProtocolVersion
			s.sse = true
		default:
			s.details[StageEra] = fmt.Sprintf("%s, protocol %s", i.Era, i.ProtocolVersion)
		}
	})
}

// awaitStream waits a little for the stream, when one is part of the test.
func (t *trial) awaitStream(ctx context.Context) {
	if t.stages[len(t.stages)-1] != StageStream {
		return
	}
	s := t.watch.look()
	if s.stream == "" && s.sse {
		t.watch.change(func(s *seen) { s.stream = "open" })
	} else if s.stream == "" || s.stream == "asked for" {
		wait := time.NewTimer(streamWait)
		defer wait.Stop()
		select {
		case <-t.watch.streamed:
		case <-wait.C:
		case <-ctx.Done():
		}
	}
	if s = t.watch.look(); !s.streamFailed {
		words := s.stream
		if words == "" || words == "asked for" {
			words = "no answer yet: it is tried in the background"
		}
		t.watch.pass(StageStream, "%s", words)
	}
}

// countsOf says how much a server offers.
func countsOf(lists []listed) string {
	nouns := map[model.ListKind]string{model.ListTools: "tool", model.ListResources: "resource", model.ListTemplates: "template", model.ListPrompts: "prompt"}
	var parts []string
	for _, l := range lists {
		switch n := len(l.list.Items); {
		case l.err != nil:
			parts = append(parts, "its "+nouns[l.kind]+"s can't be read")
		case n == 1:
			parts = append(parts, "1 "+nouns[l.kind])
		case n > 1 || l.kind == model.ListTools:
			parts = append(parts, fmt.Sprintf("%d %ss", n, nouns[l.kind]))
		}
	}
	return strings.Join(parts, ", ")
}
