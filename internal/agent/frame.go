package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/model"
)

const (
	// maxDepth is how deep agents may dispatch agents: the root is at 0.
	maxDepth = 5
	// maxDispatched is how many may be dispatched within one turn, at all depths: each
	// costs up to maxRounds requests.
	maxDispatched = 64
)

// dispatch has a sub-agent do a task, in a frame of its own, and gives what it says
// in the end.
func (w *work) dispatch(ctx context.Context, use model.ChatPart, id, task string) (reply, error) {
	a, ok := w.t.s.o.Agents.Get(id)
	if !ok || a.Prompt == "" {
		return refusal(w.noAgent(a, id)), nil
	}
	if w.t.dispatched.Add(1) > maxDispatched {
		return refusal(fmt.Sprintf("Nothing was done: %d agents were dispatched in this turn already, which is as many as there may be. Go on without them.", maxDispatched)), nil
	}
	f := model.Frame{
		ID: use.FrameID, SessionID: w.frame.SessionID, ParentID: w.frame.ID, UseID: use.UseID, Agent: id, Task: task,
		Depth: w.frame.Depth + 1, State: model.FrameOpen, CreatedAt: now(),
	}
	if err := w.t.s.o.Store.InsertFrame(context.WithoutCancel(ctx), f); err != nil {
		return reply{}, err
	}
	w.t.s.publish(model.FrameChanged{Frame: f})
	sub := &work{t: w.t, frame: f, agent: within(a, w.agent)}
	err := w.t.s.ensurePrompt(context.WithoutCancel(ctx), f, sub.agent, w.t.s.groups(sub.agent, nil), nil)
	if err == nil {
		err = sub.add(model.ChatMessage{Role: model.RoleUser, Parts: []model.ChatPart{{Kind: model.PartText, Text: task}}})
	}
	if err != nil {
		return reply{}, errors.Join(err, w.t.s.endFrame(f, model.FrameFailed))
	}
	return w.await(ctx, sub)
}

// noAgent tells a model why there is no such agent.
func (w *work) noAgent(a agents.Agent, id string) string {
	if a.Problem != "" {
		return fmt.Sprintf("The agent %q can't be used: %s", id, a.Problem)
	}
	var ids []string
	for _, a := range w.t.s.o.Agents.List() {
		ids = append(ids, a.ID)
	}
	return fmt.Sprintf("There is no agent %q.%s", clip(id, 100), near(id, ids))
}

// within is an agent that may use no more groups than the one that sends it.
func within(a, by agents.Agent) agents.Agent {
	switch {
	case by.Groups == nil:
	case a.Groups == nil:
		a.Groups = by.Groups
	default:
		a.Groups = slices.DeleteFunc(slices.Clone(a.Groups), func(g string) bool { return !slices.Contains(by.Groups, g) })
	}
	return a
}

// await runs a sub-agent to its end and records it.
func (w *work) await(ctx context.Context, sub *work) (reply, error) {
	err := sub.run(ctx)
	state := model.FrameDone
	switch {
	case err == nil:
	case errors.Is(err, model.ErrStopping):
		return reply{}, model.ErrStopping
	case context.Cause(ctx) != nil:
		state = model.FrameStopped
	default:
		state = model.FrameFailed
	}
	if ended := w.t.s.endFrame(sub.frame, state); ended != nil {
		return reply{}, ended
	}
	if err != nil && state == model.FrameFailed {
		return refusal("The agent " + sub.agent.Name + " failed: " + problem(err).Message), nil
	}
	return w.t.s.concluded(sub.frame, state)
}

// endFrame records how a sub-agent ended. Its grants go with it.
func (s *Service) endFrame(f model.Frame, state model.FrameState) error {
	f.State, f.EndedAt = state, now()
	if err := s.o.Store.UpdateFrame(context.Background(), f); err != nil {
		return err
	}
	s.publish(model.FrameChanged{Frame: f})
	return nil
}

// concluded is what a sub-agent that has ended says in the end.
func (s *Service) concluded(f model.Frame, state model.FrameState) (reply, error) {
	if state == model.FrameStopped {
		return refusal("The agent was stopped before it was done."), nil
	}
	rows, err := s.o.Store.Transcript(context.Background(), f.ID, "")
	if err != nil {
		return reply{}, err
	}
	text := ""
	if i := lastAnswer(rows); i >= 0 {
		text = textOf(rows[i])
	}
	if state == model.FrameFailed {
		return refusal("The agent failed. It had said: " + text), nil
	}
	return s.cut(text)
}
