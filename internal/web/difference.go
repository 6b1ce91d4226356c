package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/templates"
)

// The parts of a tool's definition (model.ToolPin), as a person calls them.
var definitionParts = []struct{ name, title string }{
	{"title", "title"}, {"description", "description"}, {"inputSchema", "arguments"},
	{"outputSchema", "results"}, {"annotations", "hints"},
}

// changes are the parts of a tool's definition that are others than they were.
func changes(old, now json.RawMessage) []templates.Change {
	var out []templates.Change
	for _, part := range definitionParts {
		before, after := partLines(old, part.name), partLines(now, part.name)
		if !slices.Equal(before, after) {
			out = append(out, templates.Change{Title: part.title, Lines: folded(difference(before, after))})
		}
	}
	return out
}

func partLines(definition json.RawMessage, name string) []string {
	value := wire.Member(definition, name)
	if value == nil {
		return nil
	}
	return strings.Split(argumentText(value), "\n")
}

// maxDifference bounds the work, in pairs of lines: what is longer is shown as gone
// and come as a whole.
const maxDifference = 1 << 20

// difference turns before into after by the longest sequence of lines that both have.
func difference(before, after []string) []templates.DiffLine {
	if len(before)*len(after) > maxDifference {
		return append(marked("−", before), marked("+", after)...)
	}
	// longest[i][j] is the length of that sequence of before[i:] and after[j:].
	longest := make([][]int, len(before)+1)
	for i := range longest {
		longest[i] = make([]int, len(after)+1)
	}
	for i, b := range slices.Backward(before) {
		for j, a := range slices.Backward(after) {
			if a == b {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var out []templates.DiffLine
	i, j := 0, 0
	for i < len(before) && j < len(after) {
		switch {
		case before[i] == after[j]:
			out = append(out, templates.DiffLine{Mark: " ", Text: before[i]})
			i++
			j++
		case longest[i+1][j] >= longest[i][j+1]:
			out = append(out, templates.DiffLine{Mark: "−", Text: before[i]})
			i++
		default:
			out = append(out, templates.DiffLine{Mark: "+", Text: after[j]})
			j++
		}
	}
	return append(append(out, marked("−", before[i:])...), marked("+", after[j:])...)
}

func marked(mark string, lines []string) []templates.DiffLine {
	out := make([]templates.DiffLine, len(lines))
	for i, l := range lines {
		out[i] = templates.DiffLine{Mark: mark, Text: l}
	}
	return out
}

// folded leaves out the lines that are the same, but for two around each change, and
// says how many.
func folded(lines []templates.DiffLine) []templates.DiffLine {
	const around = 2
	near := func(i int) bool {
		part := lines[max(0, i-around):min(len(lines), i+around+1)]
		return slices.ContainsFunc(part, func(l templates.DiffLine) bool { return l.Mark != " " })
	}
	var out []templates.DiffLine
	left := 0
	flush := func() {
		if left > 0 {
			out = append(out, templates.DiffLine{Mark: "…", Text: fmt.Sprintf("%d lines the same", left)})
		}
		left = 0
	}
	for i, l := range lines {
		if !near(i) {
			left++
			continue
		}
		flush()
		out = append(out, l)
	}
	flush()
	return out
}
