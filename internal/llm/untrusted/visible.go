package untrusted

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible marks the characters that a person couldn't see and that could hide or
// turn round what a text says: ‹U+202E› (Unicode 17, UAX #9; UTS #39; "Trojan
// Source", CVE-2021-42574). Bytes that aren't UTF-8 become U+FFFD.
func Visible(s string) string {
	at := strings.IndexFunc(s, suspect)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 64)
	var before rune
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:at])
	}
	b.WriteString(s[:at])
	for _, r := range s[at:] {
		if hidden(r) && !joins(before, r) {
			fmt.Fprintf(&b, "‹U+%04X›", r)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func suspect(r rune) bool { return r == utf8.RuneError || hidden(r) }

// hidden tells the characters that draw nothing, or move what others draw.
func hidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < 0x7f:
		return r < 0x20
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// joins tells the one hidden character that a script or an emoji needs: a joiner
// after a letter or sign that isn't ASCII, and the choice of an emoji's look.
func joins(before, r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return before > unicode.MaxASCII && unicode.In(before, unicode.L, unicode.M, unicode.S) && (!hidden(before) || before == '\ufe0f')
	case '\ufe0e', '\ufe0f':
		return unicode.In(before, unicode.S) || before == '#' || before == '*' || unicode.Is(unicode.Nd, before)
	}
	return false
}
