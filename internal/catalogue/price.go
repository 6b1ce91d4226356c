package catalogue

import (
	"bytes"
	"sync"

	"kontor.dev/kontor/internal/model"
)

// price is what a tool's definition costs in a model's context, in tokens. It is
// counted when somebody asks first, outside of locks: a server may list megabytes.
type price struct {
	once   sync.Once
	tokens int
}

func (p *price) of(t model.Tool, count func(name, description string, schema []byte) int) int {
	p.once.Do(func() { p.tokens = count(t.FullName(), t.Description, t.InputSchema) })
	return p.tokens
}

// pricesFor are those of a new list of tools. One that is as before keeps its own.
func (s *shelf) pricesFor(tools []model.Tool) []*price {
	prices := make([]*price, len(tools))
	for i, t := range tools {
		if at, ok := s.index[t.Name]; ok {
			if old := s.tools[at]; old.Description == t.Description && bytes.Equal(old.InputSchema, t.InputSchema) {
				prices[i] = s.prices[at]
				continue
			}
		}
		prices[i] = &price{}
	}
	return prices
}
