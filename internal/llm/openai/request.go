package openai

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// params turns a request into the API's.
func (p *Provider) params(r llm.Request) (sdk.ChatCompletionNewParams, error) {
	params := sdk.ChatCompletionNewParams{Model: r.Model}
	if r.System != "" {
		params.Messages = append(params.Messages, sdk.SystemMessage(r.System))
	}
	params.Messages = append(params.Messages, messages(r.Visible())...)
	if !p.noUsage.Load() {
		params.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	switch {
	case r.MaxTokens <= 0:
	case p.completionTokens.Load():
		params.MaxCompletionTokens = sdk.Int(int64(r.MaxTokens))
	default:
		params.MaxTokens = sdk.Int(int64(r.MaxTokens))
	}
	for _, t := range r.Tools {
		tool, err := function(t)
		if err != nil {
			return params, err
		}
		params.Tools = append(params.Tools, tool)
	}
	return params, nil
}

func function(t llm.Tool) (sdk.ChatCompletionToolUnionParam, error) {
	var schema map[string]json.RawMessage
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		return sdk.ChatCompletionToolUnionParam{}, model.Errorf(model.CodeInvalid, "The schema of the tool %s is not a JSON object: %w", t.Name, err)
	}
	f := shared.FunctionDefinitionParam{Name: t.Name, Parameters: shared.FunctionParameters{}}
	for name, value := range schema {
		f.Parameters[name] = value
	}
	if t.Description != "" {
		f.Description = sdk.String(t.Description)
	}
	return sdk.ChatCompletionFunctionTool(f), nil
}

// messages are ours in the API's shape. A tool's message takes text only there, so
// the images of results follow in a message of the user's, behind the last of the
// results: nothing may come between them and their calls.
func messages(in []llm.Message) []sdk.ChatCompletionMessageParamUnion {
	var out []sdk.ChatCompletionMessageParamUnion
	var images []sdk.ChatCompletionContentPartUnionParam
	flush := func() {
		if len(images) > 0 {
			out = append(out, sdk.UserMessage(images))
			images = nil
		}
	}
	for _, m := range in {
		if m.Role != llm.FromTool {
			flush()
		}
		switch m.Role {
		case llm.User:
			out = append(out, user(m.Parts))
		case llm.Assistant:
			if a, ok := assistant(m.Parts); ok {
				out = append(out, a)
			}
		case llm.FromTool:
			for _, part := range m.Parts {
				if r, ok := part.(llm.ToolResult); ok {
					text, seen := result(r)
					out = append(out, sdk.ToolMessage(text, llm.CallID(r.CallID)))
					images = append(images, seen...)
				}
			}
		}
	}
	flush()
	return out
}

func user(parts []llm.Part) sdk.ChatCompletionMessageParamUnion {
	var content []sdk.ChatCompletionContentPartUnionParam
	var texts []string
	for _, part := range parts {
		switch part := part.(type) {
		case llm.Text:
			texts = append(texts, part.Text)
			content = append(content, sdk.TextContentPart(part.Text))
		case llm.Image:
			content = append(content, image(part))
		}
	}
	if len(texts) == len(content) {
		// Servers that know no parts know strings.
		return sdk.UserMessage(strings.Join(texts, "\n\n"))
	}
	return sdk.UserMessage(content)
}

func image(i llm.Image) sdk.ChatCompletionContentPartUnionParam {
	return sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{
		URL: "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Bytes),
	})
}

// assistant is false for a message with nothing in it that the API has a place for.
func assistant(parts []llm.Part) (sdk.ChatCompletionMessageParamUnion, bool) {
	var a sdk.ChatCompletionAssistantMessageParam
	var text strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case llm.Text:
			text.WriteString(part.Text)
		case llm.ToolCall:
			call := sdk.ChatCompletionMessageFunctionToolCallParam{
				ID:       llm.CallID(part.ID),
				Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: part.Name, Arguments: string(part.Arguments)},
			}
			a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: &call})
		}
	}
	if text.Len() > 0 {
		a.Content.OfString = sdk.String(text.String())
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &a}, text.Len() > 0 || len(a.ToolCalls) > 0
}

// result is a tool's result as text, with its images to be shown after it. The API
// has no mark for errors.
func result(r llm.ToolResult) (string, []sdk.ChatCompletionContentPartUnionParam) {
	var texts []string
	var images []sdk.ChatCompletionContentPartUnionParam
	if r.IsError {
		texts = append(texts, "Error:")
	}
	for _, part := range r.Parts {
		switch part := part.(type) {
		case llm.Text:
			texts = append(texts, part.Text)
		case llm.Image:
			texts = append(texts, "[image: it follows the results]")
			images = append(images, sdk.TextContentPart("An image of the result of "+llm.CallID(r.CallID)+":"), image(part))
		}
	}
	return strings.Join(texts, "\n"), images
}
