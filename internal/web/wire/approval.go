package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Approval asks whether a call may run: it shows exactly what will.
type Approval struct {
	ItemHead
	Kind        model.ItemKind  `json:"kind" enum:"approval"`
	Name        string          `json:"name" doc:"mcp__<server>__<tool>"`
	Title       string          `json:"title"`
	Description string          `json:"description" doc:"The words of the server: data from a stranger"`
	Annotations json.RawMessage `json:"annotations" doc:"What the server claims of the tool; null when nothing"`
	Claims      []Claim         `json:"claims" doc:"The annotations in words, quoted unless the person trusts the server"`
	Trusted     bool            `json:"trusted" doc:"The person trusts what the server claims"`
	CallID      *string         `json:"call_id" nullable:"true"`
	Agent       string          `json:"agent"`
	Message     string          `json:"message"`
	Arguments   json.RawMessage `json:"arguments"`
	Notes       []string        `json:"notes" doc:"How the arguments were mended"`
	OnceOnly    bool            `json:"once_only" doc:"It changes what this machine runs: an approval holds for this once"`
	Reason      string          `json:"reason" doc:"Why it is asked"`
	Changed     *ToolChange     `json:"definition_changed,omitempty" doc:"Set when the definition isn't the one that the person knows"`
	Deadline    *Time           `json:"deadline" nullable:"true"`
}

// Claim is what a server claims of its tool, in words.
type Claim struct {
	Kind  model.ClaimKind `json:"kind" enum:"reads,destroys,spares,silent,repeatable,outside"`
	Words string          `json:"words"`
}

// Question is what an agent asks the person.
type Question struct {
	ItemHead
	Kind        model.ItemKind `json:"kind" enum:"question"`
	CallID      *string        `json:"call_id" nullable:"true"`
	Message     string         `json:"message" doc:"The words of the model"`
	Suggestions []string       `json:"suggestions" doc:"Answers to choose from; any other may be given"`
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
		ItemHead: i.ItemHead, Kind: i.Kind, CallID: i.CallID, Message: i.Message, Deadline: i.Deadline,
		Name: a.Name, Title: a.Title, Description: a.Description,
		Annotations: a.Annotations, Claims: claimsOf(a.Annotations, a.Trusted), Trusted: a.Trusted,
		Agent: a.Agent, Arguments: a.Arguments, Notes: list(a.Notes),
		OnceOnly: a.OnceOnly, Reason: a.Reason, Changed: changeOf(a.Change),
	}
}

func claimsOf(annotations json.RawMessage, trusted bool) []Claim {
	claims := []Claim{}
	for _, c := range model.Claims(annotations, trusted) {
		claims = append(claims, Claim(c))
	}
	return claims
}

// QuestionOf is an item of that kind on the wire.
func QuestionOf(it model.Item) Question {
	i := ItemOf(it)
	q := Question{ItemHead: i.ItemHead, Kind: i.Kind, CallID: i.CallID, Message: i.Message, Deadline: i.Deadline,
		Suggestions: []string{}}
	if it.Question != nil {
		q.Suggestions = list(it.Question.Suggestions)
	}
	return q
}
