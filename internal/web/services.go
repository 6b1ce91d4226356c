package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/websocket"

	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/hub"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/oauth"
	"kontor.dev/kontor/internal/servers"
)

// Servers are the configured servers and their connections.
type Servers interface {
	List() []servers.View
	Get(name string) (servers.View, error)
	Add(ctx context.Context, s model.Server) (servers.View, error)
	Update(ctx context.Context, s model.Server, o servers.UpdateOptions) (servers.View, error)
	SetEnabled(ctx context.Context, name string, enabled bool) (servers.View, error)
	Delete(ctx context.Context, name string) error
	Reconnect(name string) (servers.View, error)
	VariablesChanged()
	Test(ctx context.Context, s model.Server) servers.Report
	Verify(ctx context.Context, s model.Server) servers.Report
	Conn(ctx context.Context, name string) (*servers.Conn, error)
	// Expanded is a configuration with the values of its references.
	Expanded(name string) (model.Server, error)
}

// SignIn signs in to servers.
type SignIn interface {
	Start(ctx context.Context, r oauth.Start) (oauth.Pending, error)
	Finish(ctx context.Context, answer url.Values, session string) (oauth.Finished, error)
	FinishPasted(ctx context.Context, server, address, session string) (oauth.Finished, error)
	Cancel(server string)
	SignOut(ctx context.Context, server oauth.Server) error
	Status(server string) model.Auth
}

// Catalogue is what the servers offer.
type Catalogue interface {
	Tools(f catalogue.Filter) []model.Tool
	Resources(server string) []catalogue.Resource
	Templates(server string) []catalogue.Template
	Prompts(server string) []catalogue.Prompt
	Resolve(name string) (model.Tool, error)
	Accept(ctx context.Context, server, tool string, shown time.Time) (model.Tool, error)
}

// Calls runs tools and knows those that ran.
type Calls interface {
	Start(ctx context.Context, r calls.Request) (model.Call, error)
	Wait(ctx context.Context, id string) (model.Call, error)
	Cancel(ctx context.Context, id, by string) (model.Call, error)
	Get(ctx context.Context, id string) (model.Call, error)
	List(ctx context.Context, f calls.Filter) ([]model.Call, string, error)
	// Subject is a request as the policy sees it; the tool need not exist.
	Subject(r calls.Request) (model.PolicySubject, error)
}

// Inbox is what waits for the person.
type Inbox interface {
	Open() []model.Item
	Get(ctx context.Context, id string) (model.Item, error)
	Resolve(ctx context.Context, id string, a model.Answer, by string) error
}

// Secrets are the sealed values that `${VAR}` stands for.
type Secrets interface {
	SecretNames(ctx context.Context) ([]string, error)
	PutSecret(ctx context.Context, name, plain string) error
	DeleteSecret(ctx context.Context, name string) error
}

// Settings are small JSON values by key; CodeNotFound for one never set.
type Settings interface {
	Setting(ctx context.Context, key string) (json.RawMessage, error)
	SetSetting(ctx context.Context, key string, value json.RawMessage) error
}

// Media keeps the bytes of results and serves them safely.
type Media interface {
	Put(data []byte, mimeType string) (model.Media, error)
	Serve(w http.ResponseWriter, r *http.Request, file string) error
}

// Logs are what the servers said outside of their answers, and every message that
// passed.
type Logs interface {
	Tail(server string, n int) (lines []model.LogEntry, dropped int)
	TraceOf(server string) (entries []model.TraceEntry, dropped uint64)
	// WatchTrace has further messages told to hear, until stop. hear must not block.
	WatchTrace(server string, hear func(model.TraceEntry)) (stop func())
}

// Bus is where news comes from.
type Bus interface {
	Publish(e model.Event)
	Subscribe(buffer int) *bus.Subscription
}

// Hub carries it to the browsers.
type Hub interface {
	Broadcast(encode func(seq uint64) []byte)
	Resync()
	Serve(ctx context.Context, ws *websocket.Conn, since string, onMessage func(*hub.Conn, []byte))
}
