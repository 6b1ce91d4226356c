package model

import (
	"encoding/json"
	"time"
)

// ItemKind names what waits for a person.
type ItemKind string

// The kinds of inbox items.
const (
	ItemApproval     ItemKind = "approval"
	ItemElicitation  ItemKind = "elicitation"
	ItemQuestion     ItemKind = "question"
	ItemSignIn       ItemKind = "sign_in"
	ItemNotification ItemKind = "notification"
	ItemFinding      ItemKind = "finding"
)

// ItemKinds lists every kind, in the order of the inbox.
func ItemKinds() []ItemKind {
	return []ItemKind{ItemApproval, ItemQuestion, ItemElicitation, ItemSignIn, ItemNotification, ItemFinding}
}

// ElicitationMode is how a server asks.
type ElicitationMode string

// The modes of an elicitation.
const (
	ElicitForm ElicitationMode = "form"
	ElicitURL  ElicitationMode = "url"
)

// Lasting tells whether an item of the kind outlives a restart: its asker comes back
// for the answer, or there is none.
func (k ItemKind) Lasting() bool {
	return k == ItemApproval || k == ItemQuestion || k == ItemNotification
}

// Item is one thing in the inbox. It never holds an answer's values.
type Item struct {
	ID           string
	Kind         ItemKind
	Server, Tool string
	// CallID is empty when the protocol doesn't tell which of CallIDs asked.
	CallID    string
	CallIDs   []string
	SessionID string
	Asker     Asker

	Mode          ElicitationMode
	Message       string
	Schema        json.RawMessage
	URL           string
	ElicitationID string

	// Reason, one of the Reason constants, and Scopes say why a sign-in is needed, and
	// for what.
	Reason string
	Scopes []string

	// Approval and Question are set for items of their kind.
	Approval *Approval
	Question *Question

	CreatedAt time.Time
	// Deadline is when the item is cancelled by itself; zero for never.
	Deadline   time.Time
	Resolution *Resolution
}

// Action is an answer to an elicitation.
type Action string

// The actions.
const (
	ActionAccept  Action = "accept"
	ActionDecline Action = "decline"
	ActionCancel  Action = "cancel"
)

// Resolution says how an item ended, without any value.
type Resolution struct {
	Action Action
	// By is who ended it: "you", "this tab"'s session, "time limit", "call ended",
	// "server", "restart".
	By string
	At time.Time
	// Scope, ForArguments and Note belong to an approval, Text to a question: its
	// answer goes to an agent's transcript. They are kept, so that an answer survives
	// a restart.
	Scope        ApprovalScope
	ForArguments bool
	Note         string
	Text         string
}

// Answer is what the person said. Content lives in memory only.
type Answer struct {
	Action  Action
	Content json.RawMessage
	// Scope and Note are an approval's. ForArguments has ScopeAlways hold only for
	// arguments that are the same.
	Scope        ApprovalScope
	ForArguments bool
	Note         string
	// Text answers a question.
	Text string
	// By is who answered, as in a Resolution; the inbox sets it.
	By string
}
