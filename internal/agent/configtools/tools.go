package configtools

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"kontor.dev/kontor/internal/agent"
	"kontor.dev/kontor/internal/model"
)

// The names of the tools.
const (
	listItems   = "list_items"
	registerMCP = "register_mcp"
	toggleItem  = "toggle_item"
	deleteMCP   = "delete_mcp"
	setSecret   = "set_secret"
	listSecrets = "list_secrets"
)

// Servers are the configured servers.
type Servers interface {
	Servers() []agent.Server
	Add(ctx context.Context, s model.Server) error
	SetEnabled(ctx context.Context, name string, enabled bool) error
	Delete(ctx context.Context, name string) error
	// Reach waits until the server is connected.
	Reach(ctx context.Context, name string) error
}

// Secrets are the sealed values that `${VAR}` stands for.
type Secrets interface {
	SecretNames(ctx context.Context) ([]string, error)
	PutSecret(ctx context.Context, name, plain string) error
}

// Inbox puts a form before the person.
type Inbox interface {
	Ask(ctx context.Context, item model.Item) (model.Answer, error)
}

// Questions has a call's clock stand still while the person is asked.
type Questions interface {
	Begin(ctx context.Context, callIDs []string) (asking context.Context, calls []model.Call, end func())
}

// Options are what Tools work with. Log may be left out.
type Options struct {
	Servers   Servers
	Secrets   Secrets
	Inbox     Inbox
	Questions Questions
	// SecretsChanged hears that a secret has another value.
	SecretsChanged func()
	Log            *slog.Logger
}

// Tools runs the tools of the group.
type Tools struct{ o Options }

// New makes the tools.
func New(o Options) *Tools {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Tools{o}
}

// definition is a tool as it is offered. alwaysAsk is one that changes what this
// machine runs.
type definition struct {
	name, title, description, schema, hints string
	alwaysAsk                               bool
	run                                     func(*Tools, context.Context, model.Call) (model.Result, error)
}

const (
	reads    = `{"readOnlyHint":true}`
	adds     = `{"destructiveHint":false}`
	destroys = `{"destructiveHint":true}`
)

// definitions are the tools, in the order in which they are listed. set_secret reads
// only: what it changes the person changes, with the form that it opens.
func definitions() []definition {
	return []definition{
		{listItems, "List servers", "Lists the configured MCP servers and how they stand.",
			`{"type":"object","properties":{"type":{"type":"string","enum":["mcp"]}}}`, reads, false, (*Tools).listItems},
		{registerMCP, "Add a server", "Adds an MCP server and connects it. The person is asked first. For a secret write ${NAME} and have it set with set_secret.",
			`{"type":"object","properties":{` +
				`"name":{"type":"string","description":"letters, digits, dots and dashes"},` +
				`"transport":{"type":"string","enum":["stdio","http","sse"]},` +
				`"command":{"type":"string","description":"stdio: the program"},` +
				`"args":{"type":"array","items":{"type":"string"}},` +
				`"env":{"type":"object","additionalProperties":{"type":"string"}},` +
				`"url":{"type":"string","description":"http: the address"},` +
				`"api_key":{"type":"string","description":"http: a bearer token, as ${NAME}"},` +
				`"description":{"type":"string"},"friendly_name":{"type":"string"}},"required":["name","transport"]}`, adds, true, (*Tools).registerMCP},
		{toggleItem, "Switch a server on or off", "Switches an MCP server on or off, at once. The person is asked first.",
			`{"type":"object","properties":{"kind":{"type":"string","enum":["mcp"]},"id":{"type":"string","description":"the server's name"},"enabled":{"type":"boolean"}},"required":["kind","id","enabled"]}`, adds, true, (*Tools).toggleItem},
		{deleteMCP, "Delete a server", "Deletes an MCP server with its settings and sign-in, for good. The person is asked first.",
			`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, destroys, true, (*Tools).deleteMCP},
		{setSecret, "Set a secret", "Opens a form in which the person types the value of a secret. You never see it; refer to it as ${NAME}.",
			`{"type":"object","properties":{"name":{"type":"string","description":"as in ${NAME}"}},"required":["name"]}`, reads, false, (*Tools).setSecret},
		{listSecrets, "List secrets", "Lists the names of the stored secrets, never their values.",
			`{"type":"object","properties":{"pattern":{"type":"string","description":"* is any run of characters"}}}`, reads, false, (*Tools).listSecrets},
	}
}

func (d definition) tool() model.Tool {
	return model.Tool{
		Server: model.GroupConfig, Name: d.name, Title: d.title, Description: d.description, Enabled: true,
		InputSchema: json.RawMessage(d.schema), Annotations: json.RawMessage(d.hints),
	}
}

// List returns the tools. price counts the tokens of one.
func List(price func(name, description string, schema []byte) int) []model.Tool {
	var out []model.Tool
	for _, d := range definitions() {
		t := d.tool()
		t.Tokens = price(t.Name, t.Description, t.InputSchema)
		out = append(out, t)
	}
	return out
}

// Tool finds a tool by its own name. Of one that changes a server the description
// says what these arguments have it do to which.
func (c *Tools) Tool(name string, arguments json.RawMessage) (tool model.Tool, alwaysAsk, ok bool) {
	for _, d := range definitions() {
		if d.name == name {
			tool = d.tool()
			if words := c.effect(name, arguments); words != "" {
				tool.Description = words
			}
			return tool, d.alwaysAsk, true
		}
	}
	return model.Tool{}, false, false
}

// Run runs a call of one of the tools. Its error says that it did nothing, or, of a
// server that was added, never that it can't be reached: that is its result.
func (c *Tools) Run(ctx context.Context, call model.Call) (model.Result, error) {
	for _, d := range definitions() {
		if d.name == call.Tool {
			return d.run(c, ctx, call)
		}
	}
	return model.Result{}, model.Errorf(model.CodeNotFound, "there is no tool %q", call.Tool)
}

// reachLimit is how long register_mcp and toggle_item wait for a connection.
const reachLimit = 30 * time.Second
