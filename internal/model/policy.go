package model

import (
	"encoding/json"
	"time"
)

// PolicyAction is what a rule has happen with a call.
type PolicyAction string

// The actions of a rule.
const (
	PolicyAllow PolicyAction = "allow"
	PolicyAsk   PolicyAction = "ask"
	PolicyDeny  PolicyAction = "deny"
)

// Rule says what happens with the calls that fit it. The patterns match the whole
// value, case and all; `*` stands for any run of characters,
// and empty fits everything. Rules are tried by Position; the first that fits wins.
type Rule struct {
	ID       string
	Position int
	// Agent is the id of an agent, Asker the kind of an Asker, Server a server's
	// name, or "config" for Kontor's own tools, and Tool the tool's own name.
	Agent, Asker, Server, Tool string
	// Argument is nil when the arguments don't matter.
	Argument  *ArgumentPattern
	Action    PolicyAction
	Note      string
	CreatedAt time.Time
}

// ArgumentPattern fits calls whose argument at Path, a JSON Pointer (RFC 6901) into
// the arguments, matches Pattern. A string is matched as it is, anything else as
// its JSON text without white space, members sorted, numbers as they were sent. A
// path that leads nowhere fits nothing.
type ArgumentPattern struct {
	Path    string `json:"path" maxLength:"500" doc:"A JSON Pointer into the arguments; empty is all of them"`
	Pattern string `json:"pattern" doc:"* is any run of characters; what isn't a string is compared as JSON text with sorted members"`
	// Exact takes Pattern as it is, without `*`.
	Exact bool `json:"exact,omitempty" doc:"The pattern is meant literally: * is an asterisk"`
}

// PolicySubject is a call that somebody wants to run, as a policy sees it.
type PolicySubject struct {
	Tool      Tool
	Arguments json.RawMessage
	Asker     Asker
	// Agent is the id of the agent, empty where none is in play.
	Agent, SessionID string
	// Trusted says that the person trusts what the server claims of its tools.
	Trusted bool
	// AlwaysAsk is a tool that changes what this machine runs: no rule allows it
	// without asking, and an approval holds for this once.
	AlwaysAsk bool
}

// PolicyDecision is what happens with a call, and why.
type PolicyDecision struct {
	Action PolicyAction
	// Rule is what decided; nil where Reason alone did.
	Rule *Rule
	// Reason is a sentence for the person.
	Reason string
}

// ApprovalScope is how far an approval holds.
type ApprovalScope string

// The scopes of an approval.
const (
	ScopeOnce ApprovalScope = "once"
	// ScopeSession is this chat.
	ScopeSession ApprovalScope = "session"
	// ScopeAlways is this one tool, from now on.
	ScopeAlways ApprovalScope = "always"
)

// SessionGrant is an approval of a tool for the rest of a chat.
type SessionGrant struct {
	SessionID, Server, Tool string
	// ChangedAt is the change of the tool's definition that the person saw then
	// (DefinitionChange.At); zero when there was none.
	ChangedAt time.Time
}

// The outcomes of an audit entry. Cancelled is one that nobody answered.
const (
	OutcomeAllowed   = "allowed"
	OutcomeDenied    = "denied"
	OutcomeApproved  = "approved"
	OutcomeRejected  = "rejected"
	OutcomeCancelled = "cancelled"
)

// AuditEntry is one decision about one call, with the arguments that it was about.
type AuditEntry struct {
	ID           string
	At           time.Time
	CallID       string
	SessionID    string
	Asker        Asker
	Agent        string
	Server, Tool string
	Arguments    json.RawMessage
	// Decision is what the policy said, Outcome, one of the Outcome constants, what
	// came of it.
	Decision PolicyAction
	Outcome  string
	RuleID   string
	Reason   string
	// Scope, Note and By are the person's part.
	Scope ApprovalScope
	Note  string
	By    string
}

// Approval is what an item of that kind shows: exactly what will run.
type Approval struct {
	// Name is the tool's full name.
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
	// Trusted says that the person trusts what the server claims in Annotations.
	Trusted   bool            `json:"trusted,omitempty"`
	Agent     string          `json:"agent,omitempty"`
	Arguments json.RawMessage `json:"arguments"`
	// Notes say how the arguments were mended (toolschema.Fit).
	Notes []string `json:"notes,omitempty"`
	// Change is set when the definition isn't the one that the person knows.
	Change *DefinitionChange `json:"change,omitempty"`
	// OnceOnly is a tool that changes what this machine runs.
	OnceOnly bool `json:"once_only,omitempty"`
	// Reason says why it is asked, RuleID by which rule, if by one.
	Reason string `json:"reason,omitempty"`
	RuleID string `json:"rule_id,omitempty"`
}

// Question is what an agent asks the person.
type Question struct {
	// Suggestions are answers to choose from; any other may be given too.
	Suggestions []string `json:"suggestions,omitempty"`
}
