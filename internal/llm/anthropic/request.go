package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// params turns a request into the API's. Two places are marked for the provider's
// cache, which reads up to a mark and keeps nothing without: the end of the system
// prompt, with the tools before it, and the end of the conversation.
func params(r llm.Request) (sdk.MessageNewParams, error) {
	params := sdk.MessageNewParams{Model: r.Model, MaxTokens: llm.DefaultMaxTokens, Messages: messages(r.Visible())}
	if err := llm.CheckTools(r.Tools); err != nil {
		return params, err
	}
	if r.MaxTokens > 0 {
		params.MaxTokens = int64(r.MaxTokens)
	}
	if strings.TrimSpace(r.System) != "" {
		params.System = []sdk.TextBlockParam{{Text: r.System, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	}
	for _, t := range r.Tools {
		tool, err := tool(t)
		if err != nil {
			return params, err
		}
		params.Tools = append(params.Tools, sdk.ToolUnionParam{OfTool: tool})
	}
	if n := len(params.Messages); n > 0 {
		content := params.Messages[n-1].Content
		if mark := content[len(content)-1].GetCacheControl(); mark != nil {
			*mark = sdk.NewCacheControlEphemeralParam()
		}
	}
	return params, nil
}

func tool(t llm.Tool) (*sdk.ToolParam, error) {
	var schema map[string]json.RawMessage
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		return nil, model.Errorf(model.CodeInvalid, "The schema of the tool %s is not a JSON object: %w", t.Name, err)
	}
	out := &sdk.ToolParam{Name: t.Name, InputSchema: sdk.ToolInputSchemaParam{ExtraFields: map[string]any{}}}
	for name, value := range schema {
		switch name {
		case "type": // the SDK writes it
		case "properties":
			out.InputSchema.Properties = value
		default:
			out.InputSchema.ExtraFields[name] = value
		}
	}
	if t.Description != "" {
		out.Description = sdk.String(t.Description)
	}
	return out, nil
}

// messages are ours in the API's shape: results are the user's, and turns of the
// same side become one, as the API counts them.
func messages(in []llm.Message) []sdk.MessageParam {
	var out []sdk.MessageParam
	for i, m := range in {
		role := sdk.MessageParamRoleUser
		if m.Role == llm.Assistant {
			role = sdk.MessageParamRoleAssistant
		}
		content := blocks(m.Parts, i == len(in)-1 && m.Role == llm.Assistant)
		switch {
		case len(content) == 0 && m.Role == llm.User:
			content = append(content, sdk.NewTextBlock("(empty message)"))
		case len(content) == 0:
			continue
		}
		if n := len(out); n > 0 && out[n-1].Role == role {
			out[n-1].Content = append(out[n-1].Content, content...)
			continue
		}
		out = append(out, sdk.MessageParam{Role: role, Content: content})
	}
	return out
}

// blocks are a message's parts. The API refuses text that is nothing but blanks,
// and blanks at the end of an answer that it is to go on with.
func blocks(parts []llm.Part, goOn bool) []sdk.ContentBlockParamUnion {
	var out []sdk.ContentBlockParamUnion
	for _, part := range parts {
		switch part := part.(type) {
		case llm.Text:
			text := part.Text
			if goOn {
				text = strings.TrimRight(text, " \t\r\n")
			}
			if strings.TrimSpace(text) != "" {
				out = append(out, sdk.NewTextBlock(text))
			}
		case llm.Image:
			out = append(out, sdk.NewImageBlockBase64(part.MIME, base64.StdEncoding.EncodeToString(part.Bytes)))
		case llm.Reasoning:
			// Without its seal a thought belongs to another provider.
			if part.Redacted {
				out = append(out, sdk.NewRedactedThinkingBlock(part.Signature))
			} else if part.Signature != "" {
				out = append(out, sdk.NewThinkingBlock(part.Signature, part.Text))
			}
		case llm.ToolCall:
			out = append(out, sdk.NewToolUseBlock(llm.CallID(part.ID), part.Arguments, part.Name))
		case llm.ToolResult:
			out = append(out, result(part))
		}
	}
	return untilThought(out)
}

// untilThought takes the thoughts off the end of an answer, which the API refuses there
// ("The final block in an assistant message cannot be `thinking`"): one that was cut by
// its length limit may have nothing after them.
func untilThought(out []sdk.ContentBlockParamUnion) []sdk.ContentBlockParamUnion {
	for n := len(out); n > 0 && (out[n-1].OfThinking != nil || out[n-1].OfRedactedThinking != nil); n-- {
		out = out[:n-1]
	}
	return out
}

func result(r llm.ToolResult) sdk.ContentBlockParamUnion {
	b := sdk.ToolResultBlockParam{ToolUseID: llm.CallID(r.CallID)}
	if r.IsError {
		b.IsError = sdk.Bool(true)
	}
	for _, part := range r.Parts {
		switch part := part.(type) {
		case llm.Text:
			if strings.TrimSpace(part.Text) != "" {
				b.Content = append(b.Content, sdk.ToolResultBlockParamContentUnion{OfText: &sdk.TextBlockParam{Text: part.Text}})
			}
		case llm.Image:
			b.Content = append(b.Content, sdk.ToolResultBlockParamContentUnion{
				OfImage: sdk.NewImageBlockBase64(part.MIME, base64.StdEncoding.EncodeToString(part.Bytes)).OfImage,
			})
		}
	}
	return sdk.ContentBlockParamUnion{OfToolResult: &b}
}
