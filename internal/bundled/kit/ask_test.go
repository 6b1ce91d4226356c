package kit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestCanAskGoesByTheModesThatTheClientDeclares(t *testing.T) {
	t.Parallel()
	form, url := Question{Schema: json.RawMessage(`{}`)}, Question{URL: "https://example.com/"}
	for _, tt := range []struct {
		name           string
		caps           *mcp.ClientCapabilities
		forms, andURLs bool
	}{
		{"nothing known", nil, false, false},
		{"no elicitation", &mcp.ClientCapabilities{}, false, false},
		{"no mode named", declares(false, false), true, false},
		{"forms", declares(true, false), true, false},
		{"links", declares(false, true), false, true},
		{"both", declares(true, true), true, true},
	} {
		if got := canAsk(tt.caps, form) == nil; got != tt.forms {
			t.Errorf("%s: can be asked with a form: %v", tt.name, got)
		}
		if got := canAsk(tt.caps, url) == nil; got != tt.andURLs {
			t.Errorf("%s: can be asked with a link: %v", tt.name, got)
		}
	}
}

func declares(form, url bool) *mcp.ClientCapabilities {
	modes := &mcp.ElicitationCapabilities{}
	if form {
		modes.Form = &mcp.FormElicitationCapabilities{}
	}
	if url {
		modes.URL = &mcp.URLElicitationCapabilities{}
	}
	return &mcp.ClientCapabilities{Elicitation: modes}
}

func TestAskRefusesAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}`)
	for name, tt := range map[string]struct {
		response mcp.InputResponse
		works    bool
	}{
		"accepted":         {&mcp.ElicitResult{Action: Accept, Content: map[string]any{"a": "x"}}, true},
		"declined":         {&mcp.ElicitResult{Action: Decline}, true},
		"cancelled":        {&mcp.ElicitResult{Action: Cancel}, true},
		"accepted, empty":  {&mcp.ElicitResult{Action: Accept}, false},
		"accepted, misfit": {&mcp.ElicitResult{Action: Accept, Content: map[string]any{"a": 1}}, false},
		"unknown action":   {&mcp.ElicitResult{Action: "maybe"}, false},
		//lint:ignore SA1019 some response that is no ElicitResult is needed
		"of another request": {&mcp.ListRootsResult{}, false},
	} {
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{
			InputResponses: mcp.InputResponseMap{answerKey: tt.response},
		}}
		_, pending, err := Ask(req, Question{Schema: schema})
		if pending != nil || (err == nil) != tt.works {
			t.Errorf("%s: got %v, %v", name, pending, err)
		}
	}
}

func TestAskNeverRepeatsAMisfit(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}`)
	req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{InputResponses: mcp.InputResponseMap{
		answerKey: &mcp.ElicitResult{Action: Accept, Content: map[string]any{"a": "hunter2"}},
	}}}
	_, _, err := Ask(req, Question{Schema: schema})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v, want an error without the value", err)
	}
}
