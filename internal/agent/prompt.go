package agent

import (
	"context"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/llm/untrusted"
	"kontor.dev/kontor/internal/model"
)

// maxGroupWords bounds what the system prompt says about one server, in bytes.
const maxGroupWords = 160

// prompt is an agent's system prompt, with the list of the servers in place of its
// tag. It is made once, stored, and sent as it was from then on: a provider's cache
// holds as long as not a byte changes.
func prompt(a agents.Agent, groups []group) string {
	return strings.ReplaceAll(a.Prompt, agents.ListTag, serverList(groups))
}

// serverList is what the model is told about the groups that it may use.
func serverList(groups []group) string {
	var available, active strings.Builder
	for _, g := range groups {
		switch {
		case g.Active:
			fmt.Fprintf(&active, "- `%s`\n", g.Name)
		case g.usable():
			fmt.Fprintf(&available, "- `%s`: %s\n", g.Name, groupWords(g))
		}
	}
	var b strings.Builder
	b.WriteString("## Tool groups\n\n")
	if available.Len() == 0 && active.Len() == 0 {
		b.WriteString("There are none: no server is configured that you may use.")
		return b.String()
	}
	fmt.Fprintf(&b, "**Available**: call `%s({\"groups\": [\"name\"]})` to load the tools:\n", toolActivate)
	b.WriteString(orNone(available.String()))
	b.WriteString("\n**Active**: tools can be called as `mcp__<name>__<tool>`:\n")
	b.WriteString(strings.TrimSuffix(orNone(active.String()), "\n"))
	return b.String()
}

func orNone(list string) string {
	if list == "" {
		return "- none\n"
	}
	return list
}

// groupWords describes a group in one line: what the person said about it, or the
// names of its first tools.
func groupWords(g group) string {
	words := g.Description
	if strings.TrimSpace(words) == "" {
		var names []string
		for _, t := range g.tools[:min(4, len(g.tools))] {
			names = append(names, t.Name)
		}
		words = strings.Join(names, ", ")
	}
	words = untrusted.Line(words)
	if len(words) > maxGroupWords {
		words = clip(words, maxGroupWords) + "…"
	}
	switch {
	case g.State == string(model.ServerNeedsSignIn):
		return words + " (needs a sign-in by the person)"
	case len(g.tools) == 0:
		return words + " (tools not known yet)"
	}
	return fmt.Sprintf("%s (%d tools)", words, len(g.tools))
}

// ensurePrompt stores the system prompt of a frame that has none, or that of another
// agent.
func (s *Service) ensurePrompt(ctx context.Context, f model.Frame, a agents.Agent, groups []group, rows []model.ChatMessage) error {
	if p, ok := systemPart(rows); ok && p.Name == a.ID {
		return nil
	}
	return s.add(ctx, model.ChatMessage{
		SessionID: f.SessionID, FrameID: f.ID, Root: f.ParentID == "", Role: model.RoleSummary,
		Parts: []model.ChatPart{promptPart(a, groups)},
	})
}

func promptPart(a agents.Agent, groups []group) model.ChatPart {
	return model.ChatPart{Kind: model.PartNote, Code: hiddenSystem, Name: a.ID, Text: prompt(a, groups)}
}

// systemPart is the system prompt that holds at the end of rows.
func systemPart(rows []model.ChatMessage) (model.ChatPart, bool) {
	for i := len(rows) - 1; i >= 0; i-- {
		if p, ok := part(rows[i], hiddenSystem); ok {
			return p, true
		}
	}
	return model.ChatPart{}, false
}
