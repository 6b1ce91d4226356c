package outcome

import (
	"fmt"
	"strings"
)

// What a model gets of a description, in bytes.
const (
	maxDescription = 4 << 10
	maxLine        = 240
)

// Describe is a tool's description as it goes to a model: marked as the server's
// words, and bounded.
func Describe(server, description string) string {
	text := strings.TrimSpace(Visible(description))
	if text == "" {
		return ""
	}
	return server + " says: " + limit(text, maxDescription)
}

// Line is a description in one line, for lists in a prompt: no line break, and
// nothing that could end a list, a table or a frame of the prompt.
func Line(description string) string {
	text := strings.NewReplacer("<", "‹", ">", "›", "|", "¦", "`", "'").Replace(Visible(description))
	return limit(strings.Join(strings.Fields(text), " "), maxLine)
}

// limit cuts a text and says so; what it says is part of the limit.
func limit(text string, most int) string {
	if len(text) <= most {
		return text
	}
	mark := fmt.Sprintf("… (cut: it is %d bytes long)", len(text))
	return text[:back(text, most-len(mark))] + mark
}
