package agent

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"kontor.dev/kontor/internal/model"
)

// How a turn ended.
const (
	turnDone        = "done"
	turnStopped     = "stopped"
	turnFailed      = "failed"
	turnInterrupted = "interrupted"
)

// errStopped ends what a turn does when the person stops it.
var errStopped = model.Errorf(model.CodeCancelled, "stopped by the person")

// turn is one way from a message of the person to the end of the answer.
type turn struct {
	s    *Service
	id   string
	root model.Frame
	// ctx ends when the person stops the turn.
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{}
	// more says that the person said something that no request has held yet. It is
	// guarded by the chat's lock.
	more bool
	// dispatched counts its sub-agents.
	dispatched atomic.Int64

	mu     sync.Mutex
	drafts map[string]*draft // by frame
}

// begin starts a turn, or goes on with one of before a restart. The caller holds the
// chat's lock and has stored what there is to answer.
func (s *Service) begin(ctx context.Context, chat model.ChatSession, root model.Frame, w *work) (*turn, error) {
	t := &turn{s: s, id: chat.TurnID, root: root, done: make(chan struct{}), drafts: map[string]*draft{}}
	if t.id == "" {
		t.id = newID()
	}
	chat.TurnID, chat.UpdatedAt = t.id, now()
	if err := s.o.Store.UpdateChat(ctx, chat); err != nil {
		return nil, err
	}
	t.ctx, t.cancel = context.WithCancelCause(context.Background())
	w.t, w.frame = t, root
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pausing.Err() != nil {
		t.cancel(nil)
		return nil, model.Errorf(model.CodeServerUnavailable, "Kontor is stopping and begins no new turns")
	}
	s.turns[chat.ID] = t
	s.publish(model.TurnStarted{SessionID: chat.ID, TurnID: t.id})
	s.running.Go(func() { t.run(w) })
	return t, nil
}

// run works until the model stops and the person has said nothing since.
func (t *turn) run(w *work) {
	defer close(t.done)
	defer t.cancel(nil)
	for {
		err := w.run(t.ctx)
		if t.end(err) {
			return
		}
	}
}

// end records the end of the turn; false when there is more to answer. A turn that
// ends because Kontor stops is recorded nowhere: Recover decides.
func (t *turn) end(err error) bool {
	defer t.s.lock(t.root.SessionID)()
	stopped := context.Cause(t.ctx) == error(errStopped)
	if t.s.pausing.Err() != nil && !stopped {
		t.s.drop(t)
		return true
	}
	if err == nil && t.more && !stopped {
		return false
	}
	e := model.TurnEnded{SessionID: t.root.SessionID, TurnID: t.id, State: turnDone}
	switch {
	case stopped:
		e.State = turnStopped
	case err != nil:
		e.State, e.Error = turnFailed, problem(err)
	}
	t.s.ended(t.root, e)
	t.s.drop(t)
	if e.State == turnDone {
		t.s.entitle(t.root.SessionID)
	}
	return true
}

// drop forgets a turn.
func (s *Service) drop(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.turns, t.root.SessionID)
}

// ended records that a chat has no turn any more, and tells it. The caller holds the
// chat's lock.
func (s *Service) ended(root model.Frame, e model.TurnEnded) {
	ctx := context.Background()
	text := map[string]string{
		turnStopped:     "The person stopped the turn here.",
		turnInterrupted: "Kontor was restarted, and the turn ended here. What had not been answered by then was not done.",
	}[e.State]
	if text != "" {
		if err := s.note(ctx, root, e.TurnID, e.State, text); err != nil {
			s.o.Log.Error("the end of a turn can't be noted", "chat", root.SessionID, "err", err)
		}
	}
	chat, err := s.o.Store.Chat(ctx, root.SessionID)
	if err == nil {
		chat.TurnID, chat.UpdatedAt = "", now()
		err = s.o.Store.UpdateChat(ctx, chat)
	}
	if err != nil {
		s.o.Log.Error("the end of a turn can't be recorded", "chat", root.SessionID, "err", err)
	}
	s.publish(e)
	s.tell(root.SessionID)
}

// problem is an error in words.
func problem(err error) *model.Error {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e
	}
	return &model.Error{Code: model.CodeInternal, Message: "Kontor could not go on: " + err.Error(), Err: err}
}

// startDraft has what a frame's model writes shown until it is stored.
func (t *turn) startDraft(d *draft) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drafts[d.message.FrameID] = d
}

func (t *turn) endDraft(d *draft) {
	d.end()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.drafts, d.message.FrameID)
}

// snapshots are the messages that are being written.
func (t *turn) snapshots() []model.ChatMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []model.ChatMessage
	for _, d := range t.drafts {
		out = append(out, d.snapshot())
	}
	return out
}
