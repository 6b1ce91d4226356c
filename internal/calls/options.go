package calls

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
)

// Conn is a live connection to a server. Its errors carry a *model.Error in
// words; they wrap wire.ErrNotSent or wire.ErrSessionLost when the server is
// known not to have run the call, and client.ErrOutcomeUnknown when it may have.
type Conn interface {
	CallTool(ctx context.Context, call client.ToolCall) (json.RawMessage, error)
}

// Catalogue resolves names.
type Catalogue interface {
	// Resolve finds a tool by full name or alias, or answers CodeNotFound.
	Resolve(name string) (model.Tool, error)
	// Listed tells whether a server's tools are known.
	Listed(server string) bool
	// Accept makes a definition the one that the person knows; shown is when the
	// change was that they saw.
	Accept(ctx context.Context, server, tool string, shown time.Time) (model.Tool, error)
}

// Policy says what may run.
type Policy interface {
	Decide(ctx context.Context, p model.PolicySubject) model.PolicyDecision
	// Widen keeps an approval for longer than once. To do it again changes nothing.
	Widen(ctx context.Context, p model.PolicySubject, scope model.ApprovalScope, forArguments bool) error
}

// Approvals puts approvals before the person and waits. When ctx ends with
// model.ErrStopping they stay open; otherwise its cause is the error.
type Approvals interface {
	Ask(ctx context.Context, item model.Item) (model.Answer, error)
	// Wait is Ask for an item that is there, open or ended.
	Wait(ctx context.Context, id string) (model.Answer, error)
	// Find is the latest of a kind that is about a call, or CodeNotFound.
	Find(ctx context.Context, kind model.ItemKind, callID string) (model.Item, error)
}

// Local are Kontor's own tools that change how it is set up, those of
// model.GroupConfig. A call of one is as any other, but goes to no server.
type Local interface {
	// Tool finds one by its own name. alwaysAsk says that it changes what this
	// machine runs; its description then says what, for these arguments.
	Tool(name string, arguments json.RawMessage) (tool model.Tool, alwaysAsk bool, ok bool)
	Run(ctx context.Context, call model.Call) (model.Result, error)
}

// Store keeps one row per call. The writes return once committed; those with an
// audit entry store both or neither.
type Store interface {
	InsertCall(ctx context.Context, call model.Call) error
	FinishCall(ctx context.Context, call model.Call) error
	InsertDecidedCall(ctx context.Context, call model.Call, a model.AuditEntry) error
	FinishDecidedCall(ctx context.Context, call model.Call, a model.AuditEntry) error
	// ApproveCall has a call run that waits for approval, HoldCall one wait that is
	// to run. One in another state is CodeConflict.
	ApproveCall(ctx context.Context, id string, a model.AuditEntry) error
	HoldCall(ctx context.Context, id string) error
	InsertAudit(ctx context.Context, a model.AuditEntry) error
	// Call answers CodeNotFound for an unknown id.
	Call(ctx context.Context, id string) (model.Call, error)
	// ListCalls returns the newest first, and a cursor for more.
	ListCalls(ctx context.Context, f Filter) (items []model.Call, next string, err error)
}

// Media keeps bytes; too large ones are refused with CodeTooLarge.
type Media interface {
	Put(data []byte, mimeType string) (model.Media, error)
}

// Options are what a Service works with. All but Rights, Local and Log are needed.
type Options struct {
	// Open is where the calls are while they run.
	Open *Registry
	// Server returns a configured server.
	Server func(name string) (model.Server, error)
	// Connect returns a live connection. It dials at once when there is none,
	// and waits up to the server's start limit.
	Connect func(ctx context.Context, server string) (Conn, error)
	// Rights waits until the person grants what a call was refused for. Left out, the
	// call fails.
	Rights    func(ctx context.Context, call model.Call) error
	Catalogue Catalogue
	Policy    Policy
	Approvals Approvals
	// Local may be left out: then there are no such tools.
	Local Local
	Store Store
	Media Media
	// Publish must not block.
	Publish func(model.Event)
	Log     *slog.Logger
}

// Filter chooses calls of a list.
type Filter = store.CallFilter

// Request is a wish to run a tool.
type Request = model.CallRequest
