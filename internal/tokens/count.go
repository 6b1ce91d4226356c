package tokens

import (
	"bytes"
	"encoding/json"
)

// Vocabulary names what the counts are by.
func Vocabulary() string { return "o200k_base" }

// maxPiece bounds what is joined at once, in bytes, since joining takes time by the
// square. A longer word is no word: it is counted in parts, a token or two too many.
const maxPiece = 256

// Count is how many tokens a text has.
func Count(text string) int {
	n := 0
	for len(text) > 0 {
		size := next(text)
		for piece := text[:size]; piece != ""; {
			part := piece[:min(len(piece), maxPiece)]
			n += join(part)
			piece = piece[len(part):]
		}
		text = text[size:]
	}
	return n
}

// Tool is what a tool's definition costs in every request that offers it: its name,
// its description and its schema as JSON, whose white space isn't sent.
func Tool(name, description string, schema []byte) int {
	var compact bytes.Buffer
	if json.Compact(&compact, schema) == nil {
		schema = compact.Bytes()
	}
	return Count(`{"name":"`+name+`","description":"`+description+`","parameters":`) + Count(string(schema)+"}")
}

const none = 1 << 30

// join is how many words byte-pair encoding makes of a piece of maxPiece bytes at
// most: from single bytes on, the pair of neighbours that is the lowest word is
// joined, until no pair is a word.
func join(piece string) int {
	if _, ok := rank(piece); ok {
		return 1
	}
	var starts, ranks [maxPiece + 1]int
	n := len(piece)
	for i := range n + 1 {
		starts[i], ranks[i] = i, none
	}
	pair := func(i int) int {
		if i+2 <= n {
			if r, ok := rank(piece[starts[i]:starts[i+2]]); ok {
				return r
			}
		}
		return none
	}
	for i := range n - 1 {
		ranks[i] = pair(i)
	}
	for n > 1 {
		low := 0
		for i := 1; i < n-1; i++ {
			if ranks[i] < ranks[low] {
				low = i
			}
		}
		if ranks[low] == none {
			break
		}
		copy(starts[low+1:n], starts[low+2:n+1])
		copy(ranks[low+1:n], ranks[low+2:n+1])
		n--
		ranks[low] = pair(low)
		if low > 0 {
			ranks[low-1] = pair(low - 1)
		}
	}
	return n
}
