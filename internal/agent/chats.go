package agent

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

// maxTitle is how long a title may be, in characters.
const maxTitle = 200

// List lists chats, the one that moved last first, without what Get adds.
func (s *Service) List(ctx context.Context, f model.ChatFilter) ([]model.ChatView, string, error) {
	chats, next, err := s.o.Store.ListChats(ctx, f)
	if err != nil {
		return nil, "", err
	}
	waiting := s.waiting()
	views := make([]model.ChatView, len(chats))
	for i, c := range chats {
		views[i] = model.ChatView{ChatSession: c, State: stateOf(c, waiting[c.ID]), Waiting: waiting[c.ID]}
	}
	return views, next, nil
}

// Create begins an empty chat.
func (s *Service) Create(ctx context.Context, c model.ChatSession) (model.ChatView, error) {
	c.ID, c.Agent, c.CreatedAt = newID(), cmp.Or(c.Agent, agents.Main), now()
	c.UpdatedAt = c.CreatedAt
	if err := s.check(ctx, c); err != nil {
		return model.ChatView{}, err
	}
	root := model.Frame{ID: newID(), SessionID: c.ID, Agent: c.Agent, State: model.FrameOpen, CreatedAt: c.CreatedAt}
	if err := s.o.Store.InsertChat(ctx, c, root); err != nil {
		return model.ChatView{}, err
	}
	return s.moved(ctx, c.ID)
}

// check refuses an agent or a language model that isn't there.
func (s *Service) check(ctx context.Context, c model.ChatSession) error {
	if a, ok := s.o.Agents.Get(c.Agent); !ok {
		return model.Errorf(model.CodeNotFound, "there is no agent %q", c.Agent)
	} else if a.Prompt == "" {
		return model.Errorf(model.CodeInvalid, "the agent %q can't be used: %s", c.Agent, a.Problem)
	}
	if utf8.RuneCountInString(c.Title) > maxTitle {
		return model.Errorf(model.CodeInvalid, "the title is longer than %d characters", maxTitle)
	}
	if c.Model == "" {
		return nil
	}
	_, _, err := s.o.Models.Provider(ctx, c.Model)
	return err
}

// Get returns a chat with all but its messages.
func (s *Service) Get(ctx context.Context, id string) (model.ChatView, error) {
	chat, err := s.o.Store.Chat(ctx, id)
	if err != nil {
		return model.ChatView{}, err
	}
	return s.view(ctx, chat)
}

func (s *Service) view(ctx context.Context, chat model.ChatSession) (model.ChatView, error) {
	frames, err := s.o.Store.Frames(ctx, chat.ID)
	if err != nil {
		return model.ChatView{}, err
	}
	waiting := s.waiting()[chat.ID]
	v := model.ChatView{
		ChatSession: chat, State: stateOf(chat, waiting), Waiting: waiting, Frames: frames, Vocabulary: s.o.Vocabulary,
	}
	a := s.agent(chat.Agent)
	_, lm, err := s.o.Models.Provider(ctx, cmp.Or(chat.Model, a.Model))
	if err != nil {
		v.Problem = problem(err)
	}
	v.ContextLimit = lm.ContextTokens
	if len(frames) > 0 {
		granted, err := s.o.Store.Grants(ctx, frames[0])
		if err != nil {
			return model.ChatView{}, err
		}
		for _, g := range s.groups(a, granted) {
			if v.Problem == nil {
				g.Adapted = s.definitions.adapted(g, toolschema.For(lm.Provider, lm.BaseURL))
			}
			v.Groups = append(v.Groups, g.ToolGroup)
		}
	}
	if t := s.turn(chat.ID); t != nil {
		v.Drafts = t.snapshots()
	}
	return v, nil
}

// stateOf is where a chat stands, with so many items that wait for the person.
func stateOf(c model.ChatSession, waiting int) model.ChatState {
	switch {
	case c.TurnID == "":
		return model.ChatIdle
	case waiting > 0:
		return model.ChatWaiting
	}
	return model.ChatRunning
}

