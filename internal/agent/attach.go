package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"kontor.dev/kontor/internal/agent/outcome"
	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// What goes with one message is bounded: by how many things, and by how many messages
// of one prompt, each of which is cut to a budget.
const (
	maxAttachments    = 20
	maxPromptMessages = 64
)

// attached makes the parts of a message. What comes from a server is read now: the
// model reads what the person saw attached, and the same in each request.
func (s *Service) attached(ctx context.Context, m model.Sending) ([]model.ChatPart, error) {
	var parts []model.ChatPart
	if strings.TrimSpace(m.Text) != "" {
		parts = append(parts, model.ChatPart{Kind: model.PartText, Text: m.Text})
	}
	if len(m.Attachments) > maxAttachments {
		return nil, model.Errorf(model.CodeInvalid, "a message takes %d attachments at most", maxAttachments)
	}
	for _, a := range m.Attachments {
		more, err := s.attachment(ctx, a)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return parts, nil
}

func (s *Service) attachment(ctx context.Context, a model.Attachment) ([]model.ChatPart, error) {
	switch a.Kind {
	case "media":
		p, err := s.attachedFile(a)
		return []model.ChatPart{p}, err
	case "resource":
		contents, err := s.o.Servers.ReadResource(ctx, a.Server, a.URI)
		if err != nil {
			return nil, err
		}
		r, err := s.cut(contentText(contents))
		p := model.ChatPart{Kind: model.PartResource, Server: a.Server, URI: a.URI, Name: a.Name, Text: r.text, Cut: r.cut}
		for _, c := range contents {
			if c.Media != nil {
				p.Media = append(p.Media, *c.Media)
			}
		}
		return []model.ChatPart{p}, err
	case "prompt":
		return s.attachedPrompt(ctx, a)
	}
	return nil, model.Errorf(model.CodeInvalid, "an attachment is a media, a resource or a prompt, not %q", a.Kind)
}

// attachedPrompt renders a prompt. What it says is what the person sends.
func (s *Service) attachedPrompt(ctx context.Context, a model.Attachment) ([]model.ChatPart, error) {
	var arguments json.RawMessage
	if len(a.Arguments) > 0 {
		raw, err := json.Marshal(a.Arguments)
		if err != nil {
			return nil, err
		}
		arguments = raw
	}
	messages, err := s.o.Servers.GetPrompt(ctx, a.Server, a.Name, arguments)
	if err != nil {
		return nil, err
	}
	if len(messages) > maxPromptMessages {
		return nil, model.Errorf(model.CodeTooLarge, "the prompt %s has %d messages; %d are taken at most", a.Name, len(messages), maxPromptMessages)
	}
	var parts []model.ChatPart
	for _, m := range messages {
		text := contentText([]model.Content{m.Content})
		if m.Role != "user" {
			text = m.Role + ": " + text
		}
		r, err := s.cut(text)
		if err != nil {
			return nil, err
		}
		parts = append(parts, model.ChatPart{Kind: model.PartText, Text: r.text, Cut: r.cut, Server: a.Server, Name: a.Name})
	}
	return parts, nil
}

// attachedFile is a file of the person: text goes along as it is.
func (s *Service) attachedFile(a model.Attachment) (model.ChatPart, error) {
	p := model.ChatPart{Kind: model.PartMedia, Name: cmp.Or(a.Name, a.File)}
	m, err := s.o.Media.Stat(a.File)
	if err != nil {
		return p, err
	}
	p.Media = []model.Media{m}
	if strings.HasPrefix(m.MIMEType, "image/") || m.Size > maxTextFile {
		return p, nil
	}
	f, err := s.o.Media.Open(a.File)
	if err != nil {
		return p, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return p, fmt.Errorf("attachment %s: %w", a.File, err)
	}
	if utf8.Valid(data) && !strings.ContainsRune(string(data), 0) {
		// The file itself is what a cut names.
		call := model.Call{ID: a.File, State: model.CallDone, Result: model.Result{Type: model.ResultString, Text: string(data)}}
		r := outcome.Render(call, outcome.Options{})
		p.Text, p.Cut = r.Text, r.Cut
	}
	return p, nil
}

// maxTextFile is the largest attached file whose text a model may be given.
const maxTextFile = 4 << 20

// maxImageBytes is the largest image that goes to a model (see outcome).
const maxImageBytes = 5_000_000 / 4 * 3

// image reads a picture for a model.
func (s *Service) image(m model.Media) (llm.Image, bool) {
	switch m.MIMEType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
	default:
		return llm.Image{}, false
	}
	if m.Size > maxImageBytes {
		return llm.Image{}, false
	}
	f, err := s.o.Media.Open(m.File)
	if err != nil {
		return llm.Image{}, false
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return llm.Image{MIME: m.MIMEType, Bytes: data}, err == nil
}
