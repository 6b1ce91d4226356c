package agent

import (
	"fmt"
	"slices"
	"strings"
)

// maxNear is how long a name may be that others are compared with, in bytes: what
// that takes grows with both.
const maxNear = 128

// near is the end of a sentence about a name that isn't there: which ones are like
// it, or, where none is, nothing.
func near(name string, names []string) string {
	type candidate struct {
		name     string
		distance int
	}
	name = strings.ToLower(clip(name, maxNear))
	own := name[strings.LastIndex(name, "__")+1:]
	limit := len(own)/3 + 1
	var found []candidate
	for _, n := range names {
		d := distance(name, strings.ToLower(n))
		if len(name) > 2 && strings.Contains(strings.ToLower(n), name) {
			d = 1
		}
		if d <= limit {
			found = append(found, candidate{n, d})
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var out []string
	for _, c := range found[:min(3, len(found))] {
		out = append(out, c.name)
	}
	return fmt.Sprintf(" Near: %s.", strings.Join(out, ", "))
}

// distance is the Levenshtein distance of two names in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
