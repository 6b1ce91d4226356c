package outcome

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

// minRun is the length, in bytes, from which letters and digits without a break
// are taken for encoded bytes: they cost a model much and say nothing to it.
const minRun = 8 << 10

// piece is a stretch of a text, shown as it is or told in words.
type piece struct {
	from, to int
	encoded  bool
}

func (p piece) show(text string) string {
	if p.encoded {
		return fmt.Sprintf("‹%d bytes that look like base64 are left out: bytes %d to %d›", p.to-p.from, p.from, p.to)
	}
	return text[p.from:p.to]
}

// split tells runs of encoded bytes from the rest.
func split(text string) []piece {
	var out []piece
	done, start := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && encodes(text[i]) {
			continue
		}
		if i-start >= minRun {
			if start > done {
				out = append(out, piece{from: done, to: start})
			}
			out = append(out, piece{from: start, to: i, encoded: true})
			done = i
		}
		start = i + 1
	}
	if done < len(text) {
		out = append(out, piece{from: done, to: len(text)})
	}
	return out
}

// encodes tells the alphabets of RFC 4648, sections 4 and 5.
func encodes(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '-' || c == '_' || c == '='
}

// shorten fits a text into the budget, in bytes: without encoded runs, and if it
// is still too long its head and tail, and how to read what lies between. The cut
// is nil when it is whole.
func shorten(text string, budget int, id string) (string, *model.Cut) {
	pieces := split(text)
	var long, hidden int
	for _, p := range pieces {
		long += len(p.show(text))
		if p.encoded {
			hidden += p.to - p.from
		}
	}
	if long <= budget {
		if hidden == 0 {
			return text, nil
		}
		return join(text, pieces), &model.Cut{Total: len(text), Shown: len(text) - hidden}
	}
	room := budget - len(gap(len(text), len(text), len(text), id))
	head := first(text, pieces, room*2/3)
	tail := last(text, pieces, room-len(join(text, head)))
	from, to := 0, len(text)
	if len(head) > 0 {
		from = head[len(head)-1].to
	}
	if len(tail) > 0 {
		to = tail[0].from
	}
	cut := &model.Cut{Total: len(text), Shown: shown(head) + shown(tail)}
	return join(text, head) + gap(from, to, len(text), id) + join(text, tail), cut
}

func gap(from, to, total int, id string) string {
	return fmt.Sprintf("\n\n[Left out: bytes %d to %d of %d. read_result(id: %q, from: %d) reads them.]\n\n", from, to, total, id, from)
}

func join(text string, pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.show(text))
	}
	return b.String()
}

func shown(pieces []piece) (bytes int) {
	for _, p := range pieces {
		if !p.encoded {
			bytes += p.to - p.from
		}
	}
	return bytes
}

// first takes pieces from the front as far as the room reaches.
func first(text string, pieces []piece, room int) []piece {
	for i, p := range pieces {
		size := len(p.show(text))
		if size <= room {
			room -= size
			continue
		}
		out := pieces[:i:i]
		if end := back(text, p.from+max(room, 0)); !p.encoded && end > p.from {
			out = append(out, piece{from: p.from, to: end})
		}
		return out
	}
	return pieces
}

// last takes pieces from the end as far as the room reaches.
func last(text string, pieces []piece, room int) []piece {
	for i := len(pieces) - 1; i >= 0; i-- {
		p := pieces[i]
		size := len(p.show(text))
		if size <= room {
			room -= size
			continue
		}
		if start := ahead(text, p.to-max(room, 0)); !p.encoded && start < p.to {
			return append([]piece{{from: start, to: p.to}}, pieces[i+1:]...)
		}
		return pieces[i+1:]
	}
	return pieces
}

// back is the border of a rune at or before a place in a text.
func back(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// ahead is the border of a rune at or behind a place in a text.
func ahead(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// rangeHead is room for the line above a range, in bytes.
const rangeHead = 160

// Range is part of a call's Text, from one byte to another, at most DefaultBudget
// with the line above it that says what it is. Borders move to those of
// characters. A range that ends before it begins is as long as may be.
func Range(text string, from, to int) string {
	from = back(text, min(max(from, 0), len(text)))
	if from == len(text) {
		return fmt.Sprintf("There is nothing from byte %d on: it is %d bytes long.", from, len(text))
	}
	most := min(from+DefaultBudget-rangeHead, len(text))
	if to <= from || to > most {
		to = most
	}
	to = ahead(text, to)
	if to > most {
		to = back(text, most)
	}
	more := "the end"
	if to < len(text) {
		more = fmt.Sprintf("it goes on at %d", to)
	}
	return fmt.Sprintf("Bytes %d to %d of %d, %s:\n%s", from, to, len(text), more, text[from:to])
}
