package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/agent/outcome"
	"kontor.dev/kontor/internal/model"
)

// SetGrants switches the groups of a chat on and off, for its root agent. Once the
// model has been told what is on, a change is told it too.
func (s *Service) SetGrants(ctx context.Context, id string, groups []string) (model.ChatView, error) {
	chat, root, err := s.root(ctx, id)
	if err != nil {
		return model.ChatView{}, err
	}
	a := s.agent(chat.Agent)
	defer s.lock(id)()
	before, err := s.o.Store.Grants(ctx, root)
	if err != nil {
		return model.ChatView{}, err
	}
	known := s.groups(a, groups)
	for _, name := range groups {
		g, ok := find(known, name)
		switch {
		case !ok:
			return model.ChatView{}, model.Errorf(model.CodeNotFound, "there is no tool group %q", name)
		case g.State == groupNotAllowed:
			return model.ChatView{}, model.Errorf(model.CodeDenied, "%s: %s", name, g.Reason)
		}
	}
	if err := s.o.Store.SetGrants(ctx, root, unique(groups)); err != nil {
		return model.ChatView{}, err
	}
	if err := s.tellGrants(ctx, root, before, groups); err != nil {
		return model.ChatView{}, err
	}
	if err := s.reprice(ctx, id, switched(known, before)); err != nil {
		return model.ChatView{}, err
	}
	return s.moved(ctx, id)
}

// reprice has the meter of a chat show what was switched since its last request. The
// caller holds the chat's lock.
func (s *Service) reprice(ctx context.Context, id string, tokens int) error {
	chat, err := s.o.Store.Chat(ctx, id)
	if err != nil || chat.ContextUsed == 0 || tokens == 0 {
		return err
	}
	chat.ContextUsed = max(chat.ContextUsed+tokens, 0)
	return s.o.Store.UpdateChat(ctx, chat)
}

// tellGrants leaves the model a note about what the person switched.
func (s *Service) tellGrants(ctx context.Context, root model.Frame, before, after []string) error {
	var lines []string
	switched := model.Switched{On: minus(after, before), Off: minus(before, after)}
	if len(switched.On) > 0 {
		lines = append(lines, "The person switched on: "+strings.Join(switched.On, ", ")+".")
	}
	if len(switched.Off) > 0 {
		lines = append(lines, "The person switched off: "+strings.Join(switched.Off, ", ")+". These tools can't be called any more.")
	}
	rows, _, err := s.o.Store.ListMessages(ctx, model.MessageFilter{SessionID: root.SessionID, Limit: 1})
	if err != nil || len(rows) == 0 || len(lines) == 0 {
		return err
	}
	return s.noted(ctx, root, "", model.ChatPart{Code: NoteGroups, Text: strings.Join(lines, " "), Switched: &switched})
}

// grant switches groups on for a frame and returns those that are on then.
func (s *Service) grant(ctx context.Context, f model.Frame, groups []string) error {
	defer s.lock(f.SessionID)()
	have, err := s.o.Store.Grants(ctx, f)
	if err != nil {
		return err
	}
	more := minus(groups, have)
	if len(more) == 0 {
		return nil
	}
	return s.o.Store.SetGrants(ctx, f, append(have, more...))
}

// note stores Kontor's word in a frame.
func (s *Service) note(ctx context.Context, f model.Frame, turnID, code, text string) error {
	return s.noted(ctx, f, turnID, model.ChatPart{Code: code, Text: text})
}

func (s *Service) noted(ctx context.Context, f model.Frame, turnID string, p model.ChatPart) error {
	p.Kind = model.PartNote
	return s.add(ctx, model.ChatMessage{
		SessionID: f.SessionID, FrameID: f.ID, TurnID: turnID, Root: f.ParentID == "", Role: model.RoleNote,
		Parts: []model.ChatPart{p},
	})
}

func minus(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func unique(a []string) []string { return minus(a, nil) }

// activate switches groups on for a frame, and says for each what came of it.
func (s *Service) activate(ctx context.Context, f model.Frame, groups []group, names []string) (string, error) {
	var lines, on []string
	var all []string
	for _, g := range groups {
		all = append(all, g.Name)
	}
	for _, name := range unique(names) {
		state, words := "unknown", "there is no such group."+near(name, all)
		if g, ok := find(groups, name); ok {
			state, words = s.activated(ctx, g)
		}
		if state == "activated" {
			on = append(on, name)
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", clip(name, 100), state, words))
	}
	if len(on) > 0 {
		if err := s.grant(context.WithoutCancel(ctx), f, on); err != nil {
			return "", err
		}
		if f.ParentID == "" {
			s.tell(f.SessionID)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// maxReason is how much a model reads of why a server can't be reached, in bytes: a
// part of it may be the server's words.
const maxReason = 1 << 10

// activated says what comes of switching a group on. A server that isn't connected
// is dialled: what it offers may have changed since it was seen last.
func (s *Service) activated(ctx context.Context, g group) (state, words string) {
	switch {
	case g.Active:
		return "already_active", "its tools can be called."
	case !g.usable():
		return g.State, g.Reason
	}
	if g.State != groupReady {
		ctx, cancel := context.WithTimeout(ctx, reachLimit)
		defer cancel()
		err := s.o.Servers.Reach(ctx, g.Name)
		switch code := model.CodeOf(err); {
		case err == nil:
			g.tools = s.o.Catalogue.Offered(g.Name)
		case code == model.CodeNeedsSignIn:
			return "needs_sign_in", "the person has to sign in to it first; a request to do so is in their inbox. Ask them, or go on without it."
		case ctx.Err() != nil:
			return "unavailable", "it isn't connected yet; try again later."
		default:
			return "unavailable", outcome.Visible(clip(err.Error(), maxReason))
		}
	}
	if len(g.tools) == 0 {
		return "activated", "it offers no tools."
	}
	var names []string
	for _, t := range g.tools {
		names = append(names, modelName(t.FullName()))
	}
	return "activated", fmt.Sprintf("%d tools can be called from now on: %s", len(names), strings.Join(names, ", "))
}
