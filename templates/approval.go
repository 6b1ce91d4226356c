package templates

// Approval is what a call that waits for approval shows besides: exactly what will
// run. All texts have their hidden characters written out.
type Approval struct {
	Badges      []Badge
	Description string
	Arguments   []Argument
	// Notes say how the arguments were mended.
	Notes []string
	// Changes are set when the definition isn't the one that the person knows.
	Changes []Change
	Agent   string
	Reason  string
	// OnceOnly is a tool that changes what this machine runs; Chat says that it was
	// asked for in one; Always that a rule can name the tool.
	OnceOnly, Chat, Always bool
	// Look is the class of the button that approves; empty for a neutral one.
	Look string
	// Note is what was typed.
	Note string
}

// Badge is a word about the tool. Tone is its class: "bad", "warn" or none.
type Badge struct{ Word, Tone string }

// Argument is one argument of a call. Full gives it the whole width; Command is a
// line that a shell runs.
type Argument struct {
	Name, Text    string
	Full, Command bool
}

// Change is what is another in one part of a definition.
type Change struct {
	Title string
	Lines []DiffLine
}

// DiffLine is a line of a difference: Mark is "−", "+", " ", or "…" for lines that
// are left out.
type DiffLine struct{ Mark, Text string }

// Question is what an agent asks.
type Question struct {
	Suggestions []string
	Text, Error string
}

// reach is what an approval covers that goes beyond the one call, where its button
// doesn't say so.
func (a Approval) reach() string {
	if a.OnceOnly || !a.Chat {
		return ""
	}
	return "“For this chat” covers this tool, with any arguments."
}

// wider is the class of what goes further than once: it doesn't look more harmless.
func (a Approval) wider() string {
	if a.Look == "btn-bad" {
		return a.Look
	}
	return ""
}

func (l DiffLine) class() string {
	switch l.Mark {
	case "−":
		return "del"
	case "+":
		return "add"
	}
	return ""
}

// spoken says what the mark of a line means, for who can't see it.
func (l DiffLine) spoken() string {
	switch l.Mark {
	case "−":
		return "before: "
	case "+":
		return "now: "
	}
	return ""
}
