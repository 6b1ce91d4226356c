package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"kontor.dev/kontor/internal/mcp/wire"
)

const annotation = "x-mcp-header"

// paramHeaders remembers which arguments of which tool are mirrored into headers,
// from the tools last listed.
type paramHeaders struct {
	mu    sync.Mutex
	tools map[string][]mirrored
	// missed are tools that were looked for in the list and aren't there.
	missed map[string]bool
	// refreshing holds a token while a list is read for a tool that isn't known.
	refreshing chan struct{}
}

// mirrorsParams tells whether arguments go into headers at all.
func (c *Client) mirrorsParams() bool { return c.o.HTTP && c.dialect.modern }

// paramHeaders builds the Mcp-Param headers of a call. For a tool that the last
// list doesn't have, the list is read once more. If that fails the call goes out
// as it is: a server that wants the headers says so.
func (c *Client) paramHeaders(ctx context.Context, tool string, arguments json.RawMessage) (http.Header, error) {
	rules, known := c.headers.rules(tool)
	if !known {
		select {
		case c.headers.refreshing <- struct{}{}:
			defer func() { <-c.headers.refreshing }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if rules, known = c.headers.rules(tool); !known {
			if _, err := c.ListTools(ctx); err != nil {
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				c.conn.note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf(
					"%s is called without knowing its headers: %v", tool, err)})
			} else {
				rules = c.headers.miss(tool)
			}
		}
	}
	return mirror(rules, arguments)
}

// rules answers what is known of a tool.
func (p *paramHeaders) rules(tool string) (_ []mirrored, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rules, known := p.tools[tool]
	return rules, known || p.missed[tool]
}

// miss answers the rules after a refresh, and remembers that they were looked
// for.
func (p *paramHeaders) miss(tool string) []mirrored {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.missed[tool] = true
	return p.tools[tool]
}

func (p *paramHeaders) forget(tool string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tools, tool)
	delete(p.missed, tool)
}

// learn takes the rules from a list of tools and answers the list without those
// whose annotations are invalid.
func (p *paramHeaders) learn(list List) List {
	tools := make(map[string][]mirrored, len(list.Items))
	kept := make([]json.RawMessage, 0, len(list.Items))
	for _, item := range list.Items {
		name := text(wire.Member(item, "name"))
		rules, err := readAnnotations(wire.Member(item, "inputSchema"))
		if err != nil {
			list.Warnings = append(list.Warnings, Warning{Code: WarnHeaderInvalid, Item: name,
				Message: fmt.Sprintf("%s is left out: %v", name, err)})
			continue
		}
		tools[name] = rules
		kept = append(kept, item)
	}
	list.Items = kept
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tools, p.missed = tools, map[string]bool{}
	return list
}

// readAnnotations finds the x-mcp-header annotations of an input schema. The
// whole tool is invalid when one of them is: its server would refuse every call.
func readAnnotations(schema json.RawMessage) ([]mirrored, error) {
	if !bytes.Contains(schema, []byte(annotation)) {
		return nil, nil
	}
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	w := annotations{names: map[string]bool{}}
	err := w.walk(root, nil, true)
	return w.found, err
}

// annotations walks a schema. Names are kept in lower case, as headers compare.
type annotations struct {
	found []mirrored
	names map[string]bool
}

// walk visits a schema. Only what properties alone lead to is reachable: below
// anything else, whether and where the argument exists depends on its value.
func (w *annotations) walk(node any, path []string, reachable bool) error {
	schema, ok := node.(map[string]any)
	if !ok {
		return nil
	}
	if value, annotated := schema[annotation]; annotated {
		if err := w.take(value, schema["type"], path, reachable); err != nil {
			return err
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		if err := w.descend(keyword, schema[keyword], path, reachable); err != nil {
			return err
		}
	}
	return nil
}

// descend visits the subschemas under one keyword of JSON Schema 2020-12 (and
// the older definitions and additionalItems).
func (w *annotations) descend(keyword string, value any, path []string, reachable bool) error {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		named, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(named)) {
			child := append(slices.Clone(path), name)
			if err := w.walk(named[name], child, reachable && keyword == "properties"); err != nil {
				return err
			}
		}
	case "allOf", "anyOf", "oneOf", "prefixItems", "items":
		if several, ok := value.([]any); ok {
			for _, one := range several {
				if err := w.walk(one, path, false); err != nil {
					return err
				}
			}
			return nil
		}
		return w.walk(value, path, false)
	case "not", "if", "then", "else", "contains", "additionalProperties", "additionalItems",
		"propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return w.walk(value, path, false)
	}
	return nil
}

// take checks one annotation.
func (w *annotations) take(value, kind any, path []string, reachable bool) error {
	at := strings.Join(path, ".")
	name, _ := value.(string)
	switch {
	case !reachable || len(path) == 0:
		return fmt.Errorf("%s at %q is not reached through properties alone", annotation, at)
	case !isToken(name):
		return fmt.Errorf("%s of %q is no header name: %.60v", annotation, at, value)
	case kind != "string" && kind != "integer" && kind != "boolean":
		return fmt.Errorf("%s stands at %q, which is no string, integer or boolean", annotation, at)
	case w.names[strings.ToLower(name)]:
		return fmt.Errorf("%s %q is given twice", annotation, name)
	}
	w.names[strings.ToLower(name)] = true
	w.found = append(w.found, mirrored{header: name, path: path})
	return nil
}

// isToken checks a token of RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' ||
			strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
