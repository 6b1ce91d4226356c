package calls

import (
	"cmp"
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// ReadContents reads what a server answered to resources/read; bytes go to keep.
func ReadContents(raw json.RawMessage, keep Media) ([]model.Content, error) {
	var result struct {
		Contents []json.RawMessage `json:"contents"`
	}
	if json.Unmarshal(raw, &result) != nil {
		return nil, model.Errorf(model.CodeProtocol, "the server's answer isn't the contents of a resource")
	}
	blocks := make([]json.RawMessage, len(result.Contents))
	for i, c := range result.Contents {
		blocks[i] = json.RawMessage(`{"type":"resource","resource":` + string(c) + `}`)
	}
	return ReadBlocks(blocks, keep), nil
}

// PromptMessage is a message of a rendered prompt.
type PromptMessage struct {
	Role    string
	Content model.Content
}

// ReadPrompt reads what a server answered to prompts/get; bytes go to keep.
func ReadPrompt(raw json.RawMessage, keep Media) (description string, messages []PromptMessage, err error) {
	var result struct {
		Description string `json:"description"`
		Messages    []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(raw, &result) != nil {
		return "", nil, model.Errorf(model.CodeProtocol, "the server's answer isn't a prompt")
	}
	for _, m := range result.Messages {
		for _, c := range ReadBlocks([]json.RawMessage{m.Content}, keep) {
			messages = append(messages, PromptMessage{Role: cmp.Or(m.Role, "user"), Content: c})
		}
	}
	return result.Description, messages, nil
}
