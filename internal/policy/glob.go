package policy

import "strings"

// glob tells whether text is what pattern stands for: all of it, case and all; `*`
// is any run of characters, also none. Each part is taken where it comes first, which
// leaves the most for those behind it: so text is read once, however many stars.
func glob(pattern, text string) bool {
	part, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, part)
	if !ok {
		return false
	}
	for {
		if part, rest, star = strings.Cut(rest, "*"); !star {
			return strings.HasSuffix(text, part)
		}
		_, after, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = after
	}
}

// field is glob for a rule's field: an empty one fits everything.
func field(pattern, text string) bool { return pattern == "" || glob(pattern, text) }
