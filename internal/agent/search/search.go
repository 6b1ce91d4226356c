package search

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"kontor.dev/kontor/internal/llm/untrusted"
	"kontor.dev/kontor/internal/model"
)

// MaxHits is how many tools a search finds.
const MaxHits = 12

// Store keeps the index.
type Store interface {
	ToolSearchDigests(ctx context.Context) (map[string]string, error)
	ReplaceToolWords(ctx context.Context, server, digest string, words []model.ToolWords) error
	// SearchTools takes an expression of FTS5 and returns the best first.
	SearchTools(ctx context.Context, match string) ([]model.ToolWords, error)
}

// Index finds tools. It is safe for concurrent use.
type Index struct {
	store Store
	// mu holds from the look at what is indexed to the answer: two searches may have
	// been handed different tools.
	mu sync.Mutex
}

// New makes the index in a store.
func New(store Store) *Index { return &Index{store: store} }

// Hit is a tool that was found, and a line of what it does in its server's words.
type Hit struct {
	Tool model.Tool
	Line string
}

type toolID struct{ server, tool string }

// Search finds the offered tools that fit the query best, at most MaxHits. A query
// may be any text; without a word in it nothing is found.
func (x *Index) Search(ctx context.Context, query string, offered []model.Tool) ([]Hit, error) {
	words := queryWords(query)
	if len(words) == 0 || len(offered) == 0 {
		return nil, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.refresh(ctx, offered); err != nil {
		return nil, err
	}
	found, err := x.store.SearchTools(ctx, expression(words))
	if err != nil {
		return nil, err
	}
	return pick(found, words, offered), nil
}

// pick takes the offered of those found, and fills up with tools whose names have
// a word of the query inside of another word.
func pick(found []model.ToolWords, words []string, offered []model.Tool) []Hit {
	tools := make(map[toolID]model.Tool, len(offered))
	for _, t := range offered {
		tools[toolID{t.Server, t.Name}] = t
	}
	var hits []Hit
	add := func(id toolID) {
		if t, ok := tools[id]; ok && len(hits) < MaxHits {
			delete(tools, id)
			hits = append(hits, Hit{Tool: t, Line: line(t)})
		}
	}
	for _, f := range found {
		add(toolID{f.Server, f.Tool})
	}
	for _, t := range offered {
		name := strings.ToLower(t.Name + " " + t.Title)
		if slices.ContainsFunc(words, func(w string) bool { return len(w) >= minPart && strings.Contains(name, w) }) {
			add(toolID{t.Server, t.Name})
		}
	}
	return hits
}

func line(t model.Tool) string {
	if l := untrusted.Line(t.Description); l != "" {
		return l
	}
	return untrusted.Line(t.Title)
}

// refresh indexes the servers whose tools aren't those indexed. Servers that have
// none here keep theirs: an agent may just not be allowed to use them.
func (x *Index) refresh(ctx context.Context, offered []model.Tool) error {
	indexed, err := x.store.ToolSearchDigests(ctx)
	if err != nil {
		return err
	}
	byServer := map[string][]model.Tool{}
	for _, t := range offered {
		byServer[t.Server] = append(byServer[t.Server], t)
	}
	for server, tools := range byServer {
		digest := digestOf(tools)
		if indexed[server] == digest {
			continue
		}
		words := make([]model.ToolWords, len(tools))
		for i, t := range tools {
			words[i] = wordsOf(t)
		}
		if err := x.store.ReplaceToolWords(ctx, server, digest, words); err != nil {
			return err
		}
	}
	return nil
}

func digestOf(tools []model.Tool) string {
	h := sha256.New()
	for _, t := range tools {
		for _, s := range []string{t.Name, t.Title, t.Description} {
			h.Write([]byte(s))
			h.Write([]byte{0})
		}
	}
	return string(h.Sum(nil))
}
