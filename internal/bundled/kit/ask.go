package kit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// statelessRevision is the first revision in which a server has no requests of
// its own: it answers a call with input_required and is called again.
const statelessRevision = "2026-07-28"

// answerKey names our one question in inputRequests and inputResponses.
const answerKey = "answer"

// What a person can do with a question (ElicitResult.action).
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// Question is what a tool wants to know from the person.
type Question struct {
	// Message is shown to the person.
	Message string
	// Schema makes it a form: the requestedSchema, sent as it is written. It may
	// go beyond the protocol's subset; the client decides what it makes of it.
	Schema json.RawMessage
	// URL makes it a link. Exactly one of Schema and URL is set.
	URL string
	// State comes back with the answer as req.Params.RequestState. In the older
	// revision a link's state is its elicitationId. It passes through the client:
	// nothing may be decided by it.
	State string
}

// Ask asks q. A tool calls it with the request that it was called with, and
// returns pending as its result when there is one: the tool then runs again, with
// the same arguments, once there is an answer. So nothing that has an effect may
// stand before Ask.
//
// The answer has the person's action; on [Accept] of a form its content fits the
// schema. Defaults are the client's task and aren't filled in here. The error, as
// a tool's error, tells that this client can't ask, or that it answered wrongly.
//
// Client/elicitation and, since 2026-07-28, basic/patterns/mrtr. For the older
// revision the SDK turns pending into an elicitation/create request.
func Ask(req *mcp.CallToolRequest, q Question) (answer *mcp.ElicitResult, pending *mcp.CallToolResult, err error) {
	response, answered := req.Params.InputResponses[answerKey]
	if !answered {
		if err := canAsk(req.ClientCapabilities(), q); err != nil {
			return nil, nil, err
		}
		return nil, &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{answerKey: elicitation(req.ProtocolVersion(), q)},
			RequestState:  q.State,
		}, nil
	}
	answer, ok := response.(*mcp.ElicitResult)
	if !ok {
		return nil, nil, errors.New("the client answered the question with something that is no answer to a question")
	}
	switch answer.Action {
	case Accept:
		return answer, nil, fits(answer.Content, q.Schema)
	case Decline, Cancel:
		return answer, nil, nil
	}
	return nil, nil, fmt.Errorf("the client answered the question with the unknown action %q", answer.Action)
}

// canAsk tells whether a client with caps can be asked q. A client that declares
// elicitation without a mode can do forms (client/elicitation, "Capabilities").
func canAsk(caps *mcp.ClientCapabilities, q Question) error {
	if caps == nil || caps.Elicitation == nil {
		return errors.New("this tool has to ask the person something, and this client can't ask (it declares no elicitation)")
	}
	modes := caps.Elicitation
	if q.URL != "" && modes.URL == nil {
		return errors.New("this tool has to show the person a link, and this client can't (it declares no elicitation in url mode)")
	}
	if q.URL == "" && modes.Form == nil && modes.URL != nil {
		return errors.New("this tool has to show the person a form, and this client can't (it declares no elicitation in form mode)")
	}
	return nil
}

func elicitation(revision string, q Question) *mcp.ElicitParams {
	older := revision < statelessRevision
	params := &mcp.ElicitParams{Mode: "form", Message: q.Message}
	switch {
	case q.URL != "":
		params.Mode, params.URL = "url", q.URL
		if older {
			params.ElicitationID = q.State
		}
	case older:
		params.RequestedSchema = unchecked(q.Schema)
	default:
		params.RequestedSchema = q.Schema
	}
	return params
}

// fits checks an accepted form against the schema it was asked with.
func fits(content map[string]any, schema json.RawMessage) error {
	if schema == nil {
		return nil
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal(schema, &parsed); err != nil {
		return fmt.Errorf("parse the question's schema: %w", err)
	}
	resolved, err := parsed.Resolve(nil)
	if err != nil {
		return fmt.Errorf("resolve the question's schema: %w", err)
	}
	if content == nil {
		content = map[string]any{}
	}
	if resolved.Validate(content) != nil {
		// The validator's own words quote the values, and one may be a secret.
		return errors.New("the answer doesn't fit the form")
	}
	return nil
}

// unchecked is a schema that the SDK sees as none. Sending elicitation/create, the
// SDK allows just the protocol's subset (no format "password", nothing nested) and
// says so after the person has answered. [fits] checks instead, in both revisions
// alike, and [sendSchemasAsWritten] puts the schema back at the last moment.
type unchecked json.RawMessage

// MarshalJSON hides the schema from the SDK's check, which marshals it.
func (unchecked) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func sendSchemasAsWritten(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		params, ok := req.GetParams().(*mcp.ElicitParams)
		if !ok {
			return next(ctx, method, req)
		}
		schema, ok := params.RequestedSchema.(unchecked)
		if !ok {
			return next(ctx, method, req)
		}
		sent := *params
		sent.RequestedSchema = json.RawMessage(schema)
		return next(ctx, method, &mcp.ServerRequest[mcp.Params]{
			Session: req.GetSession().(*mcp.ServerSession),
			Params:  &sent,
		})
	}
}

// LinkDone tells the client that what the person was sent away for by a link is
// done, so that it can take the link down. A client of the newer revision sees that
// by the call's end (client/elicitation of 2025-11-25, "Completion Notifications").
func LinkDone(ctx context.Context, req *mcp.CallToolRequest) error {
	if req.ProtocolVersion() >= statelessRevision {
		return nil
	}
	err := req.Session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: req.Params.RequestState})
	if err != nil {
		return fmt.Errorf("tell that the link is done: %w", err)
	}
	return nil
}
