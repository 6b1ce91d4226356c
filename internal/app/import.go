package app

import (
	"context"
	"slices"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/servers/paste"
)

// ImportOrder asks for servers of another program's configuration. They are saved
// turned off, so that nothing starts.
type ImportOrder struct {
	// Text is the whole configuration, as paste.Document takes it.
	Text string
	// Names are the servers to save; All saves every one.
	Names []string
	All   bool
}

// Imported is what became of one of them.
type Imported struct {
	Name string
	// Problem is why it was not saved, in words; empty when it was.
	Problem string
}

// run saves what it can. A name that is not there is an error before anything is.
func (o ImportOrder) run(ctx context.Context, add func(context.Context, model.Server) error) ([]Imported, error) {
	read, err := paste.Document(o.Text)
	if err != nil {
		return nil, err
	}
	for _, name := range o.Names {
		if !slices.ContainsFunc(read.Servers, func(s model.Server) bool { return s.Name == name }) {
			return nil, model.Errorf(model.CodeNotFound, "there is no server %q in it", name)
		}
	}
	var done []Imported
	for _, s := range read.Servers {
		if !o.All && !slices.Contains(o.Names, s.Name) {
			continue
		}
		s.Enabled = false
		one := Imported{Name: s.Name}
		if err := add(ctx, s); err != nil {
			one.Problem = err.Error()
		}
		done = append(done, one)
	}
	return done, nil
}
