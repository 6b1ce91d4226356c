package wire

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"kontor.dev/kontor/internal/model"
)

// Call is one tool run. It describes the shape; AppendCall writes it, so that
// arguments and results stay the bytes that they were.
type Call struct {
	ID         string           `json:"id"`
	Name       string           `json:"name" doc:"mcp__<server>__<tool>"`
	Server     string           `json:"server"`
	Tool       string           `json:"tool"`
	Arguments  json.RawMessage  `json:"arguments" doc:"The object as it was given"`
	State      model.CallState  `json:"state" enum:"waiting_approval,running,waiting_input,done,failed,cancelled,rejected,unknown"`
	Asker      model.Asker      `json:"asker"`
	SessionID  string           `json:"session_id"`
	ResultType model.ResultType `json:"result_type" enum:"string,json"`
	Result     json.RawMessage  `json:"result" doc:"A string, or with result_type json the structured content as sent; null until the call has answered"`
	Structured json.RawMessage  `json:"structured" doc:"structuredContent as sent, or null"`
	Content    []model.Content  `json:"content" doc:"Every block, in the server's order"`
	IsError    bool             `json:"is_error" doc:"The tool itself says that it failed"`
	Media      []model.Media    `json:"media"`
	Error      *model.Error     `json:"error,omitempty" doc:"What kept the call from an answer"`
	Progress   *Progress        `json:"progress,omitempty"`
	StartedAt  Time             `json:"started_at"`
	EndedAt    *Time            `json:"ended_at" nullable:"true"`
	WaitedMS   int64            `json:"waited_ms,omitempty" doc:"How long of it the call waited for the person, for an approval or an answer; until it ends, without what it waits now"`
	Unstored   bool             `json:"unstored,omitempty" doc:"The end could not be stored, as on a full disk: Kontor knows it until it stops, and stores it as soon as it can"`
	Cut        bool             `json:"cut,omitempty" doc:"In lists and events: result, structured and content are left out, and large arguments too; GET the call"`
}

// Progress is a server's word on how far a call is; numbers as they were sent.
type Progress struct {
	Progress Number `json:"progress"`
	Total    Number `json:"total,omitempty"`
	Message  string `json:"message,omitempty"`
}

// Number is a JSON number, digit by digit as it was sent.
type Number string

// MarshalJSON writes the digits.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// UnmarshalJSON keeps the digits.
func (n *Number) UnmarshalJSON(data []byte) error {
	*n = Number(data)
	return nil
}

// Schema is the shape in the OpenAPI document.
func (Number) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

// ToolCall is the request to run a tool.
type ToolCall struct {
	Name      string          `json:"name" doc:"mcp__<server>__<tool>, or an alias of it"`
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"An object; kept byte for byte. Left out or null means {}"`
	Session   string          `json:"session,omitempty" doc:"The chat that the call belongs to"`
	WaitMS    int64           `json:"wait_ms,omitempty" minimum:"0" maximum:"600000" doc:"How long to wait for the call to settle; 0 answers at once"`
}
