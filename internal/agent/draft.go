package agent

import (
	"strings"
	"sync"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// deltaEvery is how far apart the news of one message are at least: a model may write
// faster than a browser draws.
const deltaEvery = 40 * time.Millisecond

// draft is a message that a model is writing.
type draft struct {
	publish func(model.Event)
	// name is what the person knows a tool by.
	name func(string) string

	mu      sync.Mutex
	message model.ChatMessage // without its parts
	parts   []draftPart
	calls   map[int]int // from an answer's calls to parts
	told    time.Time
	later   *time.Timer
	over    bool
}

type draftPart struct {
	kind        model.PartKind
	useID, name string
	code        string
	until       time.Time
	text        []byte
	// told is how much of the text is known; announced, that the part is.
	told      int
	announced bool
}

func newDraft(m model.ChatMessage, name func(string) string, publish func(model.Event)) *draft {
	return &draft{publish: publish, name: name, message: m, calls: map[int]int{}}
}

// take adds what a model wrote.
func (d *draft) take(e llm.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch e := e.(type) {
	case llm.TextDelta:
		d.write(model.PartText, e.Text)
	case llm.ReasoningDelta:
		d.write(model.PartReasoning, e.Text)
	case llm.ToolCallStarted:
		d.calls[e.Index] = len(d.parts)
		d.parts = append(d.parts, draftPart{kind: model.PartToolUse, useID: e.ID, name: d.name(e.Name)})
	case llm.ToolCallDelta:
		p := &d.parts[d.calls[e.Index]]
		p.text = append(p.text, e.Text...)
	case llm.Retrying:
		// When, not how long yet: whoever reads it later knows as well.
		d.parts = append(d.parts, draftPart{kind: model.PartNote, code: NoteRetrying,
			text: []byte(strings.TrimSuffix(e.Err.Error(), ".") + "."), until: time.Now().Add(e.Wait)})
	default:
		return
	}
	if wait := deltaEvery - time.Since(d.told); wait <= 0 {
		d.tell()
	} else if d.later == nil {
		d.later = time.AfterFunc(wait, d.tellLater)
	}
}

// write adds to the last part, or begins one.
func (d *draft) write(kind model.PartKind, text string) {
	if n := len(d.parts); n == 0 || d.parts[n-1].kind != kind {
		d.parts = append(d.parts, draftPart{kind: kind})
	}
	p := &d.parts[len(d.parts)-1]
	p.text = append(p.text, text...)
}

func (d *draft) tellLater() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.later = nil
	if !d.over {
		d.tell()
	}
}

// tell publishes what isn't known yet. The caller holds mu, so that nothing follows
// the end.
func (d *draft) tell() {
	d.told = time.Now()
	for i := range d.parts {
		p := &d.parts[i]
		if p.announced && p.told == len(p.text) {
			continue
		}
		d.publish(model.MessageDelta{
			SessionID: d.message.SessionID, FrameID: d.message.FrameID, MessageID: d.message.ID,
			Part: i, Kind: p.kind, UseID: p.useID, Name: p.name, Code: p.code, Until: p.until,
			Offset: p.told, Text: string(p.text[p.told:]),
		})
		p.told, p.announced = len(p.text), true
	}
}

// end stops the news.
func (d *draft) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	if d.later != nil {
		d.later.Stop()
	}
}

// snapshot is the message as it is now.
func (d *draft) snapshot() model.ChatMessage {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.message
	for _, p := range d.parts {
		m.Parts = append(m.Parts, model.ChatPart{Kind: p.kind, UseID: p.useID, Name: p.name, Text: string(p.text),
			Code: p.code, Until: p.until})
	}
	return m
}

// words are the parts of an answer that broke off which are of use: calls whose
// arguments never ended are not.
func (d *draft) words() []model.ChatPart {
	var out []model.ChatPart
	for _, p := range d.snapshot().Parts {
		if p.Kind == model.PartText || p.Kind == model.PartReasoning {
			out = append(out, p)
		}
	}
	return out
}
