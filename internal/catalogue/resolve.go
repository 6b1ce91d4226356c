package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// nearNames is how many similar names an error about an unknown one offers.
const nearNames = 3

// Resolve finds a tool by its full name or by the alias that stands for it. An
// unknown name is CodeNotFound and tells similar ones.
func (c *Catalogue) Resolve(name string) (model.Tool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if server, tool, ok := model.SplitToolName(name); ok {
		if t, ok := c.tool(server, tool); ok {
			return t, nil
		}
	}
	if key, ok := c.aliases[name]; ok {
		if t, ok := c.tool(key.server, key.tool); ok {
			return t, nil
		}
	}
	return model.Tool{}, model.Errorf(model.CodeNotFound, "there is no tool %s%s", quote(name), c.hint(name))
}

// tool looks a tool up by server and own name. The caller holds mu.
func (c *Catalogue) tool(server, tool string) (model.Tool, bool) {
	s := c.servers[server]
	if s == nil {
		return model.Tool{}, false
	}
	i, ok := s.index[tool]
	if !ok {
		return model.Tool{}, false
	}
	return s.tools[i], true
}

// hint names the tools whose names are nearest, those of the same server first.
func (c *Catalogue) hint(name string) string {
	type candidate struct {
		name     string
		distance int
	}
	server, tool, ok := model.SplitToolName(name)
	if ok && c.servers[server] == nil {
		return fmt.Sprintf(": no server is named %s", quote(server))
	}
	if !ok {
		tool = name
	}
	limit := len(tool)/3 + 1
	var near []candidate
	c.each(server, func(s *shelf) {
		for _, t := range s.tools {
			d := distance(strings.ToLower(tool), strings.ToLower(t.Name), limit)
			if d <= limit {
				near = append(near, candidate{t.FullName(), d})
			}
		}
	})
	if len(near) == 0 {
		return ""
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, n := range near[:min(nearNames, len(near))] {
		names = append(names, n.name)
	}
	return "; near: " + strings.Join(names, ", ")
}

// distance is the Levenshtein distance of two names in bytes, or limit+1 when
// it is more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		best := row[0]
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
			best = min(best, next)
		}
		if best > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}

// quote bounds what a caller typed before it is repeated in an error.
func quote(name string) string {
	const most = 200
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return fmt.Sprintf("%q", name)
}
