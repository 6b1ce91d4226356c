package configtools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// effect says what a call would do to a server that is there, with all that the
// server runs: its name alone doesn't tell the person what they approve. It is empty
// where the arguments say it themselves.
func (c *Tools) effect(tool string, arguments json.RawMessage) string {
	var in struct {
		ID, Name string
		Enabled  *bool
	}
	// What doesn't fit is refused when it is run.
	_ = json.Unmarshal(arguments, &in)
	switch {
	case tool == deleteMCP:
		return c.about("Deletes the server %s for good, with its settings and sign-in. %s", in.Name)
	case tool == toggleItem && in.Enabled != nil && *in.Enabled:
		return c.about("Switches on the server %s. %s", in.ID)
	case tool == toggleItem && in.Enabled != nil:
		return c.about("Switches off the server %s. %s", in.ID)
	}
	return ""
}

func (c *Tools) about(format, name string) string {
	for _, s := range c.o.Servers.Servers() {
		if s.Config.Name == name {
			return fmt.Sprintf(format, name, runs(s.Config))
		}
	}
	return ""
}

// runs is the whole command of a server, or its address, with references as they are
// written and the names of what is set in its environment.
func runs(s model.Server) string {
	if s.Transport != model.TransportStdio {
		return "It is reached at " + s.URL
	}
	words := []string{s.Command}
	for _, a := range s.Args {
		words = append(words, quoted(a))
	}
	out := "It runs: " + strings.Join(words, " ")
	if s.Cwd != "" {
		out += "\nin the folder " + s.Cwd
	}
	if len(s.Env) > 0 {
		out += "\nwith " + strings.Join(slices.Sorted(maps.Keys(s.Env)), ", ") + " set in its environment"
	}
	return out
}

// quoted shows where an argument begins and ends, where that isn't plain.
func quoted(a string) string {
	if a == "" || strings.ContainsAny(a, " \t\n\"'\\") {
		return fmt.Sprintf("%q", a)
	}
	return a
}
