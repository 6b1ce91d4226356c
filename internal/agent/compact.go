package agent

import (
	"context"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// A conversation is summarised once it fills so much of the model's context, in per
// cent, if it has so many messages at least.
const (
	compactAt     = 80
	compactAtRows = 6
)

const summarise = `Summarise this conversation so that you can go on with it from the summary alone. Keep: what the person wants and has said about how, what was decided, what was run and what came of it (names, ids, numbers, addresses word for word), what is still to be done. Leave out what no longer matters. Write nothing but the summary, and call no tool.`

// compactIfDue has the model summarise a conversation that would soon be too long for
// it. The summary, with the system prompt made anew, stands for what came before. That
// it failed is told, and the turn goes on as it is.
func (w *work) compactIfDue(ctx context.Context, r *round, rows []model.ChatMessage) error {
	limit := r.model.ContextTokens
	if w.compacted || limit <= 0 || len(rows) < compactAtRows || w.estimate(r, rows)*100 < limit*compactAt {
		return nil
	}
	if n := r.offer.tokens(); n*100 >= limit*compactAt {
		return w.noRoom(rows, n, limit)
	}
	return w.compact(ctx, r)
}

// noRoom says once that the tools take so much that a summary would help nothing.
func (w *work) noRoom(rows []model.ChatMessage, tokens, limit int) error {
	text := fmt.Sprintf("The tools that are switched on take %d of the %d tokens that the model has room for: a summary of what was said would make no room. Switch some off.", tokens, limit)
	for _, m := range rows {
		if p, ok := part(m, NoteCompaction); ok && p.Text == text {
			return nil
		}
	}
	return w.note(NoteCompaction, text)
}

// compact summarises the frame's rows as they are now.
func (w *work) compact(ctx context.Context, r *round) error {
	w.compacted, w.read = true, nil // they begin elsewhere then
	// What is said while the summary is made isn't in it: it comes after it.
	unlock := w.t.s.lock(w.frame.SessionID)
	id := newID()
	rows, err := w.rows(ctx)
	unlock()
	if err != nil {
		return err
	}
	chat, err := w.t.s.o.Store.Chat(ctx, w.frame.SessionID)
	if err != nil {
		return err
	}
	request := w.request(*r, rows, chat.ElidedBefore)
	request.Messages = append(request.Messages, llm.Message{Role: llm.User, Parts: []llm.Part{llm.Text{Text: summarise}}})
	summary, err := w.summary(ctx, r, request)
	if err != nil {
		if halt := w.halted(ctx); halt != nil {
			return halt
		}
		return w.note(NoteCompaction, "The conversation could not be summarised, so it goes on in full length: "+problem(err).Message)
	}
	m := model.ChatMessage{ID: id, Role: model.RoleSummary, Model: r.model.Name, Parts: []model.ChatPart{
		{Kind: model.PartText, Text: summary + lastWords(rows)}, promptPart(w.agent, r.offer.groups), r.offer.part(),
	}}
	if err := w.add(m); err != nil || !w.root() {
		return err
	}
	used := w.t.s.tokensOf(w.request(*r, []model.ChatMessage{m}, ""))
	return w.t.s.update(context.Background(), w.frame.SessionID, func(c *model.ChatSession) {
		c.SummaryID, c.ElidedBefore, c.ContextUsed = m.ID, "", used
	})
}

// shorten makes room in a conversation that a provider finds too long, whatever was
// estimated: every large result goes, and then a summary is made.
func (w *work) shorten(ctx context.Context, r *round) error {
	if w.root() {
		err := w.t.s.update(ctx, w.frame.SessionID, func(c *model.ChatSession) { c.ElidedBefore = r.id })
		if err != nil {
			return err
		}
	}
	return w.compact(ctx, r)
}

func (w *work) summary(ctx context.Context, r *round, request llm.Request) (string, error) {
	ctx, done := w.t.s.untilPause(ctx)
	defer done()
	for e, err := range r.provider.Stream(ctx, request) {
		if err != nil {
			return "", err
		}
		if f, ok := e.(llm.Finished); ok {
			if text := strings.TrimSpace(plain(f.Message)); text != "" && f.Reason == llm.ReasonStop {
				return text, nil
			}
			return "", model.Errorf(model.CodeProtocol, "The model gave no summary.")
		}
	}
	return "", model.Errorf(llm.CodeCutStream, "The summary broke off.")
}

// lastWords are what the person said last, word for word: no summary may change what
// they want now.
func lastWords(rows []model.ChatMessage) string {
	for i := len(rows) - 1; i >= 0; i-- {
		if text := textOf(rows[i]); rows[i].Role == model.RoleUser && text != "" {
			said := clip(text, largeResult)
			if len(said) < len(text) {
				said += fmt.Sprintf("\n[Left out: the other %d bytes of it.]", len(text)-len(said))
			}
			return "\n\nThe person's last message, word for word:\n" + said
		}
	}
	return ""
}

// plain is the text of a model's message.
func plain(m llm.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(llm.Text); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// estimate is about how many tokens the next request has: what the last one had, by
// the provider's own count, and what came since, tools that were switched on too.
func (w *work) estimate(r *round, rows []model.ChatMessage) int {
	rows = current(rows)
	i := len(rows) - 1
	for i >= 0 && rows[i].Usage.Input == 0 {
		i--
	}
	if i < 0 || rows[i].Model != r.model.Name {
		request := w.request(*r, rows, "")
		if rough := bytesOf(request) / 4; r.model.ContextTokens > 2*rough {
			return rough
		}
		return w.t.s.tokensOf(request)
	}
	since := conversation{rows: rows[i:]}.messages()
	return rows[i].Usage.Input + w.t.s.tokensOf(llm.Request{Messages: since}) + switched(r.offer.groups, lastOffered(rows[i:i+1]))
}

func bytesOf(r llm.Request) int {
	n := len(r.System)
	for _, t := range r.Tools {
		n += len(t.Description) + len(t.Schema)
	}
	var count func([]llm.Part)
	count = func(parts []llm.Part) {
		for _, p := range parts {
			switch p := p.(type) {
			case llm.Text:
				n += len(p.Text)
			case llm.Reasoning:
				n += len(p.Text)
			case llm.ToolCall:
				n += len(p.Arguments)
			case llm.ToolResult:
				count(p.Parts)
			case llm.Image:
				n += 4 * imageTokens
			}
		}
	}
	for _, m := range r.Messages {
		count(m.Parts)
	}
	return n
}
