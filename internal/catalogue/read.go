package catalogue

import (
	"slices"

	"kontor.dev/kontor/internal/model"
)

// Filter chooses tools; the zero value takes all.
type Filter struct {
	// Server takes the tools of one server only.
	Server string
	// Offered leaves out what no model may be offered: disabled tools, those of
	// disabled servers, and those that only an app may call.
	Offered bool
}

// Tools lists tools by server name, each server's in its own order. The schemas
// are shared and must not be changed.
func (c *Catalogue) Tools(f Filter) []model.Tool {
	tools, prices := c.shelved(f)
	for i := range tools {
		tools[i].Tokens = prices[i].of(tools[i], c.o.Price)
	}
	return tools
}

func (c *Catalogue) shelved(f Filter) (tools []model.Tool, prices []*price) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.each(f.Server, func(s *shelf) {
		for i, t := range s.tools {
			if !f.Offered || t.Enabled && s.config.Enabled && !t.AppOnly {
				tools, prices = append(tools, t), append(prices, s.prices[i])
			}
		}
	})
	return tools, prices
}

// Resources lists the resources of one server, or of all with "".
func (c *Catalogue) Resources(server string) []Resource {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []Resource
	c.each(server, func(s *shelf) { out = append(out, s.resources...) })
	return out
}

// Templates lists the resource templates of one server, or of all with "".
func (c *Catalogue) Templates(server string) []Template {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []Template
	c.each(server, func(s *shelf) { out = append(out, s.templates...) })
	return out
}

// Prompts lists the prompts of one server, or of all with "".
func (c *Catalogue) Prompts(server string) []Prompt {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []Prompt
	c.each(server, func(s *shelf) { out = append(out, s.prompts...) })
	return out
}

// Listed tells whether a server's tools are known: a tool that is missing from
// them then doesn't exist.
func (c *Catalogue) Listed(server string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	s := c.servers[server]
	return s != nil && !s.listedAt.IsZero()
}

// Known tells whether a server is configured.
func (c *Catalogue) Known(server string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.servers[server] != nil
}

func (c *Catalogue) each(server string, visit func(*shelf)) {
	if server != "" {
		if s := c.servers[server]; s != nil {
			visit(s)
		}
		return
	}
	names := c.names()
	slices.Sort(names)
	for _, name := range names {
		visit(c.servers[name])
	}
}
