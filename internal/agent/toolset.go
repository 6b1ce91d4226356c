package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/model"
)

// States of a group beside those of a server.
const (
	groupReady      = string(model.ServerReady)
	groupDisabled   = string(model.ServerDisabled)
	groupNotAllowed = "not_allowed"
)

// group is the tools that are switched on and off together. What is listed, what is
// searched and what can be called all come from the groups that are usable.
type group struct {
	model.ToolGroup
	tools []model.Tool
}

// usable says that the group may be switched on. A server that isn't connected now
// keeps its place: to call a tool of it dials, and a list that came and went with the
// connection would have a provider read the whole conversation anew each time.
func (g group) usable() bool { return g.State != groupDisabled && g.State != groupNotAllowed }

// hash tells what a group offers from what it offered before.
func (g group) hash() string {
	h := sha256.New()
	for _, t := range g.tools {
		for _, s := range []string{t.Name, t.Description, string(t.InputSchema)} {
			h.Write([]byte(s))
			h.Write([]byte{0})
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// groups are all that there are, by name, with those of Kontor's own tools last.
func (s *Service) groups(a agents.Agent, granted []string) []group {
	var out []group
	for _, server := range s.o.Servers.Servers() {
		c := server.Config
		g := group{tools: s.o.Catalogue.Offered(c.Name), ToolGroup: model.ToolGroup{
			Name: c.Name, Title: c.Title(), Description: c.Description, State: string(server.Status.State),
		}}
		if e := server.Status.LastError; e != nil && g.State != groupReady {
			g.Reason = e.Message
		}
		if !c.Enabled {
			g.State, g.Reason, g.tools = groupDisabled, "The server is switched off.", nil
		}
		out = append(out, g)
	}
	out = append(out, group{tools: s.o.Config, ToolGroup: model.ToolGroup{
		Name: model.GroupConfig, Title: "Kontor’s settings", State: groupReady,
		Description: "Kontor's own settings: add, switch and delete servers, store secrets",
	}})
	for i := range out {
		g := &out[i]
		if a.Groups != nil && !slices.Contains(a.Groups, g.Name) {
			g.State, g.Reason, g.tools = groupNotAllowed, "The agent "+a.Name+" may not use it.", nil
		}
		g.Active = g.usable() && slices.Contains(granted, g.Name)
		g.ToolGroup.Tools = len(g.tools)
		for _, t := range g.tools {
			g.Tokens += t.Tokens
		}
	}
	return out
}

// searchable are the tools that can be called, if need be after their group has been
// switched on.
func searchable(groups []group) []model.Tool {
	var out []model.Tool
	for _, g := range groups {
		if g.usable() {
			out = append(out, g.tools...)
		}
	}
	return out
}

// offered are the tools that can be called now.
func offered(groups []group) []model.Tool {
	var out []model.Tool
	for _, g := range groups {
		if g.Active {
			out = append(out, g.tools...)
		}
	}
	return out
}

// find returns the group of a name.
func find(groups []group, name string) (group, bool) {
	for _, g := range groups {
		if g.Name == name {
			return g, true
		}
	}
	return group{}, false
}
