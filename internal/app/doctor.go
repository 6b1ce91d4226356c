package app

import (
	"context"
	"errors"
	"regexp"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/mcp/watchdog"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/servers"
	"kontor.dev/kontor/internal/servers/paste"
	"kontor.dev/kontor/internal/store"
)

// Doctor tries servers step by step, whether a Kontor runs on the data folder or
// not.
type Doctor interface {
	// ServerNames are the servers that are turned on.
	ServerNames(ctx context.Context) ([]string, error)
	// Diagnose tries what the words of a command line stand for.
	Diagnose(ctx context.Context, q Complaint) ([]Diagnosis, error)
}

// Complaint is what to try.
type Complaint struct {
	// Words are the name of a server, an address, or a command with its arguments.
	Words []string
	// Dir is where a command is started.
	Dir string
}

// Diagnosis is what a try came to.
type Diagnosis struct {
	// Subject names the server, or its command or address where it has no name.
	Subject string
	// Command is the program of a stdio server.
	Command string
	Report  servers.Report
}

// OpenDoctor reaches the Kontor that runs on the data folder, or does it itself when
// none does. Call done in the end.
func OpenDoctor(ctx context.Context, c config.Config, version string) (d Doctor, done func() error, err error) {
	if r, ok := Reach(ctx, c); ok {
		return r, func() error { return nil }, nil
	}
	if err := c.MakeFolder(); err != nil {
		return nil, nil, err
	}
	lock, err := store.LockFolder(c.Data)
	if err != nil {
		return nil, nil, err
	}
	p := &parts{log: newLog(Options{}, nil), redactor: &secret.Redactor{}}
	done = func() error { return errors.Join(p.closeDoctor(), lock.Release()) }
	if err := p.openDoctor(ctx, c, version); err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return &localDoctor{list: p.store.ListServers, test: p.servers.Test}, done, nil
}

// openDoctor makes the few parts that trying a server takes. None is started.
func (p *parts) openDoctor(ctx context.Context, c config.Config, version string) (err error) {
	p.redactor.Set("environment", []string{c.APIToken, c.PasswordHash, c.Key})
	if p.store, err = store.Open(ctx, store.Options{Path: c.Database(), Unlock: p.unlock(c.Data, c.Key)}); err != nil {
		return err
	}
	if p.watchdog, err = watchdog.Start(func(line string) { p.part("watchdog").Info(line) }); err != nil {
		return err
	}
	p.servers = servers.New(servers.Options{
		Store: p.store, Redactor: p.redactor, Expander: expander(p.store), HTTPClient: p.plainClient,
		Guard: p.watchdog, Version: version, Logger: p.part("servers"),
	})
	return nil
}

func (p *parts) closeDoctor() error {
	var errs []error
	if p.store != nil {
		errs = append(errs, p.store.Close())
	}
	if p.watchdog != nil {
		errs = append(errs, p.watchdog.Close())
	}
	return errors.Join(errs...)
}

// localDoctor does it in this process.
type localDoctor struct {
	list func(context.Context) ([]model.Server, error)
	test func(context.Context, model.Server) servers.Report
}

func (d *localDoctor) ServerNames(ctx context.Context) ([]string, error) {
	all, err := d.list(ctx)
	var names []string
	for _, s := range all {
		if s.Enabled {
			names = append(names, s.Name)
		}
	}
	return names, err
}

func (d *localDoctor) Diagnose(ctx context.Context, q Complaint) ([]Diagnosis, error) {
	all, err := d.list(ctx)
	if err != nil {
		return nil, err
	}
	subjects, err := q.subjects(all)
	if err != nil {
		return nil, err
	}
	var found []Diagnosis
	for _, s := range subjects {
		found = append(found, Diagnosis{Subject: first(s.Name, s.URL, s.Command), Command: s.Command, Report: d.test(ctx, s)})
	}
	return found, ctx.Err()
}

var assignment = regexp.MustCompile(`^([A-Za-z_]\w*)=(.*)$`)

// subjects are the servers that the words stand for.
func (q Complaint) subjects(known []model.Server) ([]model.Server, error) {
	var found []model.Server
	switch len(q.Words) {
	case 0:
		return nil, model.Errorf(model.CodeInvalid, "name a server, an address or a command")
	case 1:
		for _, s := range known {
			if s.Name == q.Words[0] {
				return []model.Server{s}, nil
			}
		}
		read, err := paste.Text(q.Words[0])
		if err != nil {
			return nil, err
		}
		found = read.Servers
	default:
		s := model.Server{Transport: model.TransportStdio, Enabled: true, Env: map[string]model.Value{}}
		words := q.Words
		for m := assignment.FindStringSubmatch(words[0]); m != nil && len(words) > 1; m = assignment.FindStringSubmatch(words[0]) {
			s.Env[m[1]], words = model.Value{Text: m[2]}, words[1:]
		}
		s.Command, s.Args = words[0], words[1:]
		found = []model.Server{s}
	}
	for i := range found {
		if found[i].Transport == model.TransportStdio && found[i].Cwd == "" {
			found[i].Cwd = q.Dir
		}
	}
	return found, nil
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
