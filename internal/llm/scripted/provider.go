package scripted

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"kontor.dev/kontor/internal/llm"
)

// Provider plays a Script.
type Provider struct {
	script Script

	mu       sync.Mutex
	played   []bool
	requests []llm.Request
}

var _ llm.Provider = (*Provider)(nil)

// New makes a provider that plays a script from its beginning.
func New(s Script) *Provider {
	return &Provider{script: s, played: make([]bool, len(s.Turns))}
}

// Requests are those that came so far, in their order.
func (p *Provider) Requests() []llm.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]llm.Request(nil), p.requests...)
}

// next takes the turn that answers r.
func (p *Provider) next(r llm.Request) []Step {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
	said := strings.ToLower(lastText(r))
	if p.script.Loop {
		return p.script.looped(said, answers(r))
	}
	for i, t := range p.script.Turns {
		if !p.played[i] && t.fits(said) {
			p.played[i] = true
			return t.Steps
		}
	}
	return p.script.end()
}

func (t Turn) fits(said string) bool { return strings.Contains(said, strings.ToLower(t.When)) }

// looped is the turn that answers what was said in a conversation with so many answers.
func (s Script) looped(said string, answers int) []Step {
	var any []Turn
	for _, t := range s.Turns {
		if t.When == "" {
			any = append(any, t)
		} else if t.fits(said) {
			return t.Steps
		}
	}
	if len(any) == 0 {
		return s.end()
	}
	return any[answers%len(any)].Steps
}

func (s Script) end() []Step {
	return []Step{Say{Text: cmp.Or(s.End, "The script has no answer to this.")}}
}

// answers counts those that a conversation has so far.
func answers(r llm.Request) (n int) {
	for _, m := range r.Messages {
		if m.Role == llm.Assistant {
			n++
		}
	}
	return n
}

// lastText is what was said since the last answer, results of tools included.
func lastText(r llm.Request) string {
	var b strings.Builder
	var add func([]llm.Part)
	add = func(parts []llm.Part) {
		for _, part := range parts {
			switch part := part.(type) {
			case llm.Text:
				b.WriteString(part.Text + "\n")
			case llm.ToolResult:
				add(part.Parts)
			}
		}
	}
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == llm.Assistant {
			break
		}
		add(m.Parts)
	}
	return b.String()
}

// Stream implements llm.Provider.
func (p *Provider) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := llm.CheckTools(r.Tools); err != nil {
			yield(nil, err)
			return
		}
		play := playing{ctx: ctx, yield: yield}
		end := Stop{Reason: llm.ReasonStop}
		for _, s := range p.next(r) {
			if stop, ok := s.(Stop); ok {
				end = stop
				break
			}
			if !play.step(s) {
				return
			}
		}
		play.emit(play.answer.Finish(end.Reason, end.Usage), nil)
	}
}

// playing is one answer under way.
type playing struct {
	ctx    context.Context
	yield  func(llm.Event, error) bool
	answer llm.Answer
}

// emit yields and says whether to go on.
func (p *playing) emit(events []llm.Event, err error) bool {
	if p.ctx.Err() != nil {
		events, err = nil, llm.Cancelled(p.ctx)
	}
	for _, e := range events {
		if !p.yield(e, nil) {
			return false
		}
	}
	if err != nil {
		p.yield(nil, err)
	}
	return err == nil
}

func (p *playing) step(s Step) bool {
	switch s := s.(type) {
	case Say:
		return p.say(s)
	case Think:
		return p.emit(p.answer.Reasoning(s.Text, ""))
	case Call:
		at, events := p.answer.Call(s.ID, s.Name)
		if !p.emit(events, nil) || !p.emit(p.answer.Arguments(at, s.Arguments)) {
			return false
		}
		return s.Open || p.emit(p.answer.DoneIfReadable(at), nil)
	case Pause:
		return p.pause(s)
	case Fail:
		return p.emit(nil, s.Err)
	}
	return true
}

func (p *playing) say(s Say) bool {
	words := []string{s.Text}
	if s.Pause > 0 {
		words = strings.SplitAfter(s.Text, " ")
	}
	for _, w := range words {
		if !p.emit(p.answer.Text(w)) || s.Pause > 0 && !p.pause(Pause{For: s.Pause}) {
			return false
		}
	}
	return true
}

func (p *playing) pause(s Pause) bool {
	if s.Until != nil {
		select {
		case <-s.Until:
		case <-p.ctx.Done():
		}
		return p.emit(nil, nil)
	}
	t := time.NewTimer(s.For)
	defer t.Stop()
	select {
	case <-t.C:
	case <-p.ctx.Done():
	}
	return p.emit(nil, nil)
}
