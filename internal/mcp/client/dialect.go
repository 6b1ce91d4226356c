package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"kontor.dev/kontor/internal/mcp/wire"
)

// dialect is how the messages of one revision are dressed: the one place that
// the version header and _meta both come from, so that they agree.
type dialect struct {
	// version goes into the header; empty before a legacy server has named it.
	version string
	modern  bool
	// meta are the members of _meta that every request carries, without braces;
	// empty in the legacy era.
	meta []byte
}

// legacyDialect carries a version and nothing else.
func legacyDialect(version string) *dialect { return &dialect{version: version} }

// modernDialect prepares RequestMetaObject (2026-07-28, basic/index "_meta").
func modernDialect(o *Options, version string) *dialect {
	var meta bytes.Buffer
	fmt.Fprintf(&meta, `"io.modelcontextprotocol/protocolVersion":%s`, quote(version))
	fmt.Fprintf(&meta, `,"io.modelcontextprotocol/clientInfo":%s`, clientInfo(o, true))
	fmt.Fprintf(&meta, `,"io.modelcontextprotocol/clientCapabilities":%s`, clientCapabilities(o, version))
	if o.LogLevel != "" {
		fmt.Fprintf(&meta, `,"io.modelcontextprotocol/logLevel":%s`, quote(o.LogLevel))
	}
	return &dialect{version: version, modern: true, meta: meta.Bytes()}
}

// params wraps members (an object's inside) into the params of a request. token,
// unless 0, asks for progress. nil means that there is nothing to say.
func (d *dialect) params(members []byte, token int64) json.RawMessage {
	if len(members) == 0 && len(d.meta) == 0 && token == 0 {
		return nil
	}
	b := make([]byte, 0, len(members)+len(d.meta)+64)
	b = append(b, '{')
	b = append(b, members...)
	if len(d.meta) > 0 || token != 0 {
		if len(members) > 0 {
			b = append(b, ',')
		}
		b = append(b, `"_meta":{`...)
		b = append(b, d.meta...)
		if token != 0 {
			if len(d.meta) > 0 {
				b = append(b, ',')
			}
			b = append(b, `"progressToken":`...)
			b = strconv.AppendInt(b, token, 10)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// membersOf opens an object that the host gave: it answers the inside, ready for
// params. A _meta of the host's own is kept and joined with ours.
func (d *dialect) membersOf(raw json.RawMessage) (members []byte, own *dialect, err error) {
	text, err := compactObject(raw)
	if err != nil {
		return nil, nil, err
	}
	meta := wire.Member(text, "_meta")
	if meta == nil {
		return text[1 : len(text)-1], d, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, nil, err
	}
	delete(object, "_meta")
	rest, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	hosts, err := compactObject(meta)
	if err != nil {
		return nil, nil, fmt.Errorf("_meta: %w", err)
	}
	joined := *d
	joined.meta = bytes.Clone(d.meta)
	if inside := hosts[1 : len(hosts)-1]; len(inside) > 0 {
		// Ours come last: of two members with one name the last counts.
		if len(joined.meta) > 0 {
			inside = append(append(bytes.Clone(inside), ','), joined.meta...)
		}
		joined.meta = inside
	}
	return rest[1 : len(rest)-1], &joined, nil
}

// errNoObject doesn't quote what came instead: it may be a secret.
var errNoObject = errors.New("a JSON object is wanted")

// compactObject checks that raw is one JSON object and takes line breaks out: a
// message is one line on stdio. Empty and null become {}.
func compactObject(raw json.RawMessage) (json.RawMessage, error) {
	m, err := wire.Parse(raw)
	if len(bytes.TrimSpace(raw)) == 0 || string(m.Raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	if err != nil {
		return nil, err
	}
	if m.Raw[0] != '{' {
		return nil, errNoObject
	}
	if m.Raw[1] == '"' && !bytes.ContainsAny(m.Raw, "\n\r") {
		return m.Raw, nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, m.Raw); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// clientInfo is our Implementation object; title came with 2025-06-18.
func clientInfo(o *Options, title bool) json.RawMessage {
	info := `{"name":` + quote(o.Name) + `,"version":` + quote(o.Version)
	if title && o.Title != "" {
		info += `,"title":` + quote(o.Title)
	}
	return json.RawMessage(info + `}`)
}

// clientCapabilities declares what Handlers can do, in the shape of the revision:
// elicitation came with 2025-06-18, its modes with 2025-11-25. Roots and sampling
// are never declared: a server that gets an empty list of roots for its question
// may drop the folders that it was started with.
func clientCapabilities(o *Options, version string) json.RawMessage {
	switch {
	case o.Handlers.Elicit == nil || version < "2025-06-18":
		return json.RawMessage(`{}`)
	case version < "2025-11-25":
		return json.RawMessage(`{"elicitation":{}}`)
	}
	return json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`)
}

// initializeMembers are the params of initialize.
func initializeMembers(o *Options, version string) []byte {
	return []byte(`"protocolVersion":` + quote(version) +
		`,"capabilities":` + string(clientCapabilities(o, version)) +
		`,"clientInfo":` + string(clientInfo(o, version >= "2025-06-18")))
}

// quote writes a JSON string.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes, a Buffer always takes it
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
