package agent

import (
	"crypto/sha256"
	"sync"

	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/llm/untrusted"
	"kontor.dev/kontor/internal/model"
)

// maxDefinitions bounds what definitions keep, in bytes: about a thousand tools.
const maxDefinitions = 4 << 20

// definitions keeps tools as they go out to models, by what they are made of: each
// round offers the same ones, and to adapt a schema takes long.
type definitions struct {
	mu   sync.Mutex
	size int
	kept map[[sha256.Size]byte]definition
}

// definition is a tool as it goes out to a model.
type definition struct {
	description string
	adapted     toolschema.Adapted
}

func (d definition) size() int { return len(d.description) + len(d.adapted.Schema) }

func (d *definitions) of(t model.Tool, rules toolschema.Rules) definition {
	key := definitionKey(t, rules)
	d.mu.Lock()
	found, ok := d.kept[key]
	d.mu.Unlock()
	if ok {
		return found
	}
	made := definition{description: t.Description, adapted: toolschema.Adapt(t.InputSchema, rules)}
	if t.Server != model.GroupConfig {
		made.description = untrusted.Describe(t.Server, t.Description)
	}
	d.keep(key, made)
	return made
}

// adapted are the tools of an active group that don't go out as their server has them.
func (d *definitions) adapted(g group, rules toolschema.Rules) []model.AdaptedTool {
	var out []model.AdaptedTool
	if !g.Active {
		return nil
	}
	for _, t := range g.tools {
		if changes := d.of(t, rules).adapted.Badges; len(changes) > 0 {
			out = append(out, model.AdaptedTool{Tool: t.Name, Changes: changes})
		}
	}
	return out
}

// keep begins anew when all is full: what is in use comes back with the next request.
func (d *definitions) keep(key [sha256.Size]byte, made definition) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept == nil || d.size+made.size() > maxDefinitions {
		d.kept, d.size = map[[sha256.Size]byte]definition{}, 0
	}
	if _, ok := d.kept[key]; !ok {
		d.kept[key] = made
		d.size += made.size()
	}
}

func definitionKey(t model.Tool, rules toolschema.Rules) (key [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range [][]byte{[]byte(rules.Provider), []byte(t.Server), []byte(t.Description)} {
		h.Write(s)
		h.Write([]byte{0xff}) // which no text in UTF-8 holds
	}
	h.Write(t.InputSchema)
	h.Sum(key[:0])
	return key
}
