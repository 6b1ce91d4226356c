package untrusted

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What a model gets of a description, in bytes.
const (
	maxDescription = 4 << 10
	maxLine        = 240
	maxName        = 1 << 10
)

// Describe is a tool's description as it goes to a model: marked as the server's
// words, and bounded.
func Describe(server, description string) string {
	text := strings.TrimSpace(Visible(description))
	if text == "" {
		return ""
	}
	return server + " says: " + Limit(text, maxDescription)
}

// Line is a description in one line, for lists in a prompt: no line break, and
// nothing that could end a list, a table or a frame of the prompt.
func Line(description string) string {
	text := strings.NewReplacer("<", "‹", ">", "›", "|", "¦", "`", "'").Replace(Visible(description))
	return Limit(strings.Join(strings.Fields(text), " "), maxLine)
}

// Name is a name or an address within a sentence: in one line, and whole unless it is
// longer than any that is used.
func Name(s string) string { return Limit(strings.Join(strings.Fields(Visible(s)), " "), maxName) }

// Limit cuts a text to so many bytes and says so; what it says is part of the limit.
func Limit(text string, most int) string {
	if len(text) <= most {
		return text
	}
	mark := fmt.Sprintf("… (cut: it is %d bytes long)", len(text))
	end := max(most-len(mark), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
