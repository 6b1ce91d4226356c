package servers

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lineBreak stands for the end of a line where there is room for one line only.
const lineBreak = " ⏎ "

// oneLine keeps a text of several lines on one.
func oneLine(text string) string {
	return strings.NewReplacer("\r\n", lineBreak, "\n", lineBreak, "\r", lineBreak).Replace(strings.TrimRight(text, "\r\n"))
}

// clip keeps the first bytes of a text, most at most, and says how many more
// there were.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	most = runeStart(text, most)
	return fmt.Sprintf("%s… (%d more bytes)", text[:most], len(text)-most)
}

// runeStart is the last place in text, at most at, where a character begins.
func runeStart(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
