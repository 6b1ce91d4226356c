package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Inbox is everything that waits for the person, by kind, oldest first.
type Inbox struct {
	Total         int           `json:"total"`
	Approvals     []Approval    `json:"approvals"`
	Elicitations  []Elicitation `json:"elicitations"`
	Questions     []Question    `json:"questions"`
	SignIns       []SignInItem  `json:"sign_ins"`
	Notifications []Item        `json:"notifications"`
	Findings      []Item        `json:"findings"`
}

// ItemHead is what the items of every kind say in the same words. What else all of
// them have, the API describes for each kind in its own.
type ItemHead struct {
	ID        string      `json:"id"`
	Server    string      `json:"server"`
	Tool      string      `json:"tool"`
	CallIDs   []string    `json:"call_ids"`
	SessionID string      `json:"session_id"`
	Asker     model.Asker `json:"asker"`
	CreatedAt Time        `json:"created_at"`
}

// Item is a thing in the inbox that has nothing of its own to say.
type Item struct {
	ItemHead
	Kind     model.ItemKind `json:"kind" enum:"notification,finding"`
	CallID   *string        `json:"call_id" nullable:"true" doc:"Null when the protocol doesn't tell which of call_ids asked"`
	Message  string         `json:"message" doc:"The words of the server: data from a stranger"`
	Deadline *Time          `json:"deadline" nullable:"true" doc:"When it is cancelled by itself"`
}

// Elicitation is a server's question to the person.
type Elicitation struct {
	ItemHead
	Kind     model.ItemKind        `json:"kind" enum:"elicitation"`
	CallID   *string               `json:"call_id" nullable:"true" doc:"Null when the protocol doesn't tell which of call_ids asked"`
	Message  string                `json:"message" doc:"The words of the server: data from a stranger"`
	Deadline *Time                 `json:"deadline" nullable:"true" doc:"When it is cancelled by itself"`
	Mode     model.ElicitationMode `json:"mode" enum:"form,url"`
	Schema   json.RawMessage       `json:"schema" doc:"The form as the server sent it; null in mode url"`
	URL      string                `json:"url" doc:"The address to open in mode url; empty in mode form"`
}

// SignInItem asks the person to sign in to a server.
type SignInItem struct {
	ItemHead
	Kind     model.ItemKind `json:"kind" enum:"sign_in"`
	CallID   *string        `json:"call_id" nullable:"true" doc:"The call that waits for more rights"`
	Message  string         `json:"message"`
	Deadline *Time          `json:"deadline" nullable:"true" doc:"When it is cancelled by itself"`
	Reason   string         `json:"reason" enum:"first_time,expired,more_rights,signed_out,token_refused"`
	Scopes   []string       `json:"scopes"`
}

// SignInItemOf is an item of that kind on the wire.
func SignInItemOf(it model.Item) SignInItem {
	i := ItemOf(it)
	return SignInItem{
		ItemHead: i.ItemHead, Kind: i.Kind, CallID: i.CallID, Message: i.Message, Deadline: i.Deadline,
		Reason: it.Reason, Scopes: list(it.Scopes),
	}
}

// ResolveElicitation is the person's answer.
type ResolveElicitation struct {
	Action  model.Action    `json:"action" enum:"accept,decline,cancel"`
	Content json.RawMessage `json:"content,omitempty" doc:"With accept in mode form: an object. Fields left out take the schema's defaults"`
}

// Resolution says how an item ended, without any value.
type Resolution struct {
	ID     string       `json:"id"`
	Action model.Action `json:"action" enum:"accept,decline,cancel"`
	By     string       `json:"by"`
	At     Time         `json:"at"`
	// Scope, Note and Text are kept of approvals and questions only.
	Scope model.ApprovalScope `json:"scope,omitempty" doc:"Of an approval"`
	Note  string              `json:"note,omitempty" doc:"Of an approval"`
	Text  string              `json:"text,omitempty" doc:"The answer to a question"`
}

// ResolutionOf is how the item ended, nil while it is open.
func ResolutionOf(it model.Item) *Resolution {
	if it.Resolution == nil {
		return nil
	}
	r := it.Resolution
	return &Resolution{ID: it.ID, Action: r.Action, By: r.By, At: At(r.At), Scope: r.Scope, Note: r.Note, Text: r.Text}
}

// ElicitationOf is an item of that kind on the wire.
func ElicitationOf(it model.Item) Elicitation {
	i := ItemOf(it)
	return Elicitation{
		ItemHead: i.ItemHead, Kind: i.Kind, CallID: i.CallID, Message: i.Message, Deadline: i.Deadline,
		Mode: it.Mode, Schema: it.Schema, URL: it.URL,
	}
}

// ItemOf is what every item has on the wire.
func ItemOf(it model.Item) Item {
	i := Item{
		ItemHead: ItemHead{
			ID: it.ID, Server: it.Server, Tool: it.Tool, CallIDs: list(it.CallIDs),
			SessionID: it.SessionID, Asker: it.Asker, CreatedAt: At(it.CreatedAt),
		},
		Kind: it.Kind, Message: it.Message, Deadline: When(it.Deadline),
	}
	if it.CallID != "" {
		i.CallID = &it.CallID
	}
	return i
}

// InboxOf sorts open items by kind.
func InboxOf(items []model.Item) Inbox {
	in := Inbox{
		Total:     len(items),
		Approvals: []Approval{}, Elicitations: []Elicitation{}, Questions: []Question{},
		SignIns: []SignInItem{}, Notifications: []Item{}, Findings: []Item{},
	}
	for _, it := range items {
		switch it.Kind {
		case model.ItemElicitation:
			in.Elicitations = append(in.Elicitations, ElicitationOf(it))
		case model.ItemApproval:
			in.Approvals = append(in.Approvals, ApprovalOf(it))
		case model.ItemQuestion:
			in.Questions = append(in.Questions, QuestionOf(it))
		case model.ItemSignIn:
			in.SignIns = append(in.SignIns, SignInItemOf(it))
		case model.ItemNotification:
			in.Notifications = append(in.Notifications, ItemOf(it))
		case model.ItemFinding:
			in.Findings = append(in.Findings, ItemOf(it))
		}
	}
	return in
}
