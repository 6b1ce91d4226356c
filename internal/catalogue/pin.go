package catalogue

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"kontor.dev/kontor/internal/model"
)

// maxPins bounds the definitions that are kept of one server: twice what it may
// offer, so that a tool that goes and comes back is known.
const maxPins = 2 * maxTools

// definition is what a person, or a model, is told about a tool. It is cut where
// they see it cut, and so bounded.
func definition(t model.Tool) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// The raw members were cut out of valid JSON: there is no error.
	_ = enc.Encode(struct {
		Title        string          `json:"title,omitempty"`
		Description  string          `json:"description,omitempty"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
		Annotations  json.RawMessage `json:"annotations,omitempty"`
	}{t.Title, t.Description, t.InputSchema, t.OutputSchema, t.Annotations})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// sameDefinition compares what two definitions say: the order of an object's
// members says nothing, and some servers write them in another one each time.
func sameDefinition(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || bytes.Equal(canonical(a), canonical(b))
}

// canonical writes JSON with sorted members and numbers as they were.
func canonical(raw json.RawMessage) []byte {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return raw
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return sorted
}

// judge compares what a tool is now with what the person knows of it; changed
// says that the pin is another one now. known is nil for a tool never seen.
func judge(known *model.ToolPin, now json.RawMessage, at time.Time) (pin model.ToolPin, changed bool) {
	switch {
	case known == nil:
		return model.ToolPin{Definition: now, PinnedAt: at}, true
	case sameDefinition(known.Definition, now):
		pin = *known
		if pin.Changed == nil {
			return pin, false
		}
		pin.Changed = nil // it is again what it was
	case known.Changed != nil && sameDefinition(known.Changed, now):
		return *known, false
	default:
		pin = *known
		pin.Changed = now
	}
	pin.ChangedAt = at
	return pin, true
}

// crowded names the pins that are too many: of tools that aren't offered now, the
// newest. The oldest are those that the person has known longest, and a server
// can't drive them out by new names.
func crowded(pins map[string]*model.ToolPin, offered map[string]int) []string {
	over := len(pins) - maxPins
	if over <= 0 {
		return nil
	}
	gone := slices.DeleteFunc(slices.Collect(maps.Values(pins)), func(p *model.ToolPin) bool {
		_, ok := offered[p.Tool]
		return ok
	})
	slices.SortFunc(gone, func(a, b *model.ToolPin) int {
		return cmp.Or(b.PinnedAt.Compare(a.PinnedAt), cmp.Compare(b.Tool, a.Tool))
	})
	var names []string
	for _, p := range gone[:min(over, len(gone))] {
		names = append(names, p.Tool)
	}
	return names
}

// pinTools sets what is known about the definitions of s.tools, and returns what
// of that has to be saved. The caller holds mu.
func (c *Catalogue) pinTools(s *shelf) (keep []model.ToolPin, drop []string) {
	pins := c.pins[s.config.Name]
	if pins == nil {
		pins = map[string]*model.ToolPin{}
		c.pins[s.config.Name] = pins
	}
	at := c.now().UTC().Truncate(time.Millisecond) // what comes back from disk and wire
	for i := range s.tools {
		t := &s.tools[i]
		now := definition(*t)
		pin, changed := judge(pins[t.Name], now, at)
		if changed {
			pin.Server, pin.Tool = t.Server, t.Name
			pins[t.Name] = &pin
			keep = append(keep, pin)
		}
		t.ChangedAt, t.Change = pin.ChangedAt, changeOf(pin, now)
	}
	drop = crowded(pins, s.index)
	for _, name := range drop {
		delete(pins, name)
	}
	return keep, drop
}

// changeOf is the change that the person hasn't accepted, or nil.
func changeOf(pin model.ToolPin, now json.RawMessage) *model.DefinitionChange {
	if pin.Changed == nil {
		return nil
	}
	return &model.DefinitionChange{Old: pin.Definition, New: now, At: pin.ChangedAt}
}

// Accept makes a tool's definition of now the one that the person knows. shown is
// when the change was that the person saw: a later one is CodeConflict. A tool that
// hasn't changed stays as it is; one that isn't offered is CodeNotFound.
func (c *Catalogue) Accept(ctx context.Context, server, tool string, shown time.Time) (model.Tool, error) {
	c.changing.Lock()
	defer c.changing.Unlock()
	t, pin, err := c.acceptable(server, tool, shown)
	if err != nil || t.Change == nil {
		return t, err
	}
	if err := c.o.Pins.SaveToolPins(ctx, server, []model.ToolPin{pin}, nil); err != nil {
		return model.Tool{}, err
	}
	c.mu.Lock()
	s := c.servers[server] // it is still there, and so is the tool: changing is held
	s.tools = slices.Clone(s.tools)
	accepted := &s.tools[s.index[tool]]
	accepted.Change = nil
	c.pins[server][tool] = &pin
	t = *accepted
	c.mu.Unlock()
	c.o.Publish(model.CatalogueChanged{Server: server})
	return t, nil
}

// acceptable is the tool as it is and its pin as it will be.
func (c *Catalogue) acceptable(server, tool string, shown time.Time) (model.Tool, model.ToolPin, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	t, ok := c.tool(server, tool)
	if !ok {
		return t, model.ToolPin{}, model.Errorf(model.CodeNotFound, "there is no tool %s of server %s", quote(tool), quote(server))
	}
	if t.Change == nil {
		return t, model.ToolPin{}, nil
	}
	if !t.Change.At.Equal(shown) {
		return t, model.ToolPin{}, model.Errorf(model.CodeConflict,
			"tool %s has changed again since: look at what it is now", quote(tool))
	}
	pin := *c.pins[server][tool]
	pin.Definition, pin.Changed = t.Change.New, nil
	return t, pin, nil
}
