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
	Icons        json.RawMessage `json:"icons" doc:"Null when the server gave none"`
	Enabled      bool            `json:"enabled" doc:"The person's choice"`
	AppOnly      bool            `json:"app_only" doc:"For MCP Apps, never for a model"`
	TaskSupport  string          `json:"task_support" doc:"Empty, optional, required or forbidden"`
	Tokens       int             `json:"tokens" doc:"Estimated price of the definition in a model's context"`
	ChangedAt    *Time           `json:"changed_at" nullable:"true"`
	Warnings     []model.Warning `json:"warnings"`
}

// ToolOf is a tool on the wire.
func ToolOf(t model.Tool) Tool {
	warnings := t.Warnings
	if warnings == nil {
		warnings = []model.Warning{}
	}
	return Tool{
		Name: t.FullName(), Server: t.Server, Tool: t.Name, Title: t.Title, Description: t.Description,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations, Icons: t.Icons,
		Enabled: t.Enabled, AppOnly: t.AppOnly, TaskSupport: t.TaskSupport, Tokens: t.Tokens,
		ChangedAt: When(t.ChangedAt), Warnings: warnings,
	}
}
