package servers

import (
	"fmt"
	"slices"
	"sync"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

const warnNoise = "stdout_noise"

// oddities are what a connection does that is no error and that the person should
// know. The transport tells of them from goroutines of its own.
type oddities struct {
	mu    sync.Mutex
	noise int
	notes []model.Warning
}

// forget starts anew, for another connection.
func (o *oddities) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.noise, o.notes = 0, nil
}

// take remembers a note, if it tells of an oddity.
func (o *oddities) take(n wire.Note, transport model.Transport) (odd bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case n.Code != "":
		if slices.ContainsFunc(o.notes, func(w model.Warning) bool { return w.Code == n.Code }) {
			return false
		}
		o.notes = append(o.notes, model.Warning{Code: n.Code, Message: n.Text})
	case n.Kind == wire.NoteNotProtocol && transport == model.TransportStdio:
		o.noise++
	default:
		return false
	}
	return true
}

// warnings are the oddities so far.
func (o *oddities) warnings() []model.Warning {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := slices.Clone(o.notes)
	if o.noise > 0 {
		all = append(all, model.Warning{Code: warnNoise, Message: fmt.Sprintf(
			"%d lines on stdout were no MCP messages; they were skipped and are in the log", o.noise)})
	}
	return all
}
