package wire

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"kontor.dev/kontor/internal/model"
)

// Head is what every numbered event begins with. Seq has no gaps on one stream.
type Head struct {
	Seq uint64 `json:"seq"`
	At  Time   `json:"at"`
}

// Hello is the first message of a socket. `EPOCH:SEQ` is what to resume with.
type Hello struct {
	Type  string `json:"type" enum:"hello"`
	Epoch string `json:"epoch"`
	Seq   uint64 `json:"seq"`
	Build string `json:"build,omitempty" doc:"Version of Kontor: a page of another one is stale"`
}

// Resync tells that events were missed: read everything again, then go on from
// here.
type Resync struct {
	Type  string `json:"type" enum:"resync"`
	Epoch string `json:"epoch"`
	Seq   uint64 `json:"seq"`
	Build string `json:"build,omitempty"`
}

// ServerStateEvent tells that a server was added or changed, or its status moved.
type ServerStateEvent struct {
	Head
	Type   string `json:"type" enum:"server_state"`
	Server Server `json:"server"`
}

// ServerRemovedEvent tells that a server was deleted.
type ServerRemovedEvent struct {
	Head
	Type string `json:"type" enum:"server_removed"`
	Name string `json:"name"`
}

// CatalogueChangedEvent tells that the tools, resources or prompts of a server are
// others now.
type CatalogueChangedEvent struct {
	Head
	Type   string `json:"type" enum:"catalogue_changed"`
	Server string `json:"server"`
}

// CallEvent tells of a call: that it has a row, that it moved, that it is final.
// Values above 64 KiB are left out and the call is marked cut.
type CallEvent struct {
	Head
	Type string `json:"type" enum:"call_started,call_progress,call_done"`
	Call Call   `json:"call"`
}

// ItemAddedEvent tells that something waits for the person.
type ItemAddedEvent struct {
	Head
	Type string  `json:"type" enum:"item_added"`
	Item AnyItem `json:"item"`
}

// ItemResolvedEvent tells that it no longer does, and how it ended.
type ItemResolvedEvent struct {
	Head
	Type       string         `json:"type" enum:"item_resolved"`
	Kind       model.ItemKind `json:"kind" enum:"approval,elicitation,question,sign_in,notification,finding"`
	Resolution Resolution     `json:"resolution"`
}

// SettingsChangedEvent tells that access, appearance or secrets' names changed.
type SettingsChangedEvent struct {
	Head
	Type string `json:"type" enum:"settings_changed"`
}

// LogLine is a line of a server's log, for those who subscribed to it. It has no
// number and is not sent again.
type LogLine struct {
	Type   string   `json:"type" enum:"log_line"`
	Server string   `json:"server"`
	Line   LogEntry `json:"line"`
}

// Event is everything that comes over the socket, told apart by type.
type Event struct{}

// TransformSchema makes the union.
func (Event) TransformSchema(r huma.Registry, _ *huma.Schema) *huma.Schema {
	return union(r, "type", Hello{}, Resync{}, ServerStateEvent{}, ServerRemovedEvent{}, CatalogueChangedEvent{},
		CallEvent{}, ItemAddedEvent{}, ItemResolvedEvent{}, SettingsChangedEvent{}, SignInChangedEvent{}, SessionChangedEvent{},
		SessionRemovedEvent{}, TurnStartedEvent{}, TurnDoneEvent{}, MessageDeltaEvent{}, MessageDoneEvent{},
		MessagesReplacedEvent{}, FrameChangedEvent{}, ModelsChangedEvent{}, PoliciesChangedEvent{}, LogLine{}, TraceLine{},
		TraceMissed{})
}

// AnyItem is an item of any kind, told apart by kind.
type AnyItem struct{ Value any }

// MarshalJSON writes the item.
func (a AnyItem) MarshalJSON() ([]byte, error) { return appendJSON(nil, a.Value), nil }

// AnyItemOf is any item on the wire.
func AnyItemOf(it model.Item) AnyItem {
	switch it.Kind {
	case model.ItemElicitation:
		return AnyItem{ElicitationOf(it)}
	case model.ItemSignIn:
		return AnyItem{SignInItemOf(it)}
	case model.ItemApproval:
		return AnyItem{ApprovalOf(it)}
	case model.ItemQuestion:
		return AnyItem{QuestionOf(it)}
	}
	return AnyItem{ItemOf(it)}
}

// TransformSchema makes the union.
func (AnyItem) TransformSchema(r huma.Registry, _ *huma.Schema) *huma.Schema {
	return union(r, "kind", Approval{}, Elicitation{}, Question{}, SignInItem{}, Item{})
}

// Subscription is what a client may send over the socket: to get the lines of a
// server's log or its messages, or no longer.
type Subscription struct {
	Type   string `json:"type" enum:"subscribe,unsubscribe"`
	Topic  string `json:"topic" enum:"log,trace"`
	Server string `json:"server"`
}

// union is one of several shapes. There is no discriminator object: OpenAPI's
// needs one schema for each value, and types here share shapes; the values are
// single-valued enums, which TypeScript narrows by.
func union(r huma.Registry, by string, shapes ...any) *huma.Schema {
	s := &huma.Schema{Description: "Told apart by " + by}
	for _, shape := range shapes {
		s.OneOf = append(s.OneOf, r.Schema(reflect.TypeOf(shape), true, ""))
	}
	return s
}
