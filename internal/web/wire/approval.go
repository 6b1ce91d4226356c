package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Approval asks whether a call may run: it shows exactly what will.
type Approval struct {
	ID          string          `json:"id"`
	Kind        model.ItemKind  `json:"kind" enum:"approval"`
	Server      string          `json:"server"`
	Tool        string          `json:"tool"`
	Name        string          `json:"name" doc:"mcp__<server>__<tool>"`
	Title       string          `json:"title"`
	Description string          `json:"description" doc:"The words of the server: data from a stranger"`
	Annotations json.RawMessage `json:"annotations" doc:"What the server claims of the tool; null when nothing"`
	Claims      []Claim         `json:"claims" doc:"The annotations in words, quoted unless the person trusts the server"`
	Trusted     bool            `json:"trusted" doc:"The person trusts what the server claims"`
	CallID      *string         `json:"call_id" nullable:"true"`
	CallIDs     []string        `json:"call_ids"`
	SessionID   string          `json:"session_id"`
	Asker       model.Asker     `json:"asker"`
	Agent       string          `json:"agent"`
	Message     string          `json:"message"`
	Arguments   json.RawMessage `json:"arguments"`
	Notes       []string        `json:"notes" doc:"How the arguments were mended"`
	OnceOnly    bool            `json:"once_only" doc:"It changes what this machine runs: an approval holds for this once"`
	Reason      string          `json:"reason" doc:"Why it is asked"`
	Changed     *ToolChange     `json:"definition_changed,omitempty" doc:"Set when the definition isn't the one that the person knows"`
	CreatedAt   Time            `json:"created_at"`
	Deadline    *Time           `json:"deadline" nullable:"true"`
}

// Claim is what a server claims of its tool, in words.
type Claim struct {
	Kind  model.ClaimKind `json:"kind" enum:"reads,destroys,spares,silent,repeatable,outside"`
	Words string          `json:"words"`
}

// Question is what an agent asks the person.
type Question struct {
	ID          string         `json:"id"`
	Kind        model.ItemKind `json:"kind" enum:"question"`
	Server      string         `json:"server"`
	Tool        string         `json:"tool"`
	CallID      *string        `json:"call_id" nullable:"true"`
	CallIDs     []string       `json:"call_ids"`
	SessionID   string         `json:"session_id"`
	Asker       model.Asker    `json:"asker"`
	Message     string         `json:"message" doc:"The words of the model"`
	Suggestions []string       `json:"suggestions" doc:"Answers to choose from; any other may be given"`
	CreatedAt   Time           `json:"created_at"`
	Deadline    *Time          `json:"deadline" nullable:"true"`
}

// ResolveApproval is the person's word on a call.
type ResolveApproval struct {
	Action       string              `json:"action" enum:"approve,reject"`
	Scope        model.ApprovalScope `json:"scope,omitempty" enum:"once,session,always" doc:"Left out: once"`
	ForArguments bool                `json:"for_arguments,omitempty" doc:"With always: only for the same arguments"`
	Note         string              `json:"note,omitempty" maxLength:"4000" doc:"With reject: the model reads it"`
}

// ResolveQuestion is the person's answer.
type ResolveQuestion struct {
	Action string `json:"action,omitempty" enum:"answer,decline" doc:"Left out: answer"`
	Text   string `json:"text,omitempty" maxLength:"20000"`
}

// ApprovalOf is an item of that kind on the wire.
func ApprovalOf(it model.Item) Approval {
	i := ItemOf(it)
	a := model.Approval{}
	if it.Approval != nil {
		a = *it.Approval
	}
	return Approval{
		ID: i.ID, Kind: i.Kind, Server: i.Server, Tool: i.Tool, Name: a.Name, Title: a.Title, Description: a.Description,
		Annotations: a.Annotations, Claims: claimsOf(a), Trusted: a.Trusted, CallID: i.CallID, CallIDs: i.CallIDs, SessionID: i.SessionID,
		Asker: i.Asker, Agent: a.Agent, Message: i.Message, Arguments: a.Arguments, Notes: list(a.Notes),
		OnceOnly: a.OnceOnly, Reason: a.Reason, Changed: changeOf(a.Change), CreatedAt: i.CreatedAt, Deadline: i.Deadline,
	}
}

func claimsOf(a model.Approval) []Claim {
	claims := []Claim{}
	for _, c := range model.Claims(a.Annotations, a.Trusted) {
		claims = append(claims, Claim(c))
	}
	return claims
}

// QuestionOf is an item of that kind on the wire.
func QuestionOf(it model.Item) Question {
	i := ItemOf(it)
	q := Question{ID: i.ID, Kind: i.Kind, Server: i.Server, Tool: i.Tool, CallID: i.CallID, CallIDs: i.CallIDs,
		SessionID: i.SessionID, Asker: i.Asker, Message: i.Message, Suggestions: []string{}, CreatedAt: i.CreatedAt,
		Deadline: i.Deadline}
	if it.Question != nil {
		q.Suggestions = list(it.Question.Suggestions)
	}
	return q
}
