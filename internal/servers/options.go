package servers

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// Store keeps the configurations.
type Store interface {
	ListServers(ctx context.Context) ([]model.Server, error)
	// InsertServer answers CodeConflict for a name that is taken.
	InsertServer(ctx context.Context, s model.Server) error
	UpdateServer(ctx context.Context, s model.Server) error
	DeleteServer(ctx context.Context, name string) error
}

// Catalogue takes what the servers list.
type Catalogue interface {
	Configure(s model.Server)
	// Replace returns what was cut, left out or odd.
	Replace(server string, kind model.ListKind, items []json.RawMessage) []model.Warning
	Remove(server string)
}

// Inbox asks the person; it blocks until there is an answer, the item's deadline
// or the end of ctx.
type Inbox interface {
	Ask(ctx context.Context, item model.Item) (model.Answer, error)
}

// Questions stands between a question and the calls that it is asked for: their
// clocks stand still until end. asking ends when nobody waits any more.
type Questions interface {
	Begin(ctx context.Context, callIDs []string) (asking context.Context, calls []model.Call, end func())
}

// Log keeps a server's lines and the messages that pass. It redacts.
type Log interface {
	Log(server, tag, text string)
	Trace(server string, e client.TraceEvent)
}

// Expander replaces `${VAR}` references; used names the variables that it met.
// A missing one is an error that names it.
type Expander interface {
	Expand(text string) (value string, used []string, err error)
}

// Redactor masks values wherever they would be shown. Set replaces the values of
// an owner.
type Redactor interface {
	Set(owner string, values []string)
	Redact(text string) string
}

// Options are what a Manager works with. Connect, Push and Logger may be left out.
type Options struct {
	Store     Store
	Catalogue Catalogue
	Inbox     Inbox
	Questions Questions
	Log       Log
	Expander  Expander
	Redactor  Redactor
	// HTTPClient returns the guarded client for a server at address.
	HTTPClient func(address string) *http.Client
	// Publish must not block.
	Publish func(model.Event)
	// Push gets the notifications that are not the protocol's own. It must
	// return at once.
	Push func(server, method string, params json.RawMessage)
	// Connect opens a connection; left out, it is the real one.
	Connect Connect
	// Version is Kontor's, told to the servers.
	Version string
	Logger  *slog.Logger
}

// View is a server as it is configured and as it stands.
type View struct {
	Config model.Server
	Status model.Status
}

// UpdateOptions tell how a change is put into effect.
type UpdateOptions struct {
	// Force ends the connection at once instead of when the new one works.
	Force bool
}

// Stage is one step of trying a configuration.
type Stage struct {
	Name     string // "variables", "connect", "list"
	OK       bool
	Duration time.Duration
	// Code and Message say what went wrong, Evidence what was seen, Fix what to
	// do.
	Code                   model.Code
	Message, Evidence, Fix string
}
