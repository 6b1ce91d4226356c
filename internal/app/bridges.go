package app

import (
	"context"
	"os"
	"strings"

	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/policy"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/web/wire"
)

// expander replaces `${VAR}` by the stored secrets first, then the environment. A
// stored one that can't be opened is missing: the environment's value under the
// same name is another.
func expander(s *store.Store) secret.Expander {
	return secret.Expander{Lookup: func(name string) (string, bool) {
		value, err := s.Secret(context.Background(), name)
		switch {
		case err == nil:
			return value, true
		case model.CodeOf(err) == model.CodeNotFound:
			return os.LookupEnv(name)
		}
		return "", false
	}}
}

// offers is the catalogue as servers fill it: what goes with a server's tools is what
// they were allowed.
type offers struct {
	*catalogue.Catalogue
	policy *policy.Service
}

// Remove implements servers.Catalogue.
func (o offers) Remove(server string) {
	o.Catalogue.Remove(server)
	o.policy.Forget(server)
}

// demoServer is the bundled server, run by this program itself.
func demoServer(executable string) model.Server {
	return model.Server{
		Name: "demo", FriendlyName: "Demo", Description: "A tool for everything that a tool can do",
		Transport: model.TransportStdio, Command: executable, Args: []string{"server", "demo"}, Enabled: true, ShareImages: true,
	}
}

// addDemo adds the demo server, unless a server of its name is there. One that
// points at a program that moved is brought up to date.
func (p *parts) addDemo(ctx context.Context) error {
	have, err := p.servers.Server(p.demo.Name)
	if err != nil {
		_, err = p.servers.Add(ctx, p.demo)
	} else if moved(have, p.demo) {
		have.Command = p.demo.Command
		_, err = p.servers.Update(ctx, have, updateNow)
	}
	return err
}

// moved tells whether a configured server is the demo of another place on disk.
func moved(have, demo model.Server) bool {
	return have.Transport == demo.Transport && strings.Join(have.Args, " ") == strings.Join(demo.Args, " ") &&
		have.Command != demo.Command
}

// keyState says whether what is sealed can be read, and what can't.
func (p *parts) keyState(ctx context.Context) wire.Key {
	problem := p.box.Problem()
	if problem == nil {
		return wire.Key{State: "ok", Unreadable: []string{}}
	}
	p.log.Error("what is sealed can't be read", "why", problem.Message)
	key := wire.Key{State: "unusable", Message: problem.Message, Unreadable: []string{}}
	names, err := p.store.UnreadableSecrets(ctx)
	if err != nil {
		p.log.Error("which secrets can't be read is unknown", "err", err)
	}
	key.Unreadable = append(key.Unreadable, names...)
	return key
}
