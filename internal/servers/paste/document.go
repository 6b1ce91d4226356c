package paste

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"kontor.dev/kontor/internal/model"
)

var (
	tomlTable    = regexp.MustCompile(`(?m)^[ \t]*\[\[?[ \t]*[\w."' -]+[ \t]*\]\]?[ \t]*(#.*)?$`)
	tomlSetting  = regexp.MustCompile(`^(#[^\n]*\n\s*)*[\w."-]+[ \t]*=[ \t]*["'\[{0-9tf]`)
	jsonStart    = regexp.MustCompile(`^(//[^\n]*\n\s*|/\*(?s:.*?)\*/\s*)*[{\[]`)
	jsonFragment = regexp.MustCompile(`^(//[^\n]*\n\s*|/\*(?s:.*?)\*/\s*)*"[^"\n]*"\s*:`)
	position     = regexp.MustCompile(`line (\d+), column (\d+)`)
)

// readDocument reads JSON or TOML of any host. ok is false for a text that is
// neither by its looks.
func readDocument(text string) (_ Result, ok bool, err error) {
	var value any
	switch {
	case tomlTable.MatchString(text) && !jsonFragment.MatchString(text) && text[0] != '{':
		value, err = readTOML(text)
	case jsonStart.MatchString(text):
		value, err = readJSON(text)
	case jsonFragment.MatchString(text):
		value, err = readJSON("{" + strings.TrimRight(text, " \n\t,") + "}")
		if err != nil { // copied with the closing brace of what was around it
			if v, again := readJSON("{" + text); again == nil {
				value, err = v, nil
			}
		}
	case tomlSetting.MatchString(text):
		if value, err = readTOML(text); err != nil {
			return Result{}, false, nil // `A=b npx …` looks like it, and is a command line
		}
	default:
		return Result{}, false, nil
	}
	if err != nil {
		return Result{}, true, err
	}
	r, err := finish(readHost(value))
	return r, true, err
}

// readJSON reads JSON with comments and trailing commas. Numbers stay as written.
func readJSON(text string) (value any, err error) {
	if strings.Count(text, "{")+strings.Count(text, "[") > 10_000 {
		return nil, model.Errorf(model.CodeTooLarge, "this JSON is nested too much for a configuration")
	}
	standard, err := hujson.Standardize([]byte(text))
	if err != nil {
		where := ""
		if m := position.FindStringSubmatch(err.Error()); m != nil {
			where = fmt.Sprintf(": look at line %s, column %s", m[1], m[2])
		}
		return nil, model.Errorf(model.CodeInvalid, "this JSON can't be read%s", where)
	}
	d := json.NewDecoder(strings.NewReader(string(standard)))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil, model.Errorf(model.CodeInvalid, "this JSON can't be read")
	}
	return value, nil
}

func readTOML(text string) (any, error) {
	value := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &value); err != nil {
		where := ""
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			row, column := at.Position()
			where = fmt.Sprintf(": look at line %d, column %d", row, column)
		}
		return nil, model.Errorf(model.CodeInvalid, "this TOML can't be read%s", where)
	}
	return value, nil
}

// place is where a host keeps its servers: the path of members that leads there.
type place struct {
	format Format
	path   []string
}

// places are looked at in this order. A list may stand where an object does.
var places = []place{
	{Codex, []string{"mcp_servers"}},
	{Zed, []string{"context_servers"}},
	{Amp, []string{"amp.mcpServers"}},
	{Continue, []string{"experimental", "modelContextProtocolServers"}},
	{ClaudeDesktop, []string{"mcpServers"}},
	{VSCode, []string{"mcp", "servers"}},
	{VSCode, []string{"servers"}},
	{PiLoops, []string{"server"}},
	{Goose, []string{"extensions"}},
	{OpenCode, []string{"mcp"}},
	{Kontor, []string{"items"}},
}

