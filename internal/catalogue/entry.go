package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kontor.dev/kontor/internal/model"
)

// Resource is one entry of resources/list; Raw is the entry as sent.
type Resource struct {
	Server, URI, Name, Title, Description, MIMEType string
	Raw                                             json.RawMessage
}

// Template is one entry of resources/templates/list; Raw is the entry as sent.
type Template struct {
	Server, URITemplate, Name, Title, Description, MIMEType string
	Raw                                                     json.RawMessage
}

// Prompt is one entry of prompts/list; Arguments is its list of arguments and
// Raw the whole entry, both as sent.
type Prompt struct {
	Server, Name, Title, Description string
	Arguments, Raw                   json.RawMessage
}

// maxEntries is how many resources, templates and prompts a server may offer.
const maxEntries = 10_000

// entry is the members, as sent, of what isn't a tool.
type entry map[string]json.RawMessage

// text reads a string member; anything else counts as absent, since Raw still
// shows it.
func (e entry) text(name string) string {
	var s string
	if json.Unmarshal(e[name], &s) != nil {
		return ""
	}
	return s
}

func parseResource(server string) func(entry, json.RawMessage) (Resource, string) {
	return func(e entry, raw json.RawMessage) (Resource, string) {
		r := Resource{Server: server, URI: e.text("uri"), Name: e.text("name"), Title: e.text("title"),
			Description: e.text("description"), MIMEType: e.text("mimeType"), Raw: raw}
		return r, r.URI
	}
}

func parseTemplate(server string) func(entry, json.RawMessage) (Template, string) {
	return func(e entry, raw json.RawMessage) (Template, string) {
		t := Template{Server: server, URITemplate: e.text("uriTemplate"), Name: e.text("name"), Title: e.text("title"),
			Description: e.text("description"), MIMEType: e.text("mimeType"), Raw: raw}
		return t, t.URITemplate
	}
}

func parsePrompt(server string) func(entry, json.RawMessage) (Prompt, string) {
	return func(e entry, raw json.RawMessage) (Prompt, string) {
		p := Prompt{Server: server, Name: e.text("name"), Title: e.text("title"),
			Description: e.text("description"), Arguments: e["arguments"], Raw: raw}
		return p, p.Name
	}
}

// parseEntries reads a list whose entries are told apart by a key. An entry
// without one is left out; of two with the same key the first is kept.
func parseEntries[T any](items []json.RawMessage, what string, parse func(entry, json.RawMessage) (T, string)) ([]T, []model.Warning) {
	var warnings []model.Warning
	seen := map[string]bool{}
	out := make([]T, 0, len(items))
	if over := len(items) - maxEntries; over > 0 {
		warnings = append(warnings, model.Warning{Code: warnTooMany,
			Message: fmt.Sprintf("%d more entries are left out: a server may offer %d of each kind", over, maxEntries)})
		items = items[:maxEntries]
	}
	for i, raw := range items {
		// The entry shares the memory of the whole answer, and outlives it.
		raw = bytes.Clone(raw)
		var e entry
		if json.Unmarshal(raw, &e) != nil {
			warnings = append(warnings, model.Warning{Code: warnUnreadable,
				Message: fmt.Sprintf("%s %d is left out: it isn't a JSON object", what, i+1)})
			continue
		}
		v, key := parse(e, raw)
		switch {
		case key == "":
			warnings = append(warnings, model.Warning{Code: warnNameMissing,
				Message: fmt.Sprintf("%s %d is left out: it has no name", what, i+1)})
		case seen[key]:
			warnings = append(warnings, model.Warning{Code: warnDuplicate,
				Message: fmt.Sprintf("the server lists %s %s more than once: the first is kept", what, quote(key))})
		default:
			seen[key] = true
			out = append(out, v)
		}
	}
	return out, warnings
}
