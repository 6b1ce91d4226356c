package web

import (
	"context"
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Chat is the agents and their chats. Ids that lead nowhere are CodeNotFound.
type Chat interface {
	List(ctx context.Context, f model.ChatFilter) (items []model.ChatView, next string, err error)
	Create(ctx context.Context, s model.ChatSession) (model.ChatView, error)
	Get(ctx context.Context, id string) (model.ChatView, error)
	Change(ctx context.Context, id string, c model.ChatChange) (model.ChatView, error)
	// Delete stops what runs first.
	Delete(ctx context.Context, id string) error
	Messages(ctx context.Context, f model.MessageFilter) (items []model.ChatMessage, next string, err error)
	// Send stores the message before it returns. During a turn it joins at the next round.
	Send(ctx context.Context, id string, m model.Sending) (turnID string, err error)
	// Retry answers the last message of the person anew, or goes on with a turn that
	// was interrupted.
	Retry(ctx context.Context, id string) (turnID string, err error)
	Stop(ctx context.Context, id string) error
	SetGrants(ctx context.Context, id string, groups []string) (model.ChatView, error)
	// RunTool runs a tool for the person, or a script of theirs, and shows it in the chat.
	RunTool(ctx context.Context, id, name string, arguments json.RawMessage, by model.Asker) (model.Call, error)
	// Export is the chat as Markdown.
	Export(ctx context.Context, id string) (title, markdown string, err error)
	Agents(ctx context.Context) []model.AgentInfo
}

// Models are the language models that the person configured.
type Models interface {
	List(ctx context.Context) ([]model.LanguageModel, error)
	Get(ctx context.Context, name string) (model.LanguageModel, error)
	Add(ctx context.Context, m model.LanguageModel) (model.LanguageModel, error)
	// Replace may rename.
	Replace(ctx context.Context, name string, m model.LanguageModel) (model.LanguageModel, error)
	Delete(ctx context.Context, name string) error
	// Try sends a short request.
	Try(ctx context.Context, m model.LanguageModel) model.ModelTrial
	// Offered asks the provider which models it has; m needs no name and no model yet.
	Offered(ctx context.Context, m model.LanguageModel) ([]model.OfferedModel, *model.Error)
}

// Policies are the rules of what may run, and what was decided.
type Policies interface {
	Rules(ctx context.Context) ([]model.Rule, error)
	// Add puts a rule at its position, or last with -1.
	Add(ctx context.Context, r model.Rule) (model.Rule, error)
	Replace(ctx context.Context, r model.Rule) (model.Rule, error)
	Delete(ctx context.Context, id string) error
	// Order takes the ids of all rules.
	Order(ctx context.Context, ids []string) ([]model.Rule, error)
	Decide(ctx context.Context, s model.PolicySubject) model.PolicyDecision
	Audit(ctx context.Context, limit int, cursor string) (items []model.AuditEntry, next string, err error)
}
