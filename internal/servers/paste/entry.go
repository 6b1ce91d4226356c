package paste

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// reachedBy are the members by which hosts say how a server is reached.
var reachedBy = []string{"command", "cmd", "url", "serverUrl", "httpUrl", "uri", "endpoint"}

// entry is one server of a document on its way to a configuration. What has been
// read is taken out of left.
type entry struct {
	left     map[string]any
	server   model.Server
	warnings []Warning
}

// add reads one entry of a document.
func (r *Result) add(name string, object map[string]any) {
	e := &entry{left: maps.Clone(object), server: model.Server{Enabled: true, ShareImages: true}}
	if inner, ok := e.left["transport"].(map[string]any); ok { // Continue
		delete(e.left, "transport")
		maps.Copy(e.left, inner)
	}
	if name == "" {
		name, _ = e.left["name"].(string)
	}
	if own, _ := e.left["name"].(string); own != name {
		e.server.FriendlyName = own
	}
	delete(e.left, "name")
	reason := e.read()
	if reason != "" {
		r.skip(name, reason)
		return
	}
	r.rename(e, name)
	r.warnings(e)
	r.take(e.server)
}

// read fills the configuration, or says why it can't be one.
func (e *entry) read() (reason string) {
	if reason := e.readReach(); reason != "" {
		return reason
	}
	if e.server.Transport == model.TransportStdio {
		e.server.Cwd = reference(e.text("cwd", "workingDirectory", "working_directory"))
		e.readValues(&e.server.Env, "env", "environment", "envs")
		for _, name := range e.list("env_vars", "env_keys") { // Codex, Goose: handed through
			setValue(&e.server.Env, name, model.Value{Text: "${" + name + "}"})
		}
	} else {
		e.readValues(&e.server.Headers, "headers", "http_headers")
		e.readNested("requestOptions")
		e.readNested("requestInit")
		for header, variable := range e.texts("env_http_headers") {
			setValue(&e.server.Headers, header, model.Value{Text: "${" + variable + "}"})
		}
		e.readBearer()
	}
	e.readRest()
	return ""
}

// readReach reads transport, command and address.
func (e *entry) readReach() (reason string) {
	kind := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(e.text("type", "kind", "transport")))
	switch kind {
	case "ws", "websocket":
		return "it is reached by WebSocket, which MCP doesn't define"
	case "builtin", "inprocess", "frontend", "platform", "extension":
		return "it is part of the other program"
	}
	command, args := e.command()
	address := reference(strings.TrimSpace(e.text("httpUrl", "url", "serverUrl", "uri", "endpoint")))
	switch {
	case command != "" && (address == "" || kind == "stdio" || kind == "local"):
		e.server.Transport, e.server.Command, e.server.Args = model.TransportStdio, command, args
	case address != "":
		e.server.Transport, e.server.URL = model.TransportHTTP, address
	default:
		return "it names neither a command nor an address"
	}
	return ""
}

// command reads a command as text, as a list, or as an object of Zed's older kind.
func (e *entry) command() (string, []string) {
	raw, ok := e.take("command", "cmd")
	args := e.list("args", "arguments")
	var command string
	switch raw := raw.(type) {
	case string:
		command = raw
	case []any:
		words := stringsOf(raw)
		if len(words) > 0 {
			command, args = words[0], append(words[1:], args...)
		}
	case map[string]any:
		if env, ok := raw["env"]; ok && e.left["env"] == nil {
			e.left["env"] = env
		}
		command, _ = raw["path"].(string)
		inner, _ := raw["args"].([]any)
		args = append(stringsOf(inner), args...)
	default:
		if ok && raw != nil {
			e.warn(WarnLeftOut, "its command has an unknown form")
		}
	}
	command = strings.TrimSpace(command)
	if len(args) == 0 && strings.ContainsAny(command, " \t") && !hasWindowsPath(command) && !strings.HasPrefix(command, "/") {
		if l, err := parseLine(command); err == nil && len(l.words) > 1 && len(l.env) == 0 {
			command, args = l.words[0], l.words[1:]
			e.warn(WarnAssumed, "its command was a whole line: it was taken apart")
		}
	}
	for i := range args {
		args[i] = reference(args[i])
	}
	return reference(command), args
}

