package client

import (
	"context"
	"encoding/json"
	"fmt"

	"kontor.dev/kontor/internal/mcp/wire"
)

// readQuestion reads the params of elicitation/create. A mode left out is form
// (2025-06-18 had no other); an unknown one is refused as the specification says.
func readQuestion(params json.RawMessage, callIDs []string) (Question, *wire.Error) {
	var p struct {
		Mode            *string
		Message         string
		RequestedSchema json.RawMessage
		URL             string
		ElicitationID   string
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return Question{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "the params of elicitation/create are malformed"}
	}
	q := Question{Mode: "form", Message: p.Message, CallIDs: callIDs}
	if p.Mode != nil {
		q.Mode = *p.Mode
	}
	switch q.Mode {
	case "form":
		q.Schema = p.RequestedSchema
		if len(q.Schema) == 0 || string(q.Schema) == "null" {
			q.Schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
	case "url":
		q.URL, q.ElicitationID = p.URL, p.ElicitationID
		if q.URL == "" {
			return Question{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "a question of mode url needs a url"}
		}
	default:
		return Question{}, &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("unknown elicitation mode %q", q.Mode)}
	}
	return q, nil
}

// put asks the person and answers with an ElicitResult.
func (h *Handlers) put(ctx context.Context, q Question) (json.RawMessage, error) {
	a, err := h.Elicit(ctx, q)
	if err != nil {
		return nil, err
	}
	switch a.Action {
	case "decline", "cancel":
		return json.RawMessage(`{"action":"` + a.Action + `"}`), nil
	case "accept":
		if q.Mode == "url" {
			return json.RawMessage(`{"action":"accept"}`), nil
		}
		content, err := compactObject(a.Content)
		if err != nil {
			return nil, fmt.Errorf("the answer's content: %w", err)
		}
		return json.RawMessage(`{"action":"accept","content":` + string(content) + `}`), nil
	}
	return nil, fmt.Errorf("unknown action %q", a.Action)
}
