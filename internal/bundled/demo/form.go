package demo

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

// formAnswer is what the asking tools with a form answer with.
type formAnswer struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

func formAnswerSchema() json.RawMessage {
	return schema(`{
		"type": "object",
		"properties": {
			"action": {"type": "string", "enum": ["accept", "decline", "cancel"]},
			"content": {"type": "object", "description": "The fields as the client sent them; only with accept."}
		},
		"required": ["action"]
	}`)
}

func askForm(req *mcp.CallToolRequest, q kit.Question) (*mcp.CallToolResult, any, error) {
	answer, pending, err := kit.Ask(req, q)
	if err != nil || pending != nil {
		return pending, nil, err
	}
	result, err := kit.Structured(formAnswer{Action: answer.Action, Content: answer.Content})
	return result, nil, err
}

func (d *demo) addAskForm() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:         "ask_form",
		Title:        "Ask with a form",
		Description:  "Asks the person to fill in a form with every kind of field that the protocol has, and answers with what they filled in.",
		Annotations:  kit.ReadOnly(),
		InputSchema:  noArguments(),
		OutputSchema: formAnswerSchema(),
	}, func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return askForm(req, kit.Question{
			Message: "Order something from the demo shop. Nothing will be delivered.",
			Schema:  orderForm(),
		})
	})
}

// orderForm has all of PrimitiveSchemaDefinition: strings with lengths and with each
// format, numbers with limits, booleans, single choices in their three spellings
// (plain, oneOf, the older enumNames), multiple choices in their two, with and
// without defaults and requirement. The pattern goes beyond the protocol.
func orderForm() json.RawMessage {
	return schema(`{
		"type": "object",
		"properties": {
			"name": {"type": "string", "title": "Name", "description": "Whom it is for.", "minLength": 2, "maxLength": 60},
			"code": {"type": "string", "title": "Customer code", "description": "Two capitals, a dash, four digits.", "pattern": "^[A-Z]{2}-[0-9]{4}$", "default": "AB-1234"},
			"email": {"type": "string", "title": "E-mail", "format": "email"},
			"website": {"type": "string", "title": "Website", "format": "uri", "default": "https://example.com/"},
			"day": {"type": "string", "title": "Day of delivery", "format": "date"},
			"call_at": {"type": "string", "title": "When to call", "format": "date-time"},
			"amount": {"type": "integer", "title": "Amount", "minimum": 1, "maximum": 99, "default": 1},
			"price": {"type": "number", "title": "Highest price", "description": "In euros.", "minimum": 0, "maximum": 1000.5, "default": 19.95},
			"gift": {"type": "boolean", "title": "It is a gift", "default": false},
			"terms": {"type": "boolean", "title": "I have read the terms"},
			"size": {"type": "string", "title": "Size", "enum": ["S", "M", "L"], "default": "M"},
			"colour": {"type": "string", "title": "Colour", "oneOf": [{"const": "#c0392b", "title": "Red"}, {"const": "#27ae60", "title": "Green"}, {"const": "#2980b9", "title": "Blue"}]},
			"delivery": {"type": "string", "title": "Delivery", "enum": ["std", "exp"], "enumNames": ["Standard, three days", "Express, tomorrow"], "default": "std"},
			"extras": {"type": "array", "title": "Extras", "items": {"type": "string", "enum": ["card", "ribbon", "box"]}, "maxItems": 2, "default": ["card"]},
			"news": {"type": "array", "title": "News about", "description": "At least one.", "items": {"anyOf": [{"const": "offers", "title": "Special offers"}, {"const": "stock", "title": "New in stock"}, {"const": "events", "title": "Events"}]}, "minItems": 1, "maxItems": 3}
		},
		"required": ["name", "email", "amount", "terms", "colour", "news"]
	}`)
}

func (d *demo) addAskOdd() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:         "ask_odd",
		Title:        "Ask with an odd form",
		Description:  "Asks the person with a form that the protocol doesn't allow (an object within an object, a list of any text), as some servers do. A client may decline it with a reason.",
		Annotations:  kit.ReadOnly(),
		InputSchema:  noArguments(),
		OutputSchema: formAnswerSchema(),
	}, func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return askForm(req, kit.Question{
			Message: "Where shall the demo parcel go?",
			Schema: schema(`{
				"type": "object",
				"properties": {
					"address": {
						"type": "object",
						"title": "Address",
						"properties": {"street": {"type": "string"}, "town": {"type": "string"}},
						"required": ["town"]
					},
					"labels": {"type": "array", "title": "Labels", "items": {"type": "string"}}
				},
				"required": ["address"]
			}`),
		})
	})
}
