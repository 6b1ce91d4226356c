package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kontor.dev/kontor/internal/model"
)

// reachLimit is how long to switch a group on may wait for its server.
const reachLimit = 20 * time.Second

func activateTool() builtin {
	return builtin{
		name:        toolActivate,
		description: "Loads the tools of one or more groups. They can be called from your next step on.",
		schema:      json.RawMessage(`{"type":"object","properties":{"groups":{"type":"array","items":{"type":"string"},"description":"names of groups"}},"required":["groups"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct {
				Groups []string `json:"groups"`
			}](use)
			if err != nil {
				return reply{}, err
			}
			groups, err := w.groups(ctx)
			if err != nil {
				return reply{}, err
			}
			said, err := w.t.s.activate(ctx, w.frame, groups, in.Groups)
			if err != nil {
				return reply{}, err
			}
			return w.t.s.cut(said)
		},
	}
}

func searchTool() builtin {
	return builtin{
		name:        toolSearch,
		description: "Finds tools by words, also in groups that aren't active, and names the group to activate.",
		schema:      json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct {
				Query string `json:"query"`
			}](use)
			if err != nil {
				return reply{}, err
			}
			groups, err := w.groups(ctx)
			if err != nil {
				return reply{}, err
			}
			hits, err := w.t.s.o.Search.Search(ctx, in.Query, searchable(groups))
			if err != nil {
				return reply{}, err
			}
			if len(hits) == 0 {
				return text("No tool fits %q. Try other words, or fewer.", clip(in.Query, 200)), nil
			}
			var b strings.Builder
			for _, h := range hits {
				state := fmt.Sprintf("activate %q to call it", h.Tool.Server)
				if g, ok := find(groups, h.Tool.Server); ok && g.Active {
					state = "active"
				}
				fmt.Fprintf(&b, "- %s (%s): %s\n", modelName(h.Tool.FullName()), state, h.Line)
			}
			return text("%s", strings.TrimSuffix(b.String(), "\n")), nil
		},
	}
}

// groups are the frame's, as they are now.
func (w *work) groups(ctx context.Context) ([]group, error) {
	granted, err := w.t.s.o.Store.Grants(ctx, w.frame)
	return w.t.s.groups(w.agent, granted), err
}
