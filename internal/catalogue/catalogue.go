package catalogue

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Pins keeps the definitions of tools that the person knows.
type Pins interface {
	ToolPins(ctx context.Context) ([]model.ToolPin, error)
	// SaveToolPins keeps some of one server's and drops others, all or none.
	SaveToolPins(ctx context.Context, server string, keep []model.ToolPin, drop []string) error
}

// Options are what a Catalogue works with. Price and Log may be left out; nothing has
// a price then.
type Options struct {
	Pins Pins
	// Price is what a tool's definition costs in a model's context, in tokens.
	Price func(name, description string, schema []byte) int
	// Publish gets CatalogueChanged, outside of locks.
	Publish func(model.Event)
	Log     *slog.Logger
}

// Catalogue holds what every configured server offers. It is safe for
// concurrent use.
type Catalogue struct {
	o   Options
	now func() time.Time

	// changing puts changes of tools and of their pins in one order, here and on
	// disk. It is taken before mu.
	changing sync.Mutex

	mu      sync.RWMutex
	servers map[string]*shelf
	aliases map[string]toolKey
	pins    map[string]map[string]*model.ToolPin // by server and tool; each is replaced, never changed
}

// shelf is one server's part of the catalogue. Its slices are replaced, never
// changed, so that readers may keep them.
type shelf struct {
	config    model.Server
	listedAt  time.Time                            // when the tools were; zero for never
	saved     bool                                 // that was before Kontor was started
	sums      map[model.ListKind][sha256.Size]byte // of the lists as sent
	tools     []model.Tool
	prices    []*price       // of the tools
	index     map[string]int // by the tool's own name
	resources []Resource
	templates []Template
	prompts   []Prompt
}

type toolKey struct{ server, tool string }

// New makes a catalogue without servers, and reads the definitions that the person
// knows.
func New(ctx context.Context, o Options) (*Catalogue, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Price == nil {
		o.Price = func(string, string, []byte) int { return 0 }
	}
	c := &Catalogue{o: o, now: time.Now, servers: map[string]*shelf{}, aliases: map[string]toolKey{},
		pins: map[string]map[string]*model.ToolPin{}}
	pins, err := o.Pins.ToolPins(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range pins {
		if c.pins[p.Server] == nil {
			c.pins[p.Server] = map[string]*model.ToolPin{}
		}
		c.pins[p.Server][p.Tool] = &p
	}
	return c, nil
}

// Configure tells which of a server's tools the person offers. A server that
// the catalogue doesn't know yet gets an empty place, which is not news.
func (c *Catalogue) Configure(server model.Server) {
	if c.configure(server) {
		c.o.Publish(model.CatalogueChanged{Server: server.Name})
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
	c.changing.Lock()
	defer c.changing.Unlock()
	c.mu.Lock()
	s := c.servers[server]
	delete(c.servers, server)
	delete(c.pins, server)
	if s != nil {
		c.dropAliases(s)
	}
	c.mu.Unlock()
	if s != nil {
		c.o.Publish(model.CatalogueChanged{Server: server})
	}
}

// Replace sets one of a server's lists to what it listed now. It returns how
// many entries are kept and what was cut, left out or odd. The same list again
// is not news. Lists of a server that is not configured are ignored: it was
// deleted meanwhile.
func (c *Catalogue) Replace(server string, kind model.ListKind, items []json.RawMessage) (kept int, warnings []model.Warning) {
	kept, warnings, changed := c.set(server, kind, items, listing{at: c.now().UTC()})
	if changed {
		c.o.Publish(model.CatalogueChanged{Server: server})
	}
	return kept, warnings
}

// Restore is Replace with a list from before Kontor was started, which is no news.
func (c *Catalogue) Restore(server string, kind model.ListKind, items []json.RawMessage, at time.Time) (kept int, warnings []model.Warning) {
	kept, warnings, _ = c.set(server, kind, items, listing{at: at, saved: true})
	return kept, warnings
}

// listing says where a list comes from.
type listing struct {
	at    time.Time
	saved bool
}

func (c *Catalogue) set(server string, kind model.ListKind, items []json.RawMessage, l listing) (kept int, w []model.Warning, changed bool) {
	c.changing.Lock()
	defer c.changing.Unlock()
	c.mu.Lock()
	s := c.servers[server]
	if s == nil {
		c.mu.Unlock()
		return 0, nil, false
	}
	var keep []model.ToolPin
	var drop []string
	sum := sumOf(items)
	old, known := s.sums[kind]
	changed = old != sum && (known || len(items) > 0)
	switch kind {
	case model.ListTools:
		changed = changed || s.listedAt.IsZero()
		s.listedAt, s.saved = l.at, l.saved
		w = c.replaceTools(s, items)
		keep, drop = c.pinTools(s)
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
	c.mu.Unlock()
	if len(keep)+len(drop) > 0 {
		// The definitions are known until the end of the process all the same.
		if err := c.o.Pins.SaveToolPins(context.Background(), server, keep, drop); err != nil {
			c.o.Log.Error("the definitions of tools can't be kept", "server", server, "err", err)
		}
	}
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
		t.ListedAt, t.Saved = s.listedAt, s.saved
		index[t.Name] = i
		if alias := model.ToolAlias(t.FullName()); alias != t.FullName() {
			c.aliases[alias] = toolKey{t.Server, t.Name}
		}
	}
	s.tools, s.prices, s.index = tools, s.pricesFor(tools), index
	return warnings
}

func (c *Catalogue) dropAliases(s *shelf) {
	for _, t := range s.tools {
		delete(c.aliases, model.ToolAlias(t.FullName()))
	}
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
