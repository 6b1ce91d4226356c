package app

import (
	"context"
	"net/http"
	"sync"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/netguard"
	"kontor.dev/kontor/internal/oauth"
)

// guards are the guards of the servers, by address: what one has learned of where its
// server lives counts for what the server names, too.
type guards struct {
	mu        sync.Mutex
	byAddress map[string]*netguard.Guard
}

func (g *guards) at(address string) (*netguard.Guard, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if guard := g.byAddress[address]; guard != nil {
		return guard, nil
	}
	guard, err := netguard.New(netguard.Options{Server: address})
	if err != nil {
		return nil, err
	}
	if g.byAddress == nil {
		g.byAddress = map[string]*netguard.Guard{}
	}
	g.byAddress[address] = guard
	return guard, nil
}

// newSignIn makes what signs in to servers. What it calls is there once anything runs.
func (p *parts) newSignIn() *oauth.Service {
	return oauth.New(oauth.Options{
		Store: p.store,
		Client: func(address string) (*http.Client, error) {
			guard, err := p.guards.at(address)
			if err != nil {
				return nil, err
			}
			return guard.Named(), nil
		},
		BaseURL: func() string { return p.web.BaseURL() },
		Changed: func(server string) { p.servers.AuthChanged(server) },
		Hide:    p.redactor.Set,
		Log:     p.part("oauth"),
	})
}

// loadSignIns takes up the sign-ins of before. That one can't be read is said where
// its server is.
func (p *parts) loadSignIns(ctx context.Context) error {
	all, err := p.store.ListServers(ctx)
	if err != nil {
		return err
	}
	var remote []oauth.Server
	for _, s := range all {
		// One that lacks a variable says so when it is dialled.
		if s, err := p.servers.Expand(s); err == nil && s.Transport == model.TransportHTTP {
			remote = append(remote, oauth.Server{Name: s.Name, URL: s.URL, Settings: s.OAuth})
		}
	}
	return p.oauth.Load(ctx, remote)
}

// serverClient reaches the server at the address that the person typed, signed in
// where the person gave no token of their own.
func (p *parts) serverClient(s model.Server) (*http.Client, error) {
	return p.signedIn(s, p.oauth.Transport)
}

// trialClient does so for a configuration that is only tried.
func (p *parts) trialClient(s model.Server) (*http.Client, error) {
	return p.signedIn(s, p.oauth.Trial)
}

func (p *parts) signedIn(s model.Server, wrap func(oauth.Server, http.RoundTripper) http.RoundTripper) (*http.Client, error) {
	plain, err := p.plainClient(s)
	if err != nil || s.GivesToken() {
		return plain, err
	}
	c := *plain
	c.Transport = wrap(oauth.Server{Name: s.Name, URL: s.URL, Settings: s.OAuth}, c.Transport)
	return &c, nil
}

// plainClient signs in nowhere.
func (p *parts) plainClient(s model.Server) (*http.Client, error) {
	guard, err := p.guards.at(s.URL)
	if err != nil {
		return nil, err
	}
	return guard.Typed(), nil
}
