package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Rule says what happens with the calls that fit it; the first that fits wins.
type Rule struct {
	ID        string                 `json:"id"`
	Position  int                    `json:"position" doc:"Rules are tried in this order, from 0"`
	Agent     string                 `json:"agent" doc:"An agent's id. Patterns match the whole value; * is any run of characters, empty anything"`
	Asker     string                 `json:"asker" doc:"person, token, agent, subagent, gateway, trigger or schedule"`
	Server    string                 `json:"server" doc:"A server's name, or config for Kontor's own tools"`
	Tool      string                 `json:"tool" doc:"The tool's own name"`
	Argument  *model.ArgumentPattern `json:"argument,omitempty" doc:"path is a JSON Pointer into the arguments"`
	Action    model.PolicyAction     `json:"action" enum:"allow,ask,deny"`
	Note      string                 `json:"note"`
	CreatedAt Time                   `json:"created_at"`
}

// RuleConfig is what the person writes of a rule. A new one comes last.
type RuleConfig struct {
	Agent    string                 `json:"agent,omitempty" maxLength:"200"`
	Asker    string                 `json:"asker,omitempty" maxLength:"200"`
	Server   string                 `json:"server,omitempty" maxLength:"200"`
	Tool     string                 `json:"tool,omitempty" maxLength:"200"`
	Argument *model.ArgumentPattern `json:"argument,omitempty"`
	Action   model.PolicyAction     `json:"action" enum:"allow,ask,deny"`
	Note     string                 `json:"note,omitempty" maxLength:"500"`
	Position *int                   `json:"position,omitempty" minimum:"0" doc:"Left out: the last, or where it is"`
}

// RuleOrder is every rule's id, in the order in which they shall be tried.
type RuleOrder struct {
	IDs []string `json:"ids"`
}

// Simulation is a call to think through; nothing is run.
type Simulation struct {
	Name      string          `json:"name" doc:"mcp__<server>__<tool>; it need not exist"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Agent     string          `json:"agent,omitempty"`
	Asker     string          `json:"asker,omitempty" doc:"Left out: agent"`
	SessionID string          `json:"session_id,omitempty"`
}

// Decision is what would happen.
type Decision struct {
	Action model.PolicyAction `json:"action" enum:"allow,ask,deny"`
	Rule   *Rule              `json:"rule,omitempty" doc:"What decided; left out where reason alone did"`
	Reason string             `json:"reason"`
}

// AuditEntry is one decision about one call.
type AuditEntry struct {
	ID        string              `json:"id"`
	At        Time                `json:"at"`
	CallID    string              `json:"call_id"`
	SessionID string              `json:"session_id"`
	Asker     model.Asker         `json:"asker"`
	Agent     string              `json:"agent"`
	Server    string              `json:"server"`
	Tool      string              `json:"tool"`
	Arguments json.RawMessage     `json:"arguments"`
	Decision  model.PolicyAction  `json:"decision" enum:"allow,ask,deny"`
	Outcome   string              `json:"outcome" enum:"allowed,denied,approved,rejected,cancelled"`
	RuleID    string              `json:"rule_id"`
	Reason    string              `json:"reason"`
	Scope     model.ApprovalScope `json:"scope" doc:"once, session or always; empty where nobody was asked"`
	Note      string              `json:"note"`
	By        string              `json:"by"`
}

// RuleOf is a rule on the wire.
func RuleOf(r model.Rule) Rule {
	return Rule{ID: r.ID, Position: r.Position, Agent: r.Agent, Asker: r.Asker, Server: r.Server, Tool: r.Tool,
		Argument: r.Argument, Action: r.Action, Note: r.Note, CreatedAt: At(r.CreatedAt)}
}

// Model is the rule that the person wrote, under an id.
func (c RuleConfig) Model(id string) model.Rule {
	r := model.Rule{ID: id, Position: -1, Agent: c.Agent, Asker: c.Asker, Server: c.Server, Tool: c.Tool,
		Argument: c.Argument, Action: c.Action, Note: c.Note}
	if c.Position != nil {
		r.Position = *c.Position
	}
	return r
}

// DecisionOf is a decision on the wire.
func DecisionOf(d model.PolicyDecision) Decision {
	out := Decision{Action: d.Action, Reason: d.Reason}
	if d.Rule != nil {
		out.Rule = new(RuleOf(*d.Rule))
	}
	return out
}

// AuditEntryOf is an entry on the wire.
func AuditEntryOf(a model.AuditEntry) AuditEntry {
	return AuditEntry{ID: a.ID, At: At(a.At), CallID: a.CallID, SessionID: a.SessionID, Asker: a.Asker, Agent: a.Agent,
		Server: a.Server, Tool: a.Tool, Arguments: a.Arguments, Decision: a.Decision, Outcome: a.Outcome,
		RuleID: a.RuleID, Reason: a.Reason, Scope: a.Scope, Note: a.Note, By: a.By}
}