// readHost finds the servers in a document.
func readHost(value any) Result {
	object, isObject := value.(map[string]any)
	if !isObject {
		r := Result{Format: ClaudeDesktop}
		r.addAll(value)
		return r
	}
	for _, p := range places {
		if found := at(object, p.path); found != nil && holdsServers(found) {
			r := Result{Format: p.format}
			r.addAll(found)
			r.Format = kin(p.format, object, found)
			r.addProjects(object)
			r.noteInputs(object)
			return r
		}
	}
	r := Result{Format: ClaudeDesktop}
	switch {
	case isServer(object):
		r.add("", object)
	case holdsServers(object):
		r.addAll(object)
	default:
		r.addProjects(object)
	}
	return r
}

func at(object map[string]any, path []string) any {
	var value any = object
	for _, member := range path {
		inside, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = inside[member]
	}
	return value
}

// isServer tells an object that says how a server is reached.
func isServer(value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return false
	}
	if inner, ok := object["transport"].(map[string]any); ok {
		object = inner
	}
	return slices.ContainsFunc(reachedBy, func(name string) bool { return object[name] != nil })
}

// holdsServers tells an object or list with at least one server in it.
func holdsServers(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), isServer)
	case []any:
		return slices.ContainsFunc(value, isServer)
	case []map[string]any:
		return len(value) > 0
	}
	return false
}

// kin tells hosts apart that use the same place.
func kin(format Format, document map[string]any, found any) Format {
	servers, _ := found.(map[string]any)
	has := func(names ...string) bool {
		for _, s := range servers {
			object, _ := s.(map[string]any)
			for _, n := range names {
				if _, ok := object[n]; ok {
					return true
				}
			}
		}
		return false
	}
	switch {
	case format == ClaudeDesktop && document["projects"] != nil:
		return ClaudeCode
	case format == ClaudeDesktop && has("httpUrl", "trust", "includeTools"):
		return Gemini
	case format == ClaudeDesktop && servers == nil:
		return Continue
	case format == VSCode && has("bearerTokenEnvVar", "callTimeoutMs", "startupTimeoutMs", "enabledTools"),
		format == VSCode && holdsReference(servers):
		return Albedo
	}
	return format
}

// holdsReference tells Albedo's way to write a value: {"env": "NAME"}.
func holdsReference(servers map[string]any) bool {
	for _, s := range servers {
		object, _ := s.(map[string]any)
		for _, member := range []string{"env", "headers"} {
			values, _ := object[member].(map[string]any)
			for _, v := range values {
				if named, ok := v.(map[string]any); ok && named["env"] != nil {
					return true
				}
			}
		}
	}
	return false
}

// addAll adds the entries of an object or a list.
func (r *Result) addAll(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			r.entry(name, value[name])
		}
	case []any:
		for i, v := range value {
			r.entry(named(v, i), v)
		}
	case []map[string]any:
		for i, v := range value {
			r.entry(named(v, i), v)
		}
	}
}

// named is the name of a list's entry.
func named(value any, i int) string {
	object, _ := value.(map[string]any)
	if name, _ := object["name"].(string); name != "" {
		return name
	}
	return fmt.Sprintf("entry %d", i+1)
}

func (r *Result) entry(name string, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		r.skip(name, "it is no object")
		return
	}
	if strings.HasPrefix(name, "entry ") && object["name"] == nil {
		name = ""
	}
	r.add(name, object)
}

// addProjects adds the servers that Claude Code keeps for single folders.
func (r *Result) addProjects(document map[string]any) {
	projects, _ := document["projects"].(map[string]any)
	for _, folder := range slices.Sorted(maps.Keys(projects)) {
		project, _ := projects[folder].(map[string]any)
		if servers := project["mcpServers"]; holdsServers(servers) {
			r.Format = ClaudeCode
			r.addAll(servers)
		}
	}
}

// noteInputs says what VS Code would have asked the person for.
func (r *Result) noteInputs(document map[string]any) {
	inputs, _ := document["inputs"].([]any)
	for _, v := range inputs {
		input, _ := v.(map[string]any)
		id, _ := input["id"].(string)
		if id == "" {
			continue
		}
		words, _ := input["description"].(string)
		if words != "" {
			words = " (" + clip(words, 200) + ")"
		}
		r.warn(WarnReference, "", "%s%s is asked for by VS Code: store it under Settings → Secrets as %s", id, words, variableName(id))
	}
}
