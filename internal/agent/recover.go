package agent

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Recover is for the start, once the calls that were on their way are settled and the
// inbox has its items again. A turn in which something waits for the person goes on
// when they have answered; any other ends where it was, and Retry goes on from there.
func (s *Service) Recover(ctx context.Context) error {
	chats, err := s.o.Store.OpenTurns(ctx)
	if err != nil {
		return err
	}
	for _, chat := range chats {
		if err := s.recover(ctx, chat); err != nil {
			s.o.Log.Error("a turn of before the restart can't be taken up", "chat", chat.ID, "err", err)
		}
	}
	return nil
}

func (s *Service) recover(ctx context.Context, chat model.ChatSession) error {
	_, root, err := s.root(ctx, chat.ID)
	if err != nil {
		return err
	}
	defer s.lock(chat.ID)()
	waits, err := s.waits(ctx, root)
	if err != nil {
		return err
	}
	if waits {
		err := s.note(ctx, root, chat.TurnID, NoteRestarted, "Kontor was restarted. The turn goes on once the person has answered what waits for them.")
		if err != nil {
			return err
		}
		_, err = s.begin(ctx, chat, root, &work{agent: s.agent(chat.Agent)})
		return err
	}
	return s.interrupt(ctx, chat, root)
}

// waits says whether a call or a question of the frame's last answer waits for the
// person, or for what they have answered already to be done.
func (s *Service) waits(ctx context.Context, f model.Frame) (bool, error) {
	rows, err := s.o.Store.Transcript(ctx, f.ID, "")
	if err != nil {
		return false, err
	}
	for _, use := range openUses(rows) {
		waits, err := s.useWaits(ctx, f.SessionID, use)
		if err != nil && model.CodeOf(err) != model.CodeNotFound {
			return false, err
		}
		if waits {
			return true, nil
		}
	}
	return false, nil
}

func (s *Service) useWaits(ctx context.Context, sessionID string, use model.ChatPart) (bool, error) {
	switch {
	case use.Name == toolAsk:
		item, err := s.o.Inbox.Find(ctx, model.ItemQuestion, use.UseID)
		return err == nil && !takenBack(item), err
	case use.CallID != "":
		call, err := s.o.Calls.Get(ctx, use.CallID)
		if err != nil || call.State != model.CallWaitingApproval {
			return false, err
		}
		item, err := s.o.Inbox.Find(ctx, model.ItemApproval, use.CallID)
		return !takenBack(item), err
	case use.FrameID != "":
		f, err := s.frame(ctx, sessionID, use.FrameID)
		if err != nil || f.State != model.FrameOpen {
			return false, err
		}
		return s.waits(ctx, f)
	}
	return false, nil
}

// takenBack says that an item ended without the person's answer: they had stopped the
// turn when Kontor ended.
func takenBack(item model.Item) bool {
	return item.Resolution != nil && item.Resolution.Action == model.ActionCancel
}

// interrupt ends a turn that nothing is left of. The caller holds the chat's lock.
func (s *Service) interrupt(ctx context.Context, chat model.ChatSession, root model.Frame) error {
	t := &turn{s: s, id: chat.TurnID, root: root, ctx: ctx}
	w := &work{t: t, frame: root, agent: s.agent(chat.Agent)}
	rows, err := w.rows(ctx)
	if err != nil {
		return err
	}
	if err := w.abandon(ctx, rows); err != nil {
		return err
	}
	e := model.TurnEnded{SessionID: chat.ID, TurnID: chat.TurnID, State: turnInterrupted}
	if i := lastAnswer(rows); i >= 0 && rows[i].TurnID == chat.TurnID && !unanswered(rows) {
		switch {
		case rows[i].Finish == finishFailed:
			e.State, e.Error = turnFailed, rows[i].Error
		case rows[i].Finish != finishStopped && len(usesOf(rows[i])) == 0:
			e.State = turnDone // only that had not been recorded yet
		}
	}
	s.ended(root, e)
	return nil
}

// abandon gives the open uses of a frame the results that they have come to, and ends
// its sub-agents.
func (w *work) abandon(ctx context.Context, rows []model.ChatMessage) error {
	for _, use := range openUses(rows) {
		r, err := w.abandoned(ctx, use)
		if err == nil {
			err = w.addResult(use, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *work) abandoned(ctx context.Context, use model.ChatPart) (reply, error) {
	if use.FrameID == "" || use.CallID != "" {
		return w.settled(ctx, use)
	}
	f, err := w.t.s.frame(ctx, w.frame.SessionID, use.FrameID)
	if err != nil || f.State != model.FrameOpen {
		return w.settledFrame(ctx, use)
	}
	sub := &work{t: w.t, frame: f, agent: w.t.s.agent(f.Agent)}
	rows, err := sub.rows(ctx)
	if err == nil {
		err = sub.abandon(ctx, rows)
	}
	if err == nil {
		err = w.t.s.endFrame(f, model.FrameStopped)
	}
	return refusal(wasCut), err
}
