package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

// What a server may offer downstream. What is over is cut or left out with a
// warning.
const (
	maxTools       = 512
	maxDescription = 16 << 10
	maxSchema      = 256 << 10
)

// Codes of the warnings.
const (
	warnTooMany        = "too_many"
	warnDuplicate      = "duplicate_name"
	warnUnreadable     = "unreadable_entry"
	warnNameMissing    = "name_missing"
	warnDescriptionCut = "description_cut"
	warnSchemaTooLarge = "schema_too_large"
	warnSchemaMissing  = "schema_missing"
	warnSchemaOdd      = "schema_not_an_object"
	warnFieldOdd       = "field_ignored"
)

// noArguments stands in for a schema that is missing or unusable.
const noArguments = `{"type":"object","properties":{}}`

// parseTools reads the entries of a tools/list. The first of two tools of one
// name is kept.
func parseTools(items []json.RawMessage) ([]model.Tool, []model.Warning) {
	tools := make([]model.Tool, 0, min(len(items), maxTools))
	seen := map[string]bool{}
	var warnings []model.Warning
	var over int
	for i, raw := range items {
		t, problem := parseTool(raw)
		switch {
		case problem != nil:
			problem.Message = fmt.Sprintf("tool %d is left out: %s", i+1, problem.Message)
			warnings = append(warnings, *problem)
		case seen[t.Name]:
			warnings = append(warnings, model.Warning{Code: warnDuplicate, Tool: t.Name,
				Message: fmt.Sprintf("the server lists tool %s more than once: the first is kept", quote(t.Name))})
		case len(tools) == maxTools:
			over++
		default:
			seen[t.Name] = true
			warnings = append(warnings, t.Warnings...)
			tools = append(tools, t)
		}
	}
	if over > 0 {
		warnings = append(warnings, model.Warning{Code: warnTooMany,
			Message: fmt.Sprintf("%d more tools are left out: a server may offer %d", over, maxTools)})
	}
	return tools, warnings
}

// parseTool reads one entry, whatever its shape. Only an entry without a name
// is no tool; problem then says why.
func parseTool(raw json.RawMessage) (t model.Tool, problem *model.Warning) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return t, &model.Warning{Code: warnUnreadable, Message: "it isn't a JSON object"}
	}
	p := toolParser{members: members}
	p.tool.Name = p.text("name")
	if p.tool.Name == "" {
		return t, &model.Warning{Code: warnNameMissing, Message: "it has no name"}
	}
	p.tool.Title = p.text("title")
	p.tool.Description = p.description()
	p.tool.InputSchema = p.inputSchema()
	p.tool.OutputSchema = p.schema("outputSchema")
	p.tool.Annotations = p.object("annotations")
	p.tool.Icons = members["icons"]
	p.tool.AppOnly = appOnly(members["_meta"])
	p.tool.TaskSupport = taskSupport(members["execution"])
	if p.tool.Title == "" {
		p.tool.Title = textMember(p.tool.Annotations, "title")
	}
	for i := range p.tool.Warnings {
		p.tool.Warnings[i].Tool = p.tool.Name
	}
	return p.tool, nil
}

type toolParser struct {
	members map[string]json.RawMessage
	tool    model.Tool
}

func (p *toolParser) warn(code, format string, args ...any) {
	p.tool.Warnings = append(p.tool.Warnings, model.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

// text reads a member that should be a string.
func (p *toolParser) text(name string) string {
	raw := p.members[name]
	if absent(raw) {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		p.warn(warnFieldOdd, "%s isn't a string and is ignored", name)
	}
	return s
}

// object reads a member that should be an object.
func (p *toolParser) object(name string) json.RawMessage {
	raw := p.members[name]
	if absent(raw) {
		return nil
	}
	if raw[0] != '{' {
		p.warn(warnFieldOdd, "%s isn't an object and is ignored", name)
		return nil
	}
	return raw
}

func (p *toolParser) description() string {
	d := p.text("description")
	if len(d) <= maxDescription {
		return d
	}
	p.warn(warnDescriptionCut, "the description is %d bytes long: only the first %d are shown to anyone", len(d), maxDescription)
	cut := maxDescription
	for !utf8.RuneStart(d[cut]) {
		cut--
	}
	return d[:cut] + "…"
}

// schema reads a schema, which is an object when it is of any use.
func (p *toolParser) schema(name string) json.RawMessage {
	raw := p.members[name]
	switch {
	case absent(raw):
		return nil
	case raw[0] != '{':
		p.warn(warnSchemaOdd, "%s isn't an object and is ignored", name)
		return nil
	case len(raw) > maxSchema:
		p.warn(warnSchemaTooLarge, "%s is left out: it is %d bytes long, and %d are the limit", name, len(raw), maxSchema)
		return nil
	}
	return raw
}

func (p *toolParser) inputSchema() json.RawMessage {
	if absent(p.members["inputSchema"]) {
		p.warn(warnSchemaMissing, "inputSchema is missing: the tool is offered without arguments")
	}
	if s := p.schema("inputSchema"); s != nil {
		return s
	}
	return json.RawMessage(noArguments)
}

// appOnly reads `_meta.ui.visibility` (MCP Apps): a list without "model" keeps
// the tool from models.
func appOnly(meta json.RawMessage) bool {
	var m struct {
		UI struct {
			Visibility []string `json:"visibility"`
		} `json:"ui"`
	}
	if absent(meta) || json.Unmarshal(meta, &m) != nil {
		return false
	}
	v := m.UI.Visibility
	return slices.Contains(v, "app") && !slices.Contains(v, "model")
}

// taskSupport reads `execution.taskSupport` (2025-11-25, Tool.execution).
func taskSupport(execution json.RawMessage) string {
	switch s := textMember(execution, "taskSupport"); s {
	case "optional", "required", "forbidden":
		return s
	}
	return ""
}

func textMember(object json.RawMessage, name string) string {
	var members map[string]json.RawMessage
	var s string
	if absent(object) || json.Unmarshal(object, &members) != nil || json.Unmarshal(members[name], &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || bytes.Equal(raw, []byte("null")) }
