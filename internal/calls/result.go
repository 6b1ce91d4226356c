package calls

import (
	"encoding/json"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
)

// maxMalformed bounds what is kept of an answer that is no result.
const maxMalformed = 64 << 10

// readResult reads the result of tools/call once, from the server's bytes
// (2025-11-25 and 2026-07-28, CallToolResult). Numbers stay the digits that were
// sent. On an error the result holds what is worth keeping of the answer.
func readResult(raw json.RawMessage, keep Media) (model.Result, error) {
	r := reader{media: keep, result: model.Result{Type: model.ResultString}}
	var content json.RawMessage
	var others int
	if !wire.Members(raw, func(name string, value json.RawMessage) {
		switch name {
		case "content":
			content = value
		case "structuredContent":
			r.result.Structured = given(value)
		case "isError":
			r.result.IsError = string(value) == "true"
		case "resultType", "_meta":
		default:
			others++
		}
	}) {
		return malformed(raw, "the server's answer isn't a result: it must be a JSON object")
	}
	if given(content) != nil && !wire.Elements(content, r.block) {
		return malformed(raw, "the server's answer isn't a result: its content must be a list")
	}
	if given(content) == nil && r.result.Structured == nil && others > 0 {
		// A result of a kind that nobody knows yet.
		r.unknown(raw, "")
	}
	r.compose()
	return r.result, nil
}

func malformed(raw json.RawMessage, why string) (model.Result, error) {
	c := model.Content{Kind: model.ContentUnknown, Problem: why}
	switch {
	case len(raw) > maxMalformed:
		c.Problem += "; " + media.Size(int64(len(raw))) + " are not kept"
	case json.Valid(raw):
		c.Raw = raw
	}
	return model.Result{Type: model.ResultString, Content: []model.Content{c}},
		model.Errorf(model.CodeProtocol, "%s", why)
}

// given is a member's value, or nil when it is missing or null.
func given(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// reader collects a result block by block.
type reader struct {
	media  Media
	result model.Result
	// texts and links make the text of the result.
	texts, links []string
	hasMedia     bool
}

// compose chooses what the result's text is. A text that mirrors the structured
// content is never given beside it.
func (r *reader) compose() {
	if r.result.Structured != nil && !r.hasMedia {
		r.result.Type, r.result.Text = model.ResultJSON, string(r.result.Structured)
		return
	}
	if r.result.Structured != nil && len(r.texts) == 0 {
		r.texts = []string{"```json\n" + string(r.result.Structured) + "\n```"}
	}
	parts := []string{strings.Join(r.texts, "\n"), strings.Join(r.links, "\n")}
	if parts[0] == "" || parts[1] == "" {
		r.result.Text = parts[0] + parts[1]
		return
	}
	r.result.Text = strings.Join(parts, "\n\n")
}

func (r *reader) add(c model.Content) { r.result.Content = append(r.result.Content, c) }

// unknown keeps a block that Kontor doesn't know as the server sent it.
func (r *reader) unknown(raw json.RawMessage, problem string) {
	r.add(model.Content{Kind: model.ContentUnknown, Raw: raw, Problem: problem})
	r.texts = append(r.texts, string(raw))
}
