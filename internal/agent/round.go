package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

// Why an answer ended, beside the reasons of llm.
const (
	finishStopped = "stopped"
	finishFailed  = "failed"
)

// round is one request and its answer.
type round struct {
	provider llm.Provider
	model    model.LanguageModel
	builtins []builtin
	offer    offer
	request  llm.Request
	// id is the answer's. What the person says once it is made comes after it.
	id string
}

// answered is an answer that is stored, and what it asks for.
type answered struct {
	uses []use
	// again says that the model wants the same conversation once more.
	again bool
	// request and answer are what the context holds now, of known tokens or not.
	request llm.Request
	answer  model.ChatMessage
}

// round asks the model once and stores what it says. What keeps it from an answer is
// stored too, in the answer's place.
func (w *work) round(ctx context.Context) (answered, error) {
	r, err := w.prepare(ctx)
	if err != nil {
		if halt := w.halted(ctx); halt != nil {
			return answered{}, halt
		}
		return answered{}, w.failed(model.ChatMessage{ID: r.id, Model: r.model.Name}, err)
	}
	m := model.ChatMessage{
		ID: r.id, SessionID: w.frame.SessionID, FrameID: w.frame.ID, TurnID: w.t.id, Root: w.root(),
		Role: model.RoleAssistant, Model: r.model.Name, CreatedAt: now(),
	}
	d := newDraft(m, r.offer.realName, w.t.s.publish)
	w.t.startDraft(d)
	defer w.t.endDraft(d)
	finished, err := w.stream(ctx, r, d)
	d.end()
	if err != nil {
		if w.t.s.pausing.Err() != nil && ctx.Err() == nil {
			return answered{}, model.ErrStopping
		}
		if model.CodeOf(err) == llm.CodeContextTooLong && !w.compacted {
			return answered{again: true}, w.shorten(ctx, &r)
		}
		m.Parts = d.words()
		return answered{}, w.failed(m, cmp.Or(context.Cause(ctx), err))
	}
	return w.finished(r, m, finished)
}

// stream has the model write.
func (w *work) stream(ctx context.Context, r round, d *draft) (llm.Finished, error) {
	ctx, done := w.t.s.untilPause(ctx)
	defer done()
	for e, err := range r.provider.Stream(ctx, r.request) {
		if err != nil {
			return llm.Finished{}, err
		}
		if f, ok := e.(llm.Finished); ok {
			return f, nil
		}
		d.take(e)
	}
	return llm.Finished{}, model.Errorf(llm.CodeCutStream, "The model's answer broke off.")
}

// finished stores a whole answer: from here on its calls may begin.
func (w *work) finished(r round, m model.ChatMessage, f llm.Finished) (answered, error) {
	var a answered
	var over int
	m.Parts, a.uses, over = w.parts(r, f.Message)
	m.Parts = append(m.Parts, r.offer.part())
	m.Finish = string(f.Reason)
	m.Usage = model.ChatUsage{Input: f.Usage.Input, CacheRead: f.Usage.CacheRead, Output: f.Usage.Output}
	a.again = f.Reason == llm.ReasonPaused && len(a.uses) == 0
	a.request, a.answer = r.request, m
	if err := w.add(m); err != nil {
		return answered{}, err
	}
	if over > 0 {
		err := w.note(NoteCalls, fmt.Sprintf("The answer asked for %d calls at once. The first %d count; the others were not run.", maxUses+over, maxUses))
		if err != nil {
			return answered{}, err
		}
	}
	switch f.Reason {
	case llm.ReasonLength:
		return a, w.note(NoteLength, "The answer reached its length limit.")
	case llm.ReasonFiltered:
		return a, w.note(NoteFiltered, "The provider, or the model itself, refused to go on with this answer.")
	}
	return a, nil
}

