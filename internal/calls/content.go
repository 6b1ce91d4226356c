package calls

import (
	"encoding/json"
	"path"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
)

// contentBlock is the members of a block, or of an embedded resource, as sent.
type contentBlock struct {
	kind                       string
	text, data, blob, resource json.RawMessage
	uri, name, title, mimeType string
	annotations, size          json.RawMessage
}

func parseBlock(raw json.RawMessage) (b contentBlock, ok bool) {
	ok = wire.Members(raw, func(name string, value json.RawMessage) {
		switch name {
		case "type":
			b.kind, _ = wire.Text(value)
		case "text":
			b.text = given(value)
		case "data":
			b.data = given(value)
		case "blob":
			b.blob = given(value)
		case "resource":
			b.resource = given(value)
		case "uri":
			b.uri, _ = wire.Text(value)
		case "name":
			b.name, _ = wire.Text(value)
		case "title":
			b.title, _ = wire.Text(value)
		case "mimeType":
			b.mimeType, _ = wire.Text(value)
		case "annotations":
			b.annotations = given(value)
		case "size":
			b.size = given(value)
		}
	})
	return b, ok
}

// block reads one block of the content. Whatever its shape, it stays in the
// result in its place.
func (r *reader) block(raw json.RawMessage) {
	b, ok := parseBlock(raw)
	if !ok {
		r.unknown(raw, "the block isn't a JSON object")
		return
	}
	switch b.kind {
	case "text":
		r.text(raw, b)
	case "image":
		r.binary(raw, b, model.ContentImage, "image")
	case "audio":
		r.binary(raw, b, model.ContentAudio, "audio")
	case "resource":
		r.embedded(raw, b)
	case "resource_link":
		r.link(raw, b)
	default:
		r.unknown(raw, "")
	}
}

func (r *reader) text(raw json.RawMessage, b contentBlock) {
	text, ok := wire.Text(b.text)
	if !ok {
		r.unknown(raw, "the text block has no text")
		return
	}
	r.add(model.Content{Kind: model.ContentText, Text: text, Annotations: b.annotations})
	r.texts = append(r.texts, text)
}

func (r *reader) binary(raw json.RawMessage, b contentBlock, kind model.ContentKind, label string) {
	if b.data == nil {
		r.unknown(raw, "the "+label+" block has no data")
		return
	}
	c := model.Content{Kind: kind, MIMEType: b.mimeType, Annotations: b.annotations}
	r.keep(c, b.data, label)
}

// embedded reads a resource inside of a result: text or bytes.
func (r *reader) embedded(raw json.RawMessage, outer contentBlock) {
	b, ok := parseBlock(outer.resource)
	text, isText := wire.Text(b.text)
	if !ok || !isText && b.blob == nil {
		r.unknown(raw, "the embedded resource has neither text nor bytes")
		return
	}
	c := model.Content{Kind: model.ContentResource, URI: b.uri, Name: b.label(), MIMEType: b.mimeType, Annotations: outer.annotations}
	if isText {
		c.Text = text
		r.add(c)
		r.texts = append(r.texts, text)
		return
	}
	r.keep(c, b.blob, c.Name)
}

// link reads a reference to a resource that isn't in the result. Raw keeps what
// a card may show besides.
func (r *reader) link(raw json.RawMessage, b contentBlock) {
	c := model.Content{Kind: model.ContentLink, URI: b.uri, Name: b.label(), MIMEType: b.mimeType, Annotations: b.annotations, Raw: raw}
	r.add(c)
	r.links = append(r.links, markdownLink(c.Name, c.URI)+note(c.MIMEType, linkSize(b.size)))
}

// keep puts a block's bytes on disk and links to them, or says in their place
// why they are not kept.
func (r *reader) keep(c model.Content, data json.RawMessage, label string) {
	r.hasMedia = true
	stored, err := r.store(data, c.MIMEType)
	if err != nil {
		c.Problem = err.Error()
		r.add(c)
		r.links = append(r.links, escapeMarkdown(label)+note(c.MIMEType, "not kept: "+c.Problem))
		return
	}
	c.Media = &stored
	c.MIMEType = stored.MIMEType
	r.add(c)
	link := markdownLink(label, stored.URL)
	if c.Kind == model.ContentImage {
		link = "!" + link
	}
	r.links = append(r.links, link+note(stored.MIMEType, media.Size(stored.Size)))
}

func (r *reader) store(data json.RawMessage, mimeType string) (model.Media, error) {
	bytes, err := decodeBase64(data)
	if err != nil {
		return model.Media{}, err
	}
	return r.media.Put(bytes, mimeType)
}

// label is what a person calls the resource: its title, its name, or the end of
// its address.
func (b contentBlock) label() string {
	switch {
	case b.title != "":
		return b.title
	case b.name != "":
		return b.name
	}
	trimmed := strings.TrimRight(b.uri, "/")
	if base := path.Base(trimmed); base != "." && base != "/" {
		return base
	}
	return "file"
}

func linkSize(raw json.RawMessage) string {
	n, err := json.Number(raw).Int64()
	if err != nil || n < 0 {
		return ""
	}
	return media.Size(n)
}

// note is what follows a link: ` (image/png, 412 KB)`.
func note(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}

// markdownLink writes a link whose label and address, a stranger's words, can't
// end it early (CommonMark 0.31, "Links").
func markdownLink(label, address string) string {
	if strings.ContainsAny(address, " ()<>\t\r\n") {
		address = "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\r", "", "\n", "").Replace(address) + ">"
	}
	return "[" + escapeMarkdown(label) + "](" + address + ")"
}

func escapeMarkdown(label string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "\r", " ", "\n", " ").Replace(label)
}
