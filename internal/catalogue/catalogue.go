package catalogue

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Catalogue holds what every configured server offers. It is safe for
// concurrent use.
type Catalogue struct {
	publish func(model.Event)
	now     func() time.Time

	mu      sync.RWMutex
	servers map[string]*shelf
	aliases map[string]toolKey
}

// shelf is one server's part of the catalogue. Its slices are replaced, never
// changed, so that readers may keep them.
type shelf struct {
	config    model.Server
	listed    bool                                 // the tools were listed at least once
	sums      map[model.ListKind][sha256.Size]byte // of the lists as sent
	tools     []model.Tool
	index     map[string]int // by the tool's own name
	resources []Resource
	templates []Template
	prompts   []Prompt
}

type toolKey struct{ server, tool string }

// New makes an empty catalogue. publish gets CatalogueChanged, outside of locks.
func New(publish func(model.Event)) *Catalogue {
	return &Catalogue{
		publish: publish,
		now:     time.Now,
		servers: map[string]*shelf{},
		aliases: map[string]toolKey{},
	}
}

// Configure tells which of a server's tools the person offers. A server that
// the catalogue doesn't know yet gets an empty place, which is not news.
func (c *Catalogue) Configure(server model.Server) {
	if c.configure(server) {
		c.publish(model.CatalogueChanged{Server: server.Name})
	}
}

func (c *Catalogue) configure(server model.Server) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.servers[server.Name]
	if s == nil {
		c.servers[server.Name] = &shelf{config: server, sums: map[model.ListKind][sha256.Size]byte{}}
		return false
	}
	s.config = server
	tools := slices.Clone(s.tools)
	for i := range tools {
		enabled := server.ToolEnabled(tools[i].Name)
		changed = changed || enabled != tools[i].Enabled
		tools[i].Enabled = enabled
	}
	s.tools = tools
	return changed
}

// Remove forgets a deleted server.
func (c *Catalogue) Remove(server string) {
	c.mu.Lock()
	s := c.servers[server]
	delete(c.servers, server)
	if s != nil {
		c.dropAliases(s)
	}
	c.mu.Unlock()
	if s != nil {
		c.publish(model.CatalogueChanged{Server: server})
	}
}

// Replace sets one of a server's lists to what it listed now. It returns how
// many entries are kept and what was cut, left out or odd. The same list again
// is not news. Lists of a server that is not configured are ignored: it was
// deleted meanwhile.
func (c *Catalogue) Replace(server string, kind model.ListKind, items []json.RawMessage) (kept int, warnings []model.Warning) {
	kept, warnings, changed := c.replace(server, kind, items)
	if changed {
		c.publish(model.CatalogueChanged{Server: server})
	}
	return kept, warnings
}

func (c *Catalogue) replace(server string, kind model.ListKind, items []json.RawMessage) (kept int, w []model.Warning, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.servers[server]
	if s == nil {
		return 0, nil, false
	}
	sum := sumOf(items)
	old, known := s.sums[kind]
	changed = old != sum && (known || len(items) > 0)
	switch kind {
	case model.ListTools:
		w = c.replaceTools(s, items)
		changed = changed || !s.listed
		s.listed = true
		kept = len(s.tools)
	case model.ListResources:
		s.resources, w = parseEntries(items, "resource", parseResource(server))
		kept = len(s.resources)
	case model.ListTemplates:
		s.templates, w = parseEntries(items, "resource template", parseTemplate(server))
		kept = len(s.templates)
	case model.ListPrompts:
		s.prompts, w = parseEntries(items, "prompt", parsePrompt(server))
		kept = len(s.prompts)
	}
	s.sums[kind] = sum
	return kept, w, changed
}

func (c *Catalogue) replaceTools(s *shelf, items []json.RawMessage) []model.Warning {
	c.dropAliases(s)
	tools, warnings := parseTools(items)
	index := make(map[string]int, len(tools))
	for i := range tools {
		t := &tools[i]
		t.Server = s.config.Name
		t.Enabled = s.config.ToolEnabled(t.Name)
		t.ChangedAt = c.now()
		if old, ok := s.index[t.Name]; ok && sameDefinition(s.tools[old], *t) {
			t.ChangedAt = s.tools[old].ChangedAt
		}
		index[t.Name] = i
		if alias := model.ToolAlias(t.FullName()); alias != t.FullName() {
			c.aliases[alias] = toolKey{t.Server, t.Name}
		}
	}
	s.tools, s.index = tools, index
	return warnings
}

func (c *Catalogue) dropAliases(s *shelf) {
	for _, t := range s.tools {
		delete(c.aliases, model.ToolAlias(t.FullName()))
	}
}

func sameDefinition(a, b model.Tool) bool {
	return a.Title == b.Title && a.Description == b.Description &&
		bytes.Equal(a.InputSchema, b.InputSchema) && bytes.Equal(a.OutputSchema, b.OutputSchema) &&
		bytes.Equal(a.Annotations, b.Annotations)
}

// sumOf tells lists apart. JSON texts hold no zero byte.
func sumOf(items []json.RawMessage) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, item := range items {
		h.Write(item)
		h.Write([]byte{0})
	}
	h.Sum(sum[:0])
	return sum
}

// names returns the configured servers' names, sorted. The caller holds mu.
func (c *Catalogue) names() []string {
	names := make([]string, 0, len(c.servers))
	for name := range c.servers {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}