// keepUsed records how much of the context is used.
func (w *work) keepUsed(a answered) error {
	if !w.root() || a.answer.ID == "" {
		return nil
	}
	used := a.answer.Usage.Input + a.answer.Usage.Output
	if used == 0 {
		used = w.t.s.tokensOf(a.request) + w.t.s.o.Count(textOf(a.answer))
	}
	err := w.t.s.update(context.Background(), w.frame.SessionID, func(c *model.ChatSession) { c.ContextUsed = used })
	if err == nil {
		w.t.s.tell(w.frame.SessionID)
	}
	return err
}

// failed stores what there is of an answer and what ended it, and returns that. Where
// the person ended it before its first word there is nothing to store.
func (w *work) failed(m model.ChatMessage, reason error) error {
	m.Role, m.Finish, m.Error = model.RoleAssistant, finishFailed, problem(reason)
	if errors.Is(reason, errStopped) {
		m.Finish, m.Error = finishStopped, nil
		if len(m.Parts) == 0 {
			return reason
		}
	}
	if err := w.add(m); err != nil {
		w.t.s.o.Log.Error("an answer that failed can't be stored", "chat", w.frame.SessionID, "err", err)
	}
	return reason
}

// prepare makes the request of the frame's rows.
func (w *work) prepare(ctx context.Context) (r round, err error) {
	s := w.t.s
	chat, err := s.o.Store.Chat(ctx, w.frame.SessionID)
	if err != nil {
		return r, err
	}
	if r.provider, r.model, err = s.o.Models.Provider(ctx, modelOf(chat, w)); err != nil {
		return r, err
	}
	granted, err := s.o.Store.Grants(ctx, w.frame)
	if err != nil {
		return r, err
	}
	groups := s.groups(w.agent, granted)
	r.builtins = builtins(w, groups)
	r.offer = newOffer(groups, r.builtins, toolschema.For(r.model.Provider, r.model.BaseURL), &s.definitions)
	if err := w.readOn(ctx); err != nil {
		return r, err
	}
	if err := w.settleRows(ctx, &r, w.read); err != nil {
		return r, err
	}
	if err := w.claim(ctx, &r); err != nil {
		return r, err
	}
	r.request = w.request(r, w.read, chat.ElidedBefore)
	return r, nil
}

// claim gives the answer its id and reads the rows that it answers. What the person
// says from then on comes after it.
func (w *work) claim(ctx context.Context, r *round) error {
	defer w.t.s.lock(w.frame.SessionID)()
	r.id = newID()
	err := w.readOn(ctx)
	if err == nil && w.root() {
		w.t.more = false
	}
	return err
}

// settleRows adds what the request needs and the rows don't have: the system prompt,
// what changed, what came of the person's own runs, a summary.
func (w *work) settleRows(ctx context.Context, r *round, rows []model.ChatMessage) error {
	s := w.t.s
	if err := s.ensurePrompt(ctx, w.frame, w.agent, r.offer.groups, rows); err != nil {
		return err
	}
	if text := r.offer.changes(rows); text != "" && !told(rows, text) {
		if err := w.note(NoteCapabilities, text); err != nil {
			return err
		}
	}
	if err := w.noteRuns(ctx, rows); err != nil {
		return err
	}
	return w.compactIfDue(ctx, r, rows)
}

// told says that a note since the last answer already says so.
func told(rows []model.ChatMessage, text string) bool {
	for _, m := range rows[lastAnswer(rows)+1:] {
		if p, ok := part(m, NoteCapabilities); ok && p.Text == text {
			return true
		}
	}
	return false
}

// request is what the model is sent.
func (w *work) request(r round, rows []model.ChatMessage, elidedBefore string) llm.Request {
	c := conversation{rows: rows, elidedBefore: elidedBefore}
	if r.model.Images {
		c.image = w.t.s.image
	}
	return llm.Request{
		Model: r.model.Model, System: c.system(), Messages: c.messages(), Tools: r.offer.tools, NoImages: !r.model.Images,
	}
}

// modelOf names the language model of a frame: the chat's, or the agent's own.
func modelOf(chat model.ChatSession, w *work) string {
	if w.root() {
		return cmp.Or(chat.Model, w.agent.Model)
	}
	return cmp.Or(w.agent.Model, chat.Model)
}