// agent is a chat's agent. One that is gone leaves its name, and may use nothing.
func (s *Service) agent(id string) agents.Agent {
	a, ok := s.o.Agents.Get(cmp.Or(id, agents.Main))
	if !ok {
		a.ID, a.Name, a.Groups = id, id, []string{}
		a.Problem = "There is no agent " + id + " any more: choose another one for this chat."
	}
	return a
}

// Change renames a chat, or gives it another agent or language model, which answer
// from the next turn, or step, on.
func (s *Service) Change(ctx context.Context, id string, c model.ChatChange) (model.ChatView, error) {
	_, root, err := s.root(ctx, id)
	if err != nil {
		return model.ChatView{}, err
	}
	defer s.lock(id)()
	chat, err := s.o.Store.Chat(ctx, id)
	if err != nil {
		return model.ChatView{}, err
	}
	// What stays isn't checked: a chat whose agent is gone can still be renamed.
	wanted := model.ChatSession{Agent: agents.Main}
	if c.Title != nil {
		chat.Title = strings.TrimSpace(*c.Title)
		chat.Named = chat.Title != ""
		wanted.Title = chat.Title
	}
	if c.Model != nil {
		chat.Model, wanted.Model = *c.Model, *c.Model
	}
	another := c.Agent != nil && cmp.Or(*c.Agent, agents.Main) != chat.Agent
	if another {
		if s.turn(id) != nil {
			return model.ChatView{}, model.Errorf(model.CodeConflict, "a turn is on its way: stop it before you choose another agent")
		}
		chat.Agent = cmp.Or(*c.Agent, agents.Main)
		wanted.Agent, root.Agent = chat.Agent, chat.Agent
	}
	if err := s.check(ctx, wanted); err != nil {
		return model.ChatView{}, err
	}
	if err := s.o.Store.UpdateChat(ctx, chat); err != nil {
		return model.ChatView{}, err
	}
	if another {
		if err := s.o.Store.UpdateFrame(ctx, root); err != nil {
			return model.ChatView{}, err
		}
	}
	return s.moved(ctx, id)
}

// Delete stops what runs and forgets the chat. Its calls stay.
func (s *Service) Delete(ctx context.Context, id string) error {
	for {
		if err := s.Stop(ctx, id); err != nil {
			return err
		}
		unlock := s.lock(id)
		if s.turn(id) != nil { // another has begun meanwhile
			unlock()
			continue
		}
		err := s.o.Store.DeleteChat(ctx, id)
		unlock()
		if err == nil {
			s.publish(model.ChatRemoved{ID: id})
		}
		return err
	}
}

// Messages are those that the person sees.
func (s *Service) Messages(ctx context.Context, f model.MessageFilter) ([]model.ChatMessage, string, error) {
	rows, next, err := s.o.Store.ListMessages(ctx, f)
	if err != nil {
		return nil, "", err
	}
	out := make([]model.ChatMessage, 0, len(rows))
	for _, m := range rows {
		if m, ok := shown(m); ok {
			out = append(out, m)
		}
	}
	return out, next, nil
}

// Agents are those that a chat can be with.
func (s *Service) Agents(context.Context) []model.AgentInfo {
	var out []model.AgentInfo
	for _, a := range s.o.Agents.List() {
		out = append(out, a.AgentInfo)
	}
	return out
}

// root returns a chat with its root frame.
func (s *Service) root(ctx context.Context, id string) (model.ChatSession, model.Frame, error) {
	chat, err := s.o.Store.Chat(ctx, id)
	if err != nil {
		return chat, model.Frame{}, err
	}
	frames, err := s.o.Store.Frames(ctx, id)
	if err == nil && len(frames) == 0 {
		err = model.Errorf(model.CodeInternal, "the chat %s has no frame", id)
	}
	if err != nil {
		return chat, model.Frame{}, err
	}
	return chat, frames[0], nil
}
