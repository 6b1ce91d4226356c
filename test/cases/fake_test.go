package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// message is what a fake receives.
type message struct {
	ID, Params, Result json.RawMessage
	Method             string
}

// handler answers one request: with a result, with an error object behind "error ",
// or not at all, with "". say sends a message before the answer.
type handler func(m message, say func(string)) string

// server is a fake. The zero server is one of the older era without any offer.
type server struct {
	// modern servers answer server/discover, the others initialize.
	modern bool
	// tools, resources, templates and prompts are the entries of its lists, between
	// the brackets. A list of "" is not declared.
	tools, resources, templates, prompts string
	// on are the methods that it answers in a way of its own; notifications too.
	on map[string]handler
	// start runs before the first message is read, over stdio.
	start func()
	// write sends a message over stdio; nil for one line.
	write func(message string)
}

// answer is the whole response to m; empty for none.
func (s server) answer(m message, say func(string)) string {
	result := ""
	if own := s.on[m.Method]; own != nil {
		result = own(m, say)
	} else if m.ID != nil {
		result = s.usual(m)
	}
	return response(m.ID, result)
}

func response(id json.RawMessage, result string) string {
	if id == nil || result == "" {
		return ""
	}
	kind := "result"
	if e, failed := strings.CutPrefix(result, "error "); failed {
		kind, result = "error", e
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%q:%s}`, id, kind, result)
	if !strings.Contains(line, "\n") {
		return line
	}
	var one bytes.Buffer // a message over stdio has no line breaks
	if err := json.Compact(&one, []byte(line)); err != nil {
		panic(err)
	}
	return one.String()
}

const notFound = `error {"code":-32601,"message":"Method not found"}`

// usual is what a decent server answers.
func (s server) usual(m message) string {
	switch m.Method {
	case "server/discover":
		if s.modern {
			return complete(`"supportedVersions":["2026-07-28"],"capabilities":` + s.capabilities() + `,"serverInfo":{"name":"fake","version":"1"}`)
		}
	case "initialize":
		if !s.modern {
			return `{"protocolVersion":"2025-11-25","capabilities":` + s.capabilities() + `,"serverInfo":{"name":"fake","version":"1"}}`
		}
	case "ping":
		return `{}`
	case "tools/list":
		return complete(`"tools":[` + s.tools + `]`)
	case "resources/list":
		return complete(`"resources":[` + s.resources + `]`)
	case "resources/templates/list":
		return complete(`"resourceTemplates":[` + s.templates + `]`)
	case "prompts/list":
		return complete(`"prompts":[` + s.prompts + `]`)
	case "tools/call":
		return text(string(m.Params))
	}
	return notFound
}

func (s server) capabilities() string {
	var declared []string
	for name, list := range map[string]string{"tools": s.tools, "resources": s.resources + s.templates, "prompts": s.prompts} {
		if list != "" {
			declared = append(declared, `"`+name+`":{}`)
		}
	}
	return "{" + strings.Join(declared, ",") + "}"
}

// complete is a result with what the newer era wants in each; the older ignores it.
func complete(members string) string {
	return `{"resultType":"complete","ttlMs":0,"cacheScope":"private",` + members + `}`
}

// text is a tool's result.
func text(s string) string {
	return `{"content":[{"type":"text","text":` + quote(s) + `}]}`
}

// quote is s as JSON, with no character escaped that needn't be.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// echo is a list of one tool of that name, which any object suits.
const echo = `{"name":"echo","inputSchema":{"type":"object"}}`

// always answers every request of a method with the same result.
func always(result string) handler {
	return func(message, func(string)) string { return result }
}

// member is a member of an object, as sent.
func member(object json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members) // what is no object has none
	return members[name]
}

// str is a string's content.
func str(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // what is no string is empty
	return s
}
