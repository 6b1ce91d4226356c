package calls

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
)

// approvalOf is what the person sees of a call: exactly what will run.
func approvalOf(p model.PolicySubject, d model.PolicyDecision, notes []string) model.Approval {
	a := model.Approval{Name: p.Tool.FullName(), Title: p.Tool.Title, Description: p.Tool.Description,
		Annotations: p.Tool.Annotations, Trusted: p.Trusted, Agent: p.Agent, Arguments: p.Arguments, Notes: notes,
		OnceOnly: p.AlwaysAsk, Reason: d.Reason}
	if p.Tool.Change != nil {
		a.Change = new(*p.Tool.Change)
	}
	if d.Rule != nil {
		a.RuleID = d.Rule.ID
	}
	return a
}

// shownSubject is what was approved, as the policy sees it.
func shownSubject(call model.Call, a model.Approval) model.PolicySubject {
	return model.PolicySubject{
		Tool: model.Tool{Server: call.Server, Name: call.Tool, Title: a.Title, Description: a.Description,
			Annotations: a.Annotations, Change: a.Change},
		Arguments: call.Arguments, Asker: call.Asker, Agent: call.Agent, SessionID: call.SessionID,
		Trusted: a.Trusted, AlwaysAsk: a.OnceOnly,
	}
}

// sameTool tells whether the tool is still the one that was approved. What of its
// definition an approval doesn't hold, the schemas, is compared with what the person
// knows, and a difference is its Change.
func sameTool(approved, now model.Approval) bool {
	return approved.Title == now.Title && approved.Description == now.Description &&
		approved.OnceOnly == now.OnceOnly && sameJSON(approved.Annotations, now.Annotations) &&
		sameChange(approved.Change, now.Change)
}

func sameChange(a, b *model.DefinitionChange) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.At.Equal(b.At) && sameJSON(a.New, b.New)
}

// sameJSON leaves white space out of account: the store does.
func sameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || bytes.Equal(compact(a), compact(b))
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// decided is the entry of a decision that nobody was asked for.
func decided(call model.Call, d model.PolicyDecision, outcome string) model.AuditEntry {
	e := entryOf(call)
	e.Decision, e.Outcome, e.Reason = d.Action, outcome, d.Reason
	if d.Rule != nil {
		e.RuleID = d.Rule.ID
	}
	return e
}

// asked is the entry of a decision of the person's, but for its outcome.
func asked(call model.Call, shown model.Approval, a model.Answer) model.AuditEntry {
	e := entryOf(call)
	e.Decision, e.RuleID, e.Reason = model.PolicyAsk, shown.RuleID, shown.Reason
	e.Scope, e.Note, e.By = a.Scope, a.Note, a.By
	return e
}

func entryOf(call model.Call) model.AuditEntry {
	return model.AuditEntry{ID: uuid.Must(uuid.NewV7()).String(), At: time.Now().UTC(), CallID: call.ID,
		SessionID: call.SessionID, Asker: call.Asker, Agent: call.Agent, Server: call.Server, Tool: call.Tool,
		Arguments: call.Arguments}
}
