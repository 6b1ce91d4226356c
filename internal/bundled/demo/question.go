package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type confirmArgs struct {
	Message string `json:"message"`
}

func (d *demo) addConfirm() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "confirm",
		Title:       "Confirm",
		Description: "Asks the person a yes-or-no question and answers with what they said.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"message": {"type": "string", "title": "Question", "description": "What to ask.", "minLength": 1, "maxLength": 2000, "default": "Shall the demo go on?"}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, req *mcp.CallToolRequest, args confirmArgs) (*mcp.CallToolResult, any, error) {
		answer, pending, err := kit.Ask(req, kit.Question{
			Message: args.Message,
			Schema:  schema(`{"type": "object", "properties": {}}`),
		})
		if err != nil || pending != nil {
			return pending, nil, err
		}
		if answer.Action == kit.Accept {
			return kit.Text("The person said yes."), nil, nil
		}
		return unanswered(answer), nil, nil
	})
}

// unanswered is the result when the person gave no answer. It is no error: the
// tool did what it is for.
func unanswered(answer *mcp.ElicitResult) *mcp.CallToolResult {
	if answer.Action == kit.Decline {
		return kit.Text("The person said no.")
	}
	return kit.Text("The person didn't answer.")
}

type askSecretArgs struct {
	MarkedBy string `json:"marked_by"`
}

func (d *demo) addAskSecret() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "ask_secret",
		Title:       "Ask for a secret",
		Description: "Asks the person for a secret and answers with its length; the secret itself is forgotten.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"marked_by": {"type": "string", "title": "Marked by", "description": "How the form says that the field is a secret: by the format password (not in the protocol, but common), by writeOnly, or by nothing but the field's name.", "enum": ["format", "write_only", "name"], "default": "format"}
			},
			"additionalProperties": false
		}`),
		OutputSchema: schema(`{
			"type": "object",
			"properties": {
				"action": {"type": "string", "enum": ["accept", "decline", "cancel"]},
				"length": {"type": "integer", "description": "Characters of the secret; only with accept."}
			},
			"required": ["action"]
		}`),
	}, func(_ context.Context, req *mcp.CallToolRequest, args askSecretArgs) (*mcp.CallToolResult, any, error) {
		name, mark := secretField(args.MarkedBy)
		answer, pending, err := kit.Ask(req, kit.Question{
			Message: "The demo server would like a secret. Type anything but a real one: only its length is used.",
			Schema: schema(fmt.Sprintf(`{
				"type": "object",
				"properties": {%q: {"type": "string", "title": "Secret", "minLength": 1, "maxLength": 1000%s}},
				"required": [%q]
			}`, name, mark, name)),
		})
		if err != nil || pending != nil {
			return pending, nil, err
		}
		said := secretAnswer{Action: answer.Action}
		if secret, ok := answer.Content[name].(string); ok {
			said.Length = new(utf8.RuneCountInString(secret))
		}
		result, err := kit.Structured(said)
		return result, nil, err
	})
}

type secretAnswer struct {
	Action string `json:"action"`
	Length *int   `json:"length,omitempty"`
}

// secretField is the name of the secret's field and what marks it in the schema.
func secretField(markedBy string) (name, mark string) {
	switch markedBy {
	case "write_only":
		return "value", `, "writeOnly": true`
	case "name":
		return "api_token", ""
	}
	return "value", `, "format": "password"`
}

type askLinkArgs struct {
	URL string `json:"url"`
}

func (d *demo) addAskLink() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "ask_link",
		Title:       "Ask to open a link",
		Description: "Asks the person to open an address and to say when they are done there. The server itself doesn't contact the address.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"url": {"type": "string", "format": "uri", "title": "Address", "description": "What to open.", "minLength": 1, "maxLength": 2000, "default": "https://example.com/confirm?demo=1"}
			},
			"additionalProperties": false
		}`),
	}, func(ctx context.Context, req *mcp.CallToolRequest, args askLinkArgs) (*mcp.CallToolResult, any, error) {
		answer, pending, err := kit.Ask(req, kit.Question{
			Message: "Open the page, do what it says, and come back.",
			URL:     args.URL,
			State:   rand.Text(),
		})
		if err != nil || pending != nil {
			return pending, nil, err
		}
		if answer.Action != kit.Accept {
			return unanswered(answer), nil, nil
		}
		if err := kit.LinkDone(ctx, req); err != nil {
			return nil, nil, err
		}
		return kit.Text("The person says that they are done at " + args.URL + "."), nil, nil
	})
}
