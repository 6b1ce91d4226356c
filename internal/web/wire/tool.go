package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Tool is one tool of one server; schemas, annotations and icons as the server
// sent them.
type Tool struct {
	Name         string          `json:"name" doc:"mcp__<server>__<tool>"`
	Server       string          `json:"server"`
	Tool         string          `json:"tool"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	OutputSchema json.RawMessage `json:"output_schema" doc:"Null when the server gave none"`
	Annotations  json.RawMessage `json:"annotations" doc:"Null when the server gave none"`
	Claims       []Claim         `json:"claims" doc:"The annotations in words, quoted"`
	Icons        json.RawMessage `json:"icons" doc:"Null when the server gave none"`
	Enabled      bool            `json:"enabled" doc:"The person's choice"`
	AppOnly      bool            `json:"app_only" doc:"For MCP Apps, never for a model"`
	TaskSupport  string          `json:"task_support" doc:"Empty, optional, required or forbidden"`
	Tokens       int             `json:"tokens" doc:"Estimated price of the definition in a model's context"`
	ChangedAt    *Time           `json:"changed_at" nullable:"true" doc:"When the definition changed last; null when it never did"`
	Changed      *ToolChange     `json:"changed,omitempty" doc:"While the definition isn't the one that the person knows"`
	ListedAt     *Time           `json:"listed_at" nullable:"true" doc:"When the server listed it last"`
	Saved        bool            `json:"saved" doc:"That was before Kontor was started"`
	Warnings     []model.Warning `json:"warnings"`
}

// ToolChange is what a tool was when the person came to know it, and what it is.
// Both are objects as the server sent them, with title, description, inputSchema,
// outputSchema and annotations.
type ToolChange struct {
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
	At  Time            `json:"at"`
}

// ToolOf is a tool on the wire.
func ToolOf(t model.Tool) Tool {
	warnings := t.Warnings
	if warnings == nil {
		warnings = []model.Warning{}
	}
	return Tool{
		Name: t.FullName(), Server: t.Server, Tool: t.Name, Title: t.Title, Description: t.Description,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
		Annotations: t.Annotations, Claims: claimsOf(t.Annotations, false), Icons: t.Icons,
		Enabled: t.Enabled, AppOnly: t.AppOnly, TaskSupport: t.TaskSupport, Tokens: t.Tokens,
		ChangedAt: When(t.ChangedAt), Changed: changeOf(t.Change), ListedAt: When(t.ListedAt), Saved: t.Saved,
		Warnings: warnings,
	}
}

func changeOf(c *model.DefinitionChange) *ToolChange {
	if c == nil {
		return nil
	}
	return &ToolChange{Old: c.Old, New: c.New, At: At(c.At)}
}
