package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

// offer is what one request offers: the built-in tools and those of the groups that
// are on.
type offer struct {
	groups []group
	tools  []llm.Tool
	// byName has the servers' tools and the config tools by their names to the model.
	byName map[string]callable
}

type callable struct {
	tool    model.Tool
	adapted toolschema.Adapted
}

func newOffer(groups []group, builtins []builtin, rules toolschema.Rules, kept *definitions) offer {
	o := offer{groups: groups, byName: map[string]callable{}}
	for _, b := range builtins {
		o.tools = append(o.tools, llm.Tool{Name: b.name, Description: b.description, Schema: b.schema})
	}
	for _, t := range offered(groups) {
		name := modelName(t.FullName())
		d := kept.of(t, rules)
		o.byName[name] = callable{tool: t, adapted: d.adapted}
		o.tools = append(o.tools, llm.Tool{Name: name, Description: d.description, Schema: d.adapted.Schema})
	}
	return o
}

// modelName is what a model calls a tool. Kontor's own have no prefix there.
func modelName(full string) string {
	if server, tool, ok := model.SplitToolName(full); ok && server == model.GroupConfig {
		return tool
	}
	return model.ToolAlias(full)
}

// realName is what a person knows a tool by that a model calls name.
func (o offer) realName(name string) string {
	if c, ok := o.byName[name]; ok {
		return c.tool.FullName()
	}
	for _, g := range o.groups {
		if !g.usable() || (g.Name == model.GroupConfig) == strings.HasPrefix(name, "mcp__") {
			continue
		}
		for _, t := range g.tools {
			if modelName(t.FullName()) == name {
				return t.FullName()
			}
		}
	}
	return name
}

// fit gives arguments as the model wrote them the shape that the server knows. Notes
// say what was mended.
func (c callable) fit(arguments json.RawMessage) (json.RawMessage, []string) {
	return toolschema.Fit(c.tool.InputSchema, c.adapted.Restore(arguments))
}

// missing tells a model why it can't call name, and what it can do.
func (o offer) missing(name string, builtins []string) string {
	server, _, isTool := model.SplitToolName(name)
	for _, t := range searchable(o.groups) {
		if t.FullName() == name || modelName(t.FullName()) == name {
			return fmt.Sprintf("The tool %s was not run: its group %q isn't active. Call %s with {\"groups\": [%q]} first; its tools can be called from then on.",
				name, t.Server, toolActivate, t.Server)
		}
	}
	if g, ok := find(o.groups, server); ok && isTool && !g.usable() {
		return fmt.Sprintf("The tool %s was not run: %s", name, g.Reason)
	}
	names := slices.Clone(builtins)
	for _, t := range searchable(o.groups) {
		names = append(names, modelName(t.FullName()))
	}
	return fmt.Sprintf("There is no tool %q; nothing was run.%s", strings.ToValidUTF8(clip(name, 200), ""), near(name, names))
}

// offeredPart records which groups a request offered.
func (o offer) part() model.ChatPart {
	p := model.ChatPart{Kind: model.PartNote, Code: hiddenOffered}
	for _, g := range o.groups {
		if g.Active {
			p.Notes = append(p.Notes, g.Name+":"+g.hash())
		}
	}
	return p
}

// changes says in words how what is offered differs from what the last request
// offered; "" when it doesn't. Groups that were switched on or off since are none of
// it: who did that has told the model.
func (o offer) changes(rows []model.ChatMessage) string {
	var lines []string
	for _, entry := range lastOffered(rows) {
		name, hash, _ := strings.Cut(entry, ":")
		g, ok := find(o.groups, name)
		switch {
		case !ok:
			lines = append(lines, fmt.Sprintf("The server %s is no longer there, and neither are its tools.", name))
		case !g.usable():
			lines = append(lines, fmt.Sprintf("The tools of %s can't be called any more: %s", name, g.Reason))
		case g.Active && g.hash() != hash:
			lines = append(lines, fmt.Sprintf("The tools of %s have changed: look at them anew before you call one.", name))
		}
	}
	return strings.Join(lines, "\n")
}

// lastOffered are the groups that the last request offered, each as group:hash.
func lastOffered(rows []model.ChatMessage) []string {
	for _, m := range slices.Backward(rows) {
		if p, ok := part(m, hiddenOffered); ok {
			return p.Notes
		}
	}
	return nil
}

// clip cuts a text to n bytes at most, between characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}
