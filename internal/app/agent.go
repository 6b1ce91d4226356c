package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"kontor.dev/kontor/internal/agent"
	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/agent/configtools"
	"kontor.dev/kontor/internal/agent/search"
	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/models"
	"kontor.dev/kontor/internal/servers"
	"kontor.dev/kontor/internal/tokens"
)

// makeAgents makes what answers in chats: the language models and the agents.
func (p *parts) makeAgents(ctx context.Context, o Options, shelf *catalogue.Catalogue) (err error) {
	folder := o.Config.Agents()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("agents' folder: %w", err)
	}
	p.models, err = models.New(ctx, models.Options{
		Store: p.store, Expander: expander(p.store), Redactor: p.redactor, HTTPClient: p.modelClient, Publish: p.bus.Publish,
	})
	if err != nil {
		return fmt.Errorf("language models: %w", err)
	}
	p.agent = agent.New(agent.Options{
		Store: p.store, Calls: p.calls, Inbox: p.inbox, Models: p.models, Servers: p.view(), Catalogue: offering{shelf},
		Config: configtools.List(tokens.Tool), Search: search.New(p.store), Agents: agents.New(folder), Media: p.media,
		Count: tokens.Count, Vocabulary: tokens.Vocabulary(), Bus: p.bus, Log: p.part("agent"),
	})
	return nil
}

// makeConfigTools makes Kontor's own tools, which calls run as they run a server's.
func (p *parts) makeConfigTools(open *calls.Registry) *configtools.Tools {
	return configtools.New(configtools.Options{
		Servers: p.view(), Secrets: p.store, Inbox: p.inbox, Questions: open, Log: p.part("configtools"),
		SecretsChanged: func() {
			p.bus.Publish(model.SettingsChanged{})
			p.servers.VariablesChanged()
		},
	})
}

// modelClient reaches a provider at the address that the person typed.
func (p *parts) modelClient(address string) (*http.Client, error) {
	guard, err := p.guards.at(address)
	if err != nil {
		return nil, err
	}
	return guard.Typed(), nil
}

// offering is the catalogue as models are offered it.
type offering struct{ *catalogue.Catalogue }

func (c offering) Offered(server string) []model.Tool {
	return c.Tools(catalogue.Filter{Server: server, Offered: true})
}

// serverView is the servers as agents and their tools see them.
type serverView struct {
	manager *servers.Manager
	media   calls.Media
}

func (p *parts) view() serverView { return serverView{p.servers, p.media} }

// Servers implements agent.Servers.
func (v serverView) Servers() []agent.Server {
	views := v.manager.List()
	list := make([]agent.Server, len(views))
	for i, view := range views {
		list[i] = agent.Server{Config: view.Config, Status: view.Status}
	}
	return list
}

// Add implements configtools.Servers.
func (v serverView) Add(ctx context.Context, s model.Server) error {
	_, err := v.manager.Add(ctx, s)
	return err
}

// SetEnabled implements configtools.Servers.
func (v serverView) SetEnabled(ctx context.Context, name string, enabled bool) error {
	_, err := v.manager.SetEnabled(ctx, name, enabled)
	return err
}

// Delete implements configtools.Servers.
func (v serverView) Delete(ctx context.Context, name string) error {
	return v.manager.Delete(ctx, name)
}

// Reach implements agent.Servers.
func (v serverView) Reach(ctx context.Context, name string) error {
	_, err := v.manager.Conn(ctx, name)
	return err
}

// ReadResource implements agent.Servers.
func (v serverView) ReadResource(ctx context.Context, server, uri string) ([]model.Content, error) {
	conn, err := v.manager.Conn(ctx, server)
	if err != nil {
		return nil, err
	}
	raw, err := conn.ReadResource(ctx, uri)
	if err != nil {
		return nil, err
	}
	return calls.ReadContents(raw, v.media)
}

// GetPrompt implements agent.Servers.
func (v serverView) GetPrompt(ctx context.Context, server, name string, arguments json.RawMessage) ([]agent.PromptMessage, error) {
	conn, err := v.manager.Conn(ctx, server)
	if err != nil {
		return nil, err
	}
	raw, err := conn.GetPrompt(ctx, name, arguments)
	if err != nil {
		return nil, err
	}
	_, messages, err := calls.ReadPrompt(raw, v.media)
	out := make([]agent.PromptMessage, len(messages))
	for i, m := range messages {
		out[i] = agent.PromptMessage(m)
	}
	return out, err
}