// readBearer reads the ways to say which token goes with each request.
func (e *entry) readBearer() {
	if text := e.text("bearer_token", "bearerToken"); text != "" {
		e.server.BearerToken.Text = reference(text)
	}
	if name := e.text("bearer_token_env_var", "bearerTokenEnvVar"); name != "" {
		e.server.BearerToken.Text = "${" + name + "}"
	}
	if auth, ok := e.left["auth"].(map[string]any); ok { // pi-loops
		if ref, _ := auth["token_keychain_ref"].(string); ref != "" {
			delete(e.left, "auth")
			e.server.BearerToken.Text = "${" + variableName(ref) + "}"
			e.warn(WarnReference, "its token is in the other program's store: put it under Settings → Secrets as %s", variableName(ref))
		}
	}
	for header, v := range e.server.Headers {
		scheme, token, ok := strings.Cut(v.Text, " ")
		if strings.EqualFold(header, "Authorization") && ok && strings.EqualFold(scheme, "Bearer") && e.server.BearerToken.Text == "" {
			e.server.BearerToken = model.Value{Text: strings.TrimSpace(token), Plain: v.Plain}
			delete(e.server.Headers, header)
		}
	}
	if len(e.server.Headers) == 0 {
		e.server.Headers = nil
	}
}

func (e *entry) readNested(member string) {
	inner, ok := e.left[member].(map[string]any)
	if !ok {
		return
	}
	delete(e.left, member)
	if headers, ok := inner["headers"]; ok {
		e.left["headers"] = headers
		e.readValues(&e.server.Headers, "headers")
	}
}

// readValues reads environment values or headers: an object, a list of "NAME=value",
// or a list of {name, value}.
func (e *entry) readValues(into *map[string]model.Value, names ...string) {
	raw, _ := e.take(names...)
	switch raw := raw.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(raw)) {
			e.value(into, name, raw[name])
		}
	case []any:
		for _, v := range raw {
			switch v := v.(type) {
			case string:
				if name, value, ok := strings.Cut(v, "="); ok {
					e.value(into, name, value)
				}
			case map[string]any:
				name, _ := v["name"].(string)
				e.value(into, name, v["value"])
			}
		}
	}
}

func (e *entry) value(into *map[string]model.Value, name string, raw any) {
	v := model.Value{}
	switch raw := raw.(type) {
	case nil:
		e.warn(WarnUnset, "%s has no value in the text: type it", name)
	case map[string]any: // Albedo's {env: NAME}, and ours
		if variable, ok := raw["env"].(string); ok {
			v.Text = "${" + variable + "}"
		} else if text, ok := raw["value"].(string); ok {
			v.Text = reference(text)
			v.Plain, _ = raw["plain"].(bool)
		} else {
			e.warn(WarnUnset, "%s is not in the text: type it", name)
		}
	default:
		v.Text = reference(scalar(raw))
	}
	setValue(into, name, v)
}

// noSecrets are variables that programs of all kinds share and that hold no secret:
// masked, they would hide what a failure is about.
var noSecrets = []string{"PATH", "NODE_ENV", "NODE_PATH", "PYTHONPATH", "PYTHONUNBUFFERED", "LOG_LEVEL", "LANG", "TZ"}

func setValue(into *map[string]model.Value, name string, v model.Value) {
	v.Plain = v.Plain || slices.Contains(noSecrets, name)
	if *into == nil {
		*into = map[string]model.Value{}
	}
	(*into)[name] = v
}

// scalar is a value as text. What is none stays as it was written, for the person to
// see.
func scalar(raw any) string {
	switch raw := raw.(type) {
	case string:
		return raw
	case nil, []any, map[string]any:
		if written, err := json.Marshal(raw); err == nil {
			return string(written)
		}
	}
	return fmt.Sprint(raw)
}
