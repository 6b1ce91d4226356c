package agent

import (
	"slices"
	"strings"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/toolschema"
)

// What no tokenizer counts: the frame of a message, and a picture (about 1,000
// pixels a side, by the providers' own tables).
const (
	messageTokens = 4
	imageTokens   = 1500
)

// tokensOf estimates what a request costs where the provider doesn't say.
func (s *Service) tokensOf(r llm.Request) int {
	n := s.o.Count(r.System)
	for _, t := range r.Tools {
		n += s.o.Count(t.Name + " " + t.Description + " " + string(t.Schema))
	}
	for _, m := range r.Messages {
		n += messageTokens + s.partTokens(m.Parts)
	}
	return n
}

func (s *Service) partTokens(parts []llm.Part) int {
	n := 0
	for _, p := range parts {
		switch p := p.(type) {
		case llm.Text:
			n += s.o.Count(p.Text)
		case llm.Reasoning:
			n += s.o.Count(p.Text)
		case llm.ToolCall:
			n += s.o.Count(p.Name + " " + string(p.Arguments))
		case llm.ToolResult:
			n += messageTokens + s.partTokens(p.Parts)
		case llm.Image:
			n += imageTokens
		}
	}
	return n
}

// tokens is what the servers' tools cost in each request.
func (o offer) tokens() int { return switched(o.groups, nil) }

// switched is what the tools cost, in tokens, that are on and were not when groups, each
// as group:hash, were offered; less than nothing where more were switched off since.
func switched(groups []group, offered []string) int {
	n := 0
	for _, g := range groups {
		was := slices.ContainsFunc(offered, func(entry string) bool {
			name, _, _ := strings.Cut(entry, ":")
			return name == g.Name
		})
		switch {
		case g.Active && !was:
			n += g.Tokens
		case !g.Active && was:
			n -= g.Tokens
		}
	}
	return n
}

// Overhead is what a request costs, in tokens, before anybody has said anything: the
// system prompt and the tools, for a chat with an agent and these groups switched on.
func (s *Service) Overhead(agentID string, granted []string) int {
	w := &work{t: &turn{s: s}, agent: s.agent(agentID)}
	groups := s.groups(w.agent, granted)
	o := newOffer(groups, builtins(w, groups), toolschema.OpenAI(), &s.definitions)
	return s.tokensOf(llm.Request{System: prompt(w.agent, groups), Tools: o.tools})
}
