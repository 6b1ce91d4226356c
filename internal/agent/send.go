package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Send stores a message of the person and returns the turn that takes it: a new one,
// or the one that is on its way, which takes it at its next step.
func (s *Service) Send(ctx context.Context, id string, m model.Sending) (string, error) {
	_, root, err := s.root(ctx, id)
	if err != nil {
		return "", err
	}
	parts, err := s.attached(ctx, m)
	if err != nil {
		return "", err
	}
	if len(parts) == 0 {
		return "", model.Errorf(model.CodeInvalid, "the message is empty")
	}
	t, unlock, err := s.hold(ctx, id)
	if err != nil {
		return "", err
	}
	defer unlock()
	chat, err := s.o.Store.Chat(ctx, id)
	if err != nil {
		return "", err
	}
	message := model.ChatMessage{SessionID: id, FrameID: root.ID, Root: true, Role: model.RoleUser, Parts: parts}
	if t != nil {
		if m.Replace != "" {
			return "", model.Errorf(model.CodeConflict, "a turn is on its way: stop it before you send another message in the place of this one")
		}
		message.TurnID, t.more = t.id, true
		return t.id, s.add(ctx, message)
	}
	w, err := s.able(ctx, chat)
	if err != nil {
		return "", err
	}
	if m.Replace != "" {
		if chat, err = s.replace(ctx, chat, root, m.Replace); err != nil {
			return "", err
		}
	}
	return s.sendFirst(ctx, chat, root, message, w)
}

// sendFirst stores the message that a turn begins with. The system prompt goes before
// it, so that the message can be taken back without it.
func (s *Service) sendFirst(ctx context.Context, chat model.ChatSession, root model.Frame, m model.ChatMessage, w *work) (string, error) {
	granted, err := s.o.Store.Grants(ctx, root)
	if err != nil {
		return "", err
	}
	rows, err := s.o.Store.Transcript(ctx, root.ID, chat.SummaryID)
	if err != nil {
		return "", err
	}
	if err := s.ensurePrompt(ctx, root, w.agent, s.groups(w.agent, granted), rows); err != nil {
		return "", err
	}
	chat.TurnID = newID()
	m.ID, m.TurnID = newID(), chat.TurnID
	if err := s.add(ctx, m); err != nil {
		return "", err
	}
	if !chat.Named && chat.Title == "" {
		chat.Title = firstWords(m)
	}
	chat.ElidedBefore = elideBefore(append(rows, m), chat.ElidedBefore)
	return s.start(ctx, chat, root, w)
}

func (s *Service) start(ctx context.Context, chat model.ChatSession, root model.Frame, w *work) (string, error) {
	t, err := s.begin(ctx, chat, root, w)
	if err != nil {
		return "", err
	}
	s.tell(chat.ID)
	return t.id, nil
}

// able makes sure that somebody can answer in a chat.
func (s *Service) able(ctx context.Context, chat model.ChatSession) (*work, error) {
	w := &work{agent: s.agent(chat.Agent)}
	if w.agent.Prompt == "" {
		return nil, model.Errorf(model.CodeInvalid, "the agent of this chat can't be used: %s", w.agent.Problem)
	}
	_, _, err := s.o.Models.Provider(ctx, modelOf(chat, w))
	return w, err
}

// replace takes a message of the person, and all that followed, off the chat.
func (s *Service) replace(ctx context.Context, chat model.ChatSession, root model.Frame, messageID string) (model.ChatSession, error) {
	rows, err := s.o.Store.Transcript(ctx, root.ID, "")
	if err != nil {
		return chat, err
	}
	if !slices.ContainsFunc(rows, func(m model.ChatMessage) bool { return m.ID == messageID && m.Role == model.RoleUser }) {
		return chat, model.Errorf(model.CodeNotFound, "there is no message %q of yours in this chat", messageID)
	}
	return s.takeBack(ctx, chat, messageID)
}

// takeBack takes what was said from a message on off a chat, which is as it was before
// then.
func (s *Service) takeBack(ctx context.Context, chat model.ChatSession, from string) (model.ChatSession, error) {
	if err := s.o.Store.ReplaceFrom(ctx, chat.ID, from, now()); err != nil {
		return chat, err
	}
	if chat.SummaryID >= from {
		chat.SummaryID = "" // the one before is found among all rows
	}
	if chat.ElidedBefore > from {
		chat.ElidedBefore = ""
	}
	if err := s.o.Store.UpdateChat(ctx, chat); err != nil {
		return chat, err
	}
	s.publish(model.MessagesReplaced{SessionID: chat.ID, From: from})
	return chat, nil
}

// Retry answers anew: an answer that failed or was stopped where it began, a whole one
// from the person's last message on. A turn that was interrupted goes on, and so does
// an answer that reached its limit.
func (s *Service) Retry(ctx context.Context, id string) (string, error) {
	_, root, err := s.root(ctx, id)
	if err != nil {
		return "", err
	}
	t, unlock, err := s.hold(ctx, id)
	if err != nil {
		return "", err
	}
	defer unlock()
	chat, err := s.o.Store.Chat(ctx, id)
	if err != nil {
		return "", err
	}
	if t != nil {
		return "", model.Errorf(model.CodeConflict, "a turn is on its way already")
	}
	w, err := s.able(ctx, chat)
	if err != nil {
		return "", err
	}
	rows, err := s.o.Store.Transcript(ctx, root.ID, chat.SummaryID)
	if err != nil {
		return "", err
	}
	from, ok := retryFrom(rows)
	if !ok {
		return "", model.Errorf(model.CodeConflict, "there is nothing to answer in this chat yet")
	}
	if from != "" {
		if chat, err = s.takeBack(ctx, chat, from); err != nil {
			return "", err
		}
	}
	return s.start(ctx, chat, root, w)
}

// retryFrom is the row from which on a retry takes back, "" where it only goes on;
// false when nobody has said anything.
func retryFrom(rows []model.ChatMessage) (from string, ok bool) {
	i := lastAnswer(rows)
	user := -1
	for j, m := range rows {
		if m.Role == model.RoleUser || m.Role == model.RoleSummary && textOf(m) != "" {
			user = j
		}
	}
	switch {
	case user < 0:
		return "", false
	case i < user:
		return "", true
	case rows[i].Finish == finishFailed || rows[i].Finish == finishStopped:
		return rows[i].ID, true
	case len(usesOf(rows[i])) > 0 || rows[i].Finish == string(llm.ReasonLength):
		return "", true
	}
	return rows[user+1].ID, true
}

// firstWords are a title for a chat that begins with m.
func firstWords(m model.ChatMessage) string {
	const most = 60
	words := strings.Join(strings.Fields(textOf(m)), " ")
	if words == "" && len(m.Parts) > 0 {
		words = cmp.Or(m.Parts[0].Name, m.Parts[0].URI)
	}
	return shorten(words, most)
}

// shorten cuts a line to about most bytes, between words.
func shorten(words string, most int) string {
	if len(words) <= most {
		return words
	}
	cut := clip(words, most)
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
