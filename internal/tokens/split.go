package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// next is the length of the piece that a text begins with, in bytes: pieces are
// joined to words each by itself. The rules are those of o200k_base
// (openai/tiktoken, tiktoken_ext/openai_public.py), a pattern that regexp can't
// express; the names of the parts are its alternatives.
func next(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if n := word(s, r, size); n > 0 {
		return n
	}
	if unicode.IsNumber(r) {
		return digits(s)
	}
	if n := signs(s, r, size); n > 0 {
		return n
	}
	return space(s)
}

// word is letters with at most one other sign before, and 's and its like after:
// small ones after large ones, else large ones.
func word(s string, r rune, size int) int {
	starts := []int{0}
	if r != '\r' && r != '\n' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
		starts = []int{size, 0}
	}
	for _, rule := range []func(string) int{capitalised, capitals} {
		for _, start := range starts {
			if n := rule(s[start:]); n > 0 {
				return start + n + contraction(s[start+n:])
			}
		}
	}
	return 0
}

// capitalised is `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`.
func capitalised(s string) int {
	large := run(s, isLarge)
	if small := run(s[large:], isSmall); small > 0 {
		return large + small
	}
	// The first part gives back what the second needs: one of those in both.
	for end := large; end > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:end])
		if isSmall(r) {
			return end
		}
		end -= size
	}
	return 0
}

// capitals is `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`.
func capitals(s string) int {
	large := run(s, isLarge)
	if large == 0 {
		return 0
	}
	return large + run(s[large:], isSmall)
}

func isLarge(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'A' && r <= 'Z'
	}
	return unicode.In(r, unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M)
}

func isSmall(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z'
	}
	return unicode.In(r, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M)
}

// contraction is `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	for _, c := range []string{"s", "t", "re", "ve", "m", "ll", "d"} {
		if len(s) > len(c) && strings.EqualFold(s[1:1+len(c)], c) {
			return 1 + len(c)
		}
	}
	return 0
}

// digits is `\p{N}{1,3}`.
func digits(s string) int {
	n := 0
	for range 3 {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsNumber(r) {
			break
		}
		n += size
	}
	return n
}

// signs is ` ?[^\s\p{L}\p{N}]+[\r\n/]*`.
func signs(s string, r rune, size int) int {
	start := 0
	if r == ' ' {
		start = size
	}
	n := run(s[start:], func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if n == 0 {
		return 0
	}
	end := start + n
	return end + run(s[end:], func(r rune) bool { return r == '\r' || r == '\n' || r == '/' })
}

// space is `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last end of a line; else all but
// the last, which belongs to what follows.
func space(s string) int {
	n := run(s, unicode.IsSpace)
	if end := strings.LastIndexAny(s[:n], "\r\n"); end >= 0 {
		return end + 1
	}
	if n < len(s) {
		if _, last := utf8.DecodeLastRuneInString(s[:n]); n > last {
			return n - last
		}
	}
	return n
}

// run is how many bytes of s are of a kind.
func run(s string, is func(rune) bool) int {
	for i, r := range s {
		if !is(r) {
			return i
		}
	}
	return len(s)
}
