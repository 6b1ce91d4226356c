package policy

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// maxNesting is how deep arguments are read: each level is gone over once for each one
// above it. No tool's arguments are half as deep.
const maxNesting = 64

// fitsArguments tells whether a rule's argument fits. Where the server may read the
// arguments in more than one way (a name twice, or in another case, which some
// readers take for the same), every reading must fit for a rule that allows, and one
// is enough for the others. What is nested too deep to be read is allowed by no rule,
// and fits all others.
func fitsArguments(p model.ArgumentPattern, action model.PolicyAction, arguments json.RawMessage) bool {
	if nesting(arguments) > maxNesting {
		return action != model.PolicyAllow
	}
	l := lookup{segments: segments(p.Path), readable: true}
	l.walk(arguments, 0, true)
	fits := func(value json.RawMessage) bool {
		if p.Exact {
			return text(value) == p.Pattern
		}
		return glob(p.Pattern, text(value))
	}
	if action == model.PolicyAllow {
		return l.readable && l.exact && !slices.ContainsFunc(l.found, func(v json.RawMessage) bool { return !fits(v) })
	}
	return !l.readable || slices.ContainsFunc(l.found, fits)
}

// lookup collects the values that a JSON Pointer (RFC 6901) leads to.
type lookup struct {
	segments []string
	found    []json.RawMessage
	// exact says that one of them is there under exactly the names of the path;
	// readable is false once something on the way can't be read.
	exact, readable bool
}

// walk goes on from a value that the first depth segments led to.
func (l *lookup) walk(value json.RawMessage, depth int, exact bool) {
	value = bytes.TrimSpace(value)
	if depth == len(l.segments) {
		l.found = append(l.found, value)
		l.exact = l.exact || exact
		return
	}
	if len(value) == 0 {
		return
	}
	segment := l.segments[depth]
	switch value[0] {
	case '{':
		l.readable = wire.Members(value, func(name string, member json.RawMessage) {
			if strings.EqualFold(name, segment) {
				l.walk(member, depth+1, exact && name == segment)
			}
		}) && l.readable
	case '[':
		i := -1
		l.readable = wire.Elements(value, func(element json.RawMessage) {
			if i++; strconv.Itoa(i) == segment {
				l.walk(element, depth+1, exact)
			}
		}) && l.readable
	}
}

func segments(path string) []string {
	if path == "" {
		return nil
	}
	out := strings.Split(path[1:], "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i := range out {
		out[i] = unescape.Replace(out[i])
	}
	return out
}

// nesting is how deep JSON is nested: 0 for what is no object or array.
func nesting(value json.RawMessage) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// text is what a pattern is held against.
func text(value json.RawMessage) string {
	if s, ok := wire.Text(value); ok {
		return s
	}
	return string(canonical(nil, value))
}

// canonical appends JSON without white space and with an object's members sorted by
// name, those of one name in their order. Numbers stay as they were sent, and so does
// all of what is nested deeper than maxNesting.
func canonical(out []byte, value json.RawMessage) []byte {
	if nesting(value) > maxNesting {
		return append(out, value...)
	}
	return canonicalValue(out, value)
}

func canonicalValue(out []byte, value json.RawMessage) []byte {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return out
	}
	switch value[0] {
	case '{':
		return canonicalObject(out, value)
	case '[':
		out = append(out, '[')
		first := true
		if !wire.Elements(value, func(element json.RawMessage) {
			if !first {
				out = append(out, ',')
			}
			first = false
			out = canonicalValue(out, element)
		}) {
			return append(out, value...)
		}
		return append(out, ']')
	case '"':
		if s, ok := wire.Text(value); ok {
			return quoted(out, s)
		}
	}
	return append(out, value...)
}

func canonicalObject(out []byte, value json.RawMessage) []byte {
	type member struct {
		name  string
		value json.RawMessage
	}
	var members []member
	if !wire.Members(value, func(name string, v json.RawMessage) { members = append(members, member{name, v}) }) {
		return append(out, value...)
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(quoted(out, m.name), ':')
		out = canonicalValue(out, m.value)
	}
	return append(out, '}')
}

// quoted appends a string as JSON. Each byte that is no UTF-8 becomes U+FFFD before
// encoding/json sees it, which would write it as an escape: as another text than
// that of U+FFFD itself.
func quoted(out []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(string([]rune(s))) // a string always is JSON
	return append(out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
