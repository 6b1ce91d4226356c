package policy

// glob tells whether text is what pattern stands for: all of it, case and all; `*`
// is any run of characters, also none.
func glob(pattern, text string) bool {
	// star is where the last * was, and mark how much of text it has taken: to
	// let it take one more is the only way back that is ever needed.
	star, mark := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// field is glob for a rule's field: an empty one fits everything.
func field(pattern, text string) bool { return pattern == "" || glob(pattern, text) }
