package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Export is a chat as Markdown, its sub-agents' work within it.
func (s *Service) Export(ctx context.Context, id string) (title, markdown string, err error) {
	chat, root, err := s.root(ctx, id)
	if err != nil {
		return "", "", err
	}
	title = cmp.Or(chat.Title, "Chat")
	e := exporter{s: s}
	fmt.Fprintf(&e.b, "# %s\n\n%s, begun %s\n", oneLine(title), s.agent(chat.Agent).Name, chat.CreatedAt.Format("2006-01-02 15:04 MST"))
	err = e.frame(ctx, root.ID, "##")
	return title, e.b.String(), err
}

type exporter struct {
	s *Service
	b strings.Builder
}

func (e *exporter) frame(ctx context.Context, id, level string) error {
	rows, err := e.s.o.Store.Transcript(ctx, id, "")
	if err != nil {
		return err
	}
	for _, m := range rows {
		m, ok := shown(m)
		if !ok {
			continue
		}
		if name := speaker(m); name != "" {
			fmt.Fprintf(&e.b, "\n%s %s\n", level, name)
		}
		for _, p := range m.Parts {
			if err := e.part(ctx, p, level); err != nil {
				return err
			}
		}
		if m.Error != nil {
			fmt.Fprintf(&e.b, "\n> %s\n", oneLine(m.Error.Message))
		}
	}
	return nil
}

// speaker is whose words a message is; empty where they need no heading.
func speaker(m model.ChatMessage) string {
	switch m.Role {
	case model.RoleUser:
		return "You"
	case model.RoleAssistant:
		return cmp.Or(oneLine(m.Model), "Model")
	case model.RoleSummary:
		return "Summary of what came before"
	}
	return ""
}

func (e *exporter) part(ctx context.Context, p model.ChatPart, level string) error {
	switch p.Kind {
	case model.PartText:
		fmt.Fprintf(&e.b, "\n%s\n", strings.TrimSpace(p.Text))
	case model.PartNote:
		fmt.Fprintf(&e.b, "\n> %s\n", strings.ReplaceAll(p.Text, "\n", "\n> "))
	case model.PartToolUse, model.PartCall:
		fmt.Fprintf(&e.b, "\n**%s**\n\n%s", oneLine(p.Name), fenced("json", string(p.Arguments)))
		if p.FrameID != "" {
			return e.frame(ctx, p.FrameID, deeper(level))
		}
	case model.PartToolResult:
		what := "Result"
		if p.IsError {
			what = "Error"
		}
		fmt.Fprintf(&e.b, "\n%s of **%s**:\n\n%s", what, oneLine(p.Name), fenced("", p.Text))
	case model.PartMedia:
		fmt.Fprintf(&e.b, "\nAttached: %s\n", oneLine(p.Name))
	case model.PartResource:
		fmt.Fprintf(&e.b, "\nAttached: %s of %s\n\n%s", oneLine(p.URI), oneLine(p.Server), fenced("", p.Text))
	}
	return nil
}

// fenced is a block that nothing in the text can end.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// deeper is the next level of headings; Markdown has six.
func deeper(level string) string {
	if len(level) < 6 {
		return level + "#"
	}
	return level
}
