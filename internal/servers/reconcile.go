package servers

import (
	"maps"
	"reflect"
	"slices"

	"kontor.dev/kontor/internal/model"
)

// change is what has to happen to one server's connection.
type change string

const (
	// start opens a connection where there is none.
	start change = "start"
	// stop ends the connection.
	stop change = "stop"
	// replace puts another connection in the place of the one there is.
	replace change = "replace"
	// keep leaves the connection, or that there is none, alone.
	keep change = "keep"
)

// action is one step from what runs to what is wanted.
type action struct {
	change change
	name   string
	// config is the wanted configuration; zero when the server was deleted.
	config model.Server
}

// reconcile compares the configurations that the person wants with those that
// connections were opened for, and returns what leads from one to the other, by
// name.
func reconcile(desired, running map[string]model.Server) []action {
	names := maps.Clone(desired)
	maps.Copy(names, running)
	var actions []action
	for _, name := range slices.Sorted(maps.Keys(names)) {
		want := desired[name]
		have, runs := running[name]
		a := action{change: keep, name: name, config: want}
		switch {
		case !want.Enabled && runs:
			a.change = stop
		case want.Enabled && !runs:
			a.change = start
		case want.Enabled && !sameConnection(want, have):
			a.change = replace
		}
		actions = append(actions, a)
	}
	return actions
}

// sameConnection tells whether two configurations lead to the same connection:
// names, time limits and the choice of tools can change under a live one.
func sameConnection(a, b model.Server) bool {
	return a.Transport == b.Transport &&
		a.Command == b.Command && slices.Equal(a.Args, b.Args) && a.Cwd == b.Cwd && maps.Equal(a.Env, b.Env) &&
		a.URL == b.URL && maps.Equal(a.Headers, b.Headers) && a.BearerToken == b.BearerToken && reflect.DeepEqual(a.OAuth, b.OAuth) &&
		a.MaxMessage == b.MaxMessage && a.SSEIdleTimeout == b.SSEIdleTimeout
}
