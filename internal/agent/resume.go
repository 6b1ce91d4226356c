package agent

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// What a model reads of a call that a restart cut.
const (
	wasNotRun = "It was not run: Kontor was restarted before it began. Call it again if it is still needed."
	wasLost   = "Kontor was restarted while this ran, and its result is lost. It can be called again."
	wasCut    = "Kontor was restarted before the agent was done. It can be dispatched again."
)

// resume gives the calls of the last answer that have no result one: those of before
// a restart. Each is found by what was stored with the answer; a call without a row
// was never sent.
func (w *work) resume(ctx context.Context) error {
	rows, err := w.rows(ctx)
	if err != nil {
		return err
	}
	open := openUses(rows)
	return w.each(len(open), func(i int) (model.ChatPart, reply, error) {
		r, err := w.settled(ctx, open[i])
		return open[i], r, err
	})
}

// settled waits for what a use of before the restart comes to.
func (w *work) settled(ctx context.Context, use model.ChatPart) (reply, error) {
	switch {
	case use.Fault != "":
		return refusal(use.Fault), nil
	case use.Name == toolAsk:
		return w.settledQuestion(ctx, use)
	case use.CallID != "":
		if _, err := w.t.s.o.Calls.Get(ctx, use.CallID); model.CodeOf(err) == model.CodeNotFound {
			return refusal(wasNotRun), nil
		}
		call, err := w.t.s.o.Calls.Resume(ctx, use.CallID)
		return w.called(ctx, call, err, w.sees(ctx, use.Name))
	case use.FrameID != "":
		return w.settledFrame(ctx, use)
	}
	return refusal(wasLost), nil
}

func (w *work) settledQuestion(ctx context.Context, use model.ChatPart) (reply, error) {
	item, err := w.t.s.o.Inbox.Find(ctx, model.ItemQuestion, use.UseID)
	if model.CodeOf(err) == model.CodeNotFound {
		return refusal(wasNotRun), nil
	}
	if err != nil {
		return reply{}, err
	}
	waiting, done := w.t.s.untilPause(ctx)
	defer done()
	a, err := w.t.s.o.Inbox.Wait(waiting, item.ID)
	if err != nil {
		return w.explained(ctx, err)
	}
	return answerOf(a), nil
}

func (w *work) settledFrame(ctx context.Context, use model.ChatPart) (reply, error) {
	f, err := w.t.s.frame(ctx, w.frame.SessionID, use.FrameID)
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		return refusal(wasNotRun), nil
	case err != nil:
		return reply{}, err
	case f.State != model.FrameOpen:
		return w.t.s.concluded(f, f.State)
	}
	sub := &work{t: w.t, frame: f, agent: within(w.t.s.agent(f.Agent), w.agent)}
	return w.await(ctx, sub)
}

// sees says whether the frame's model may be shown the pictures of a tool's server.
func (w *work) sees(ctx context.Context, name string) bool {
	chat, err := w.t.s.o.Store.Chat(ctx, w.frame.SessionID)
	if err != nil {
		return false
	}
	_, lm, err := w.t.s.o.Models.Provider(ctx, modelOf(chat, w))
	server, _, _ := model.SplitToolName(name)
	return err == nil && lm.Images && w.t.s.sharesImages(server)
}

// frame finds a frame of a chat.
func (s *Service) frame(ctx context.Context, sessionID, id string) (model.Frame, error) {
	frames, err := s.o.Store.Frames(ctx, sessionID)
	if err != nil {
		return model.Frame{}, err
	}
	for _, f := range frames {
		if f.ID == id {
			return f, nil
		}
	}
	return model.Frame{}, model.Errorf(model.CodeNotFound, "there is no frame %q", id)
}
