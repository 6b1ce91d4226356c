package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/model"
)

func dispatchTool(list []agents.Agent) builtin {
	var words []string
	for _, a := range list {
		if a.Prompt != "" {
			words = append(words, fmt.Sprintf("%s (%s)", a.ID, strings.TrimSuffix(a.Description, ".")))
		}
	}
	return builtin{
		name:        toolDispatch,
		description: "Has another agent do a task and gives its answer. It sees nothing but the task, so put all it needs into it. Agents: " + strings.Join(words, "; "),
		schema:      json.RawMessage(`{"type":"object","properties":{"agent":{"type":"string"},"task":{"type":"string"}},"required":["agent","task"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct{ Agent, Task string }](use)
			if err != nil {
				return reply{}, err
			}
			if strings.TrimSpace(in.Task) == "" {
				return refusal("The task is empty; nothing was done."), nil
			}
			return w.dispatch(ctx, use, in.Agent, in.Task)
		},
	}
}

func resourceTool() builtin {
	return builtin{
		name:        toolResource,
		description: "Reads a resource of an active server.",
		schema:      json.RawMessage(`{"type":"object","properties":{"server":{"type":"string"},"uri":{"type":"string"}},"required":["server","uri"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct{ Server, URI string }](use)
			if err != nil {
				return reply{}, err
			}
			if no, err := w.inactive(ctx, in.Server); no.text != "" || err != nil {
				return no, err
			}
			contents, err := w.t.s.o.Servers.ReadResource(ctx, in.Server, in.URI)
			if err != nil {
				return reply{}, err
			}
			return w.t.s.cut(contentText(contents))
		},
	}
}

func promptTool() builtin {
	return builtin{
		name:        toolPrompt,
		description: "Renders a prompt of an active server.",
		schema: json.RawMessage(`{"type":"object","properties":{"server":{"type":"string"},"name":{"type":"string"},` +
			`"arguments":{"type":"object","additionalProperties":{"type":"string"}}},"required":["server","name"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct {
				Server, Name string
				Arguments    json.RawMessage
			}](use)
			if err != nil {
				return reply{}, err
			}
			if no, err := w.inactive(ctx, in.Server); no.text != "" || err != nil {
				return no, err
			}
			messages, err := w.t.s.o.Servers.GetPrompt(ctx, in.Server, in.Name, in.Arguments)
			if err != nil {
				return reply{}, err
			}
			return w.t.s.cut(promptText(messages))
		},
	}
}

// inactive is the answer to a wish for a server that isn't switched on.
func (w *work) inactive(ctx context.Context, server string) (reply, error) {
	groups, err := w.groups(ctx)
	if err != nil {
		return reply{}, err
	}
	g, ok := find(groups, server)
	switch {
	case ok && g.Active && server != model.GroupConfig:
		return reply{}, nil
	case ok && !g.usable():
		return refusal(g.Reason), nil
	case ok:
		return refusal(fmt.Sprintf("The group %q isn't active: call %s first.", server, toolActivate)), nil
	}
	var names []string
	for _, g := range groups {
		names = append(names, g.Name)
	}
	return refusal(fmt.Sprintf("There is no server %q.%s", clip(server, 100), near(server, names))), nil
}

// promptText is a prompt's messages, one after the other.
func promptText(messages []PromptMessage) string {
	var out []string
	for _, m := range messages {
		out = append(out, m.Role+": "+contentText([]model.Content{m.Content}))
	}
	return strings.Join(out, "\n\n")
}

// contentText is content as text: what isn't text is named, with its address.
func contentText(contents []model.Content) string {
	var out []string
	for _, c := range contents {
		switch {
		case c.Media != nil:
			out = append(out, fmt.Sprintf("[%s, %s, %d bytes: %s]", cmp.Or(c.URI, string(c.Kind)), c.Media.MIMEType, c.Media.Size, c.Media.URL))
		case c.Text != "":
			out = append(out, c.Text)
		case c.URI != "":
			out = append(out, fmt.Sprintf("[link: %s %s]", c.Name, c.URI))
		case c.Problem != "":
			out = append(out, "["+c.Problem+"]")
		case len(c.Raw) > 0:
			out = append(out, string(c.Raw))
		}
	}
	return strings.Join(out, "\n")
}
