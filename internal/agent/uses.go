package agent

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"kontor.dev/kontor/internal/agent/outcome"
	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/untrusted"
	"kontor.dev/kontor/internal/model"
)

const (
	// maxParallel is how many calls of one answer run at a time.
	maxParallel = 16
	// maxUses is how many an answer may ask for: each is stored, and read again with
	// every request.
	maxUses = 128
	// maxRefusal is how much a model reads of why nothing was run, in bytes: a part of
	// it may be a server's words.
	maxRefusal = 4 << 10
)

// use is a call that an answer asks for.
type use struct {
	part model.ChatPart
	// Of these one is set, or none when there is no such tool.
	tool    *model.Tool
	builtin *builtin
	// arguments are as the server knows them.
	arguments json.RawMessage
	// missing says why there is no such tool; images, that its pictures may be shown.
	missing string
	images  bool
}

// reply is what a model gets of a call.
type reply struct {
	text    string
	isError bool
	cut     *model.Cut
	media   []model.Media
}

func refusal(text string) reply { return reply{text: text, isError: true} }

// parts are an answer as it is stored. What a call will be known by is chosen here:
// the call's id, the sub-agent's frame, so that it is found after a crash. over is how
// many calls are left out.
func (w *work) parts(r round, m llm.Message) (parts []model.ChatPart, uses []use, over int) {
	for _, p := range m.Parts {
		switch p := p.(type) {
		case llm.Text:
			parts = append(parts, model.ChatPart{Kind: model.PartText, Text: p.Text})
		case llm.Reasoning:
			parts = append(parts, model.ChatPart{Kind: model.PartReasoning, Text: p.Text, Signature: p.Signature, Redacted: p.Redacted})
		case llm.ToolCall:
			if len(uses) == maxUses {
				over++
				continue
			}
			u := w.use(r, p)
			parts = append(parts, u.part)
			uses = append(uses, u)
		}
	}
	return parts, uses, over
}

func (w *work) use(r round, c llm.ToolCall) use {
	u := use{arguments: c.Arguments, part: model.ChatPart{
		Kind: model.PartToolUse, UseID: c.ID, Name: r.offer.realName(c.Name), Arguments: c.Arguments, Fault: c.Fault,
	}}
	if found, ok := r.offer.byName[c.Name]; ok {
		u.tool, u.part.CallID = &found.tool, newID()
		u.images = r.model.Images && w.t.s.sharesImages(found.tool.Server)
		u.arguments, u.part.Notes = found.fit(c.Arguments)
		return u
	}
	var names []string
	for i, b := range r.builtins {
		if b.name == c.Name {
			u.builtin = &r.builtins[i]
		}
		names = append(names, b.name)
	}
	switch {
	case u.builtin == nil:
		u.missing = r.offer.missing(c.Name, names)
		if t, err := w.t.s.o.Catalogue.Resolve(c.Name); err == nil && !t.Enabled {
			u.missing = "The tool " + c.Name + " was not run: the person has switched it off."
		}
	case c.Name == toolAsk:
		// Its item is found by it, and providers use an id again in each answer.
		u.part.UseID = newID()
	case c.Name == toolDispatch:
		u.part.FrameID = newID()
	}
	return u
}

// runUses runs what an answer asks for, side by side; each result is stored when it
// is there. When Kontor stops, those that wait have none.
func (w *work) runUses(ctx context.Context, a answered) error {
	var kept error
	var keeping sync.WaitGroup
	// Beside the calls: none waits for it.
	keeping.Go(func() { kept = w.keepUsed(a) })
	err := w.each(len(a.uses), func(i int) (model.ChatPart, reply, error) {
		r, err := w.result(ctx, a.uses[i])
		return a.uses[i].part, r, err
	})
	keeping.Wait()
	return errors.Join(err, kept)
}

// each gets n results side by side and stores them.
func (w *work) each(n int, result func(i int) (model.ChatPart, reply, error)) error {
	var running sync.WaitGroup
	slots := make(chan struct{}, maxParallel)
	errs := make([]error, n)
	for i := range n {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			use, r, err := result(i)
			if err == nil {
				err = w.addResult(use, r)
			}
			errs[i] = err
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

func (w *work) addResult(use model.ChatPart, r reply) error {
	return w.add(model.ChatMessage{Role: model.RoleTool, Parts: []model.ChatPart{{
		Kind: model.PartToolResult, UseID: use.UseID, Name: use.Name, CallID: use.CallID, FrameID: use.FrameID,
		Text: r.text, IsError: r.isError, Cut: r.cut, Media: r.media,
	}}})
}

// result runs one use. An error is that Kontor stops, or can't store: anything else
// is for the model to read.
func (w *work) result(ctx context.Context, u use) (reply, error) {
	switch {
	case u.part.Fault != "":
		return refusal(u.part.Fault), nil
	case u.tool != nil:
		return w.call(ctx, u)
	case u.builtin != nil:
		return w.runBuiltin(ctx, u)
	}
	return refusal(u.missing), nil
}

// runBuiltin ends what waits here when Kontor stops; calls end by themselves.
func (w *work) runBuiltin(ctx context.Context, u use) (reply, error) {
	within := ctx
	if u.builtin.name != toolDispatch {
		var done func()
		within, done = w.t.s.untilPause(ctx)
		defer done()
	}
	r, err := u.builtin.run(within, w, u.part)
	if err != nil {
		return w.explained(ctx, err)
	}
	return r, nil
}

// call runs a server's tool, or one of Kontor's own.
func (w *work) call(ctx context.Context, u use) (reply, error) {
	call, err := w.t.s.o.Calls.Run(ctx, model.CallRequest{
		ID: u.part.CallID, Server: u.tool.Server, Tool: u.tool.Name, Arguments: u.arguments, Notes: u.part.Notes,
		Asker: w.asker(), Agent: w.agent.ID, SessionID: w.frame.SessionID,
	})
	return w.called(ctx, call, err, u.images)
}

// called is what a model gets of a call.
func (w *work) called(ctx context.Context, call model.Call, err error, images bool) (reply, error) {
	if err != nil {
		return w.explained(ctx, err)
	}
	r := outcome.Render(call, outcome.Options{Images: images})
	return reply{text: r.Text, isError: r.IsError, cut: r.Cut, media: r.Media}, nil
}

// explained has a model read why nothing was run, unless Kontor stops.
func (w *work) explained(ctx context.Context, err error) (reply, error) {
	if w.t.s.pausing.Err() != nil && ctx.Err() == nil {
		return reply{}, model.ErrStopping
	}
	if cause := context.Cause(ctx); cause != nil {
		return refusal("It was stopped by the person before it was done."), nil
	}
	return refusal(untrusted.Limit(untrusted.Visible(problem(err).Message), maxRefusal)), nil
}

// sharesImages says whether the person lets models see a server's pictures.
func (s *Service) sharesImages(server string) bool {
	for _, v := range s.o.Servers.Servers() {
		if v.Config.Name == server {
			return v.Config.ShareImages
		}
	}
	return false
}
