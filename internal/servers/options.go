package servers

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/model"
)

// Store keeps the configurations, and what was listed with them.
type Store interface {
	ListServers(ctx context.Context) ([]model.Server, error)
	// InsertServer answers CodeConflict for a name that is taken.
	InsertServer(ctx context.Context, s model.Server) error
	UpdateServer(ctx context.Context, s model.Server) error
	// DeleteServer drops what is saved of the server as well.
	DeleteServer(ctx context.Context, name string) error

	Catalogues(ctx context.Context) (map[string]model.SavedCatalogue, error)
	// SaveCatalogue leaves lists that are missing in c as they are.
	SaveCatalogue(ctx context.Context, c model.SavedCatalogue) error
	TouchCatalogue(ctx context.Context, server string, at time.Time) error
}

// Catalogue takes what the servers list.
type Catalogue interface {
	Configure(s model.Server)
	// Replace returns how many entries are kept and what was cut, left out or odd.
	Replace(server string, kind model.ListKind, items []json.RawMessage) (kept int, warnings []model.Warning)
	// Restore is Replace with a list from before the start.
	Restore(server string, kind model.ListKind, items []json.RawMessage, at time.Time) (kept int, warnings []model.Warning)
	Remove(server string)
}

// Inbox puts questions before the person.
type Inbox interface {
	// Ask blocks until there is an answer, the item's deadline or the end of ctx.
	Ask(ctx context.Context, item model.Item) (model.Answer, error)
	// Complete ends a question of mode url that the server has seen answered.
	Complete(ctx context.Context, server, elicitationID string)
	// EndSignIns ends the items that ask to sign in to the server.
	EndSignIns(ctx context.Context, server string, a model.Action, by string)
}

// SignIn knows how far the person is signed in to each server.
type SignIn interface {
	Status(server string) model.Auth
	// Forget revokes and deletes what was granted by a server that goes.
	Forget(ctx context.Context, server string) error
}

// Questions stands between a question and the calls that it is asked for: their
// clocks stand still until end. asking ends when nobody waits any more.
type Questions interface {
	Begin(ctx context.Context, callIDs []string) (asking context.Context, calls []model.Call, end func())
}

// Log keeps a server's lines and the messages that pass. It redacts.
type Log interface {
	Write(server, tag, text string)
	Trace(server string, e model.TraceEntry, body []byte)
	// Forget drops what is in memory.
	Forget(server string)
}

// Expander replaces `${VAR}` references. It returns the values that it put in,
// too; a name without a value is an error with CodeMissingVariable.
type Expander interface {
	Expand(text string) (expanded string, used []string, err error)
}

// Redactor masks values wherever they would be shown. Set replaces the values of
// an owner.
type Redactor interface {
	Set(owner string, values []string)
	Redact(text string) string
}

// Options are what a Manager works with. TrialClient, SignIn, Guard, Push, Connect
// and Logger may be left out.
type Options struct {
	Store     Store
	Catalogue Catalogue
	Inbox     Inbox
	Questions Questions
	Log       Log
	Redactor  Redactor
	Expander  Expander
	// HTTPClient makes the guarded client for an expanded configuration: where its
	// tokens are got by signing in, the client adds them.
	HTTPClient func(s model.Server) (*http.Client, error)
	// TrialClient is HTTPClient for a configuration that is only tried: what the sign-in
	// learns from it is nobody's state. Left out, it is HTTPClient.
	TrialClient func(s model.Server) (*http.Client, error)
	SignIn      SignIn
	// Guard hears of every process group.
	Guard stdio.Guard
	// Publish must not block.
	Publish func(model.Event)
	// Push gets the notifications that are not the protocol's own. It must
	// return at once.
	Push func(server, method string, params json.RawMessage)
	// Connect opens a connection; left out, it is client.Connect.
	Connect Connect
	// Version is Kontor's, told to the servers.
	Version string
	Logger  *slog.Logger
}

// View is a server as it is configured and as it stands.
type View struct {
	Config model.Server
	Status model.Status
	// Pushes counts the notifications that were handed on since the start.
	Pushes uint64
}

// UpdateOptions tell how a change is put into effect.
type UpdateOptions struct {
	// Force ends the connection at once instead of when the new one works.
	Force bool
}

// Connect opens a connection to s, whose settings are expanded, as o says.
type Connect func(ctx context.Context, s model.Server, o client.Options) (Client, error)

func connect(ctx context.Context, _ model.Server, o client.Options) (Client, error) {
	c, err := client.Connect(ctx, o)
	if err != nil {
		return nil, err
	}
	return c, nil
}
