package paste

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// hosts are programs with a command `mcp add`.
var hosts = map[string]Format{"claude": ClaudeCode, "codex": Codex, "gemini": Gemini, "amp": Amp, "qwen": Gemini}

var assignment = regexp.MustCompile(`^[A-Za-z_]\w*=`)

// readHostCommand reads the commands by which other hosts take a server:
// `claude mcp add NAME -- COMMAND…`, `code --add-mcp JSON`. ok is false for any
// other command.
func readHostCommand(l line) (_ Result, ok bool, err error) {
	program := path.Base(strings.ReplaceAll(l.words[0], `\`, "/"))
	if i := slices.Index(l.words, "--add-mcp"); i >= 0 && i+1 < len(l.words) {
		r, err := ofJSON(VSCode, "", l.words[i+1])
		return r, true, err
	}
	format, known := hosts[strings.TrimSuffix(program, ".exe")]
	if !known || len(l.words) < 4 || l.words[1] != "mcp" {
		return Result{}, false, nil
	}
	switch l.words[2] {
	case "add-json":
		words := positional(l.words[3:])
		if len(words) < 2 {
			return Result{}, true, model.Errorf(model.CodeInvalid, "the command lacks a name or its JSON")
		}
		r, err := ofJSON(format, words[0], words[1])
		return r, true, err
	case "add":
		r, err := addCommand(format, l)
		return r, true, err
	}
	return Result{}, false, nil
}

func ofJSON(format Format, name, text string) (Result, error) {
	value, err := readJSON(text)
	if err != nil {
		return Result{}, err
	}
	r := Result{Format: format}
	if object, ok := value.(map[string]any); ok {
		r.add(name, object)
	}
	return finish(r)
}

// positional are the words that are no option; `--scope user` has a value.
func positional(words []string) (out []string) {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-s" || w == "--scope" || w == "--client-secret":
			i++
		case !strings.HasPrefix(w, "-"):
			out = append(out, w)
		}
	}
	return out
}

// addOptions are what stands around the name and the command of `mcp add`.
type addOptions struct {
	object  map[string]any
	env     map[string]any
	headers map[string]any
	words   []string
}

// addCommand reads `mcp add [options] NAME [options] [--] COMMAND|URL [ARGS…]`.
func addCommand(format Format, l line) (Result, error) {
	o := addOptions{object: map[string]any{}, env: map[string]any{}, headers: map[string]any{}}
	rest := l.words[3:]
	for len(rest) > 0 {
		if rest[0] == "--" {
			o.words = append(o.words, rest[1:]...)
			break
		}
		// After the command begins, options are its own.
		if len(o.words) >= 2 && !isAddress(o.words[1]) || !strings.HasPrefix(rest[0], "-") {
			o.words, rest = append(o.words, rest[0]), rest[1:]
			continue
		}
		rest = o.option(rest)
	}
	if len(o.words) == 0 {
		return Result{}, model.Errorf(model.CodeInvalid, "the command names no server")
	}
	if len(o.words) > 1 {
		o.reach(o.words[1:])
	}
	for name, value := range l.env {
		o.env[name] = value
	}
	o.object["env"], o.object["headers"] = maps.Clone(o.env), maps.Clone(o.headers)
	if o.object["url"] != nil {
		delete(o.object, "env")
	} else {
		delete(o.object, "headers")
	}
	r := Result{Format: format}
	r.add(o.words[0], o.object)
	return finish(r)
}

func (o *addOptions) reach(words []string) {
	if kind, _ := o.object["type"].(string); isAddress(words[0]) || kind == "http" || kind == "sse" {
		o.object["url"] = words[0]
		return
	}
	args := make([]any, 0, len(words))
	for _, w := range words[1:] {
		args = append(args, w)
	}
	o.object["command"], o.object["args"] = words[0], args
}

// option takes one option and its values off the words.
func (o *addOptions) option(words []string) []string {
	name, value, inOne := strings.Cut(words[0], "=")
	rest := words[1:]
	next := func() string {
		if !inOne && len(rest) > 0 {
			value, rest = rest[0], rest[1:]
		}
		return value
	}
	switch name {
	case "-e", "--env":
		o.assign(next())
		for len(rest) > 0 && assignment.MatchString(rest[0]) { // it takes several
			o.assign(rest[0])
			rest = rest[1:]
		}
	case "-H", "--header":
		if header, text, ok := strings.Cut(next(), ":"); ok {
			o.headers[strings.TrimSpace(header)] = strings.TrimSpace(text)
		}
	case "-t", "--transport", "--type":
		o.object["type"] = next()
	case "--url":
		o.object["url"] = next()
	case "--bearer-token-env-var":
		o.object["bearer_token_env_var"] = next()
	case "-s", "--scope", "--client-id", "--client-secret", "--callback-port", "--timeout", "--description":
		next()
	}
	return rest
}

func (o *addOptions) assign(text string) {
	if name, value, ok := strings.Cut(text, "="); ok {
		o.env[name] = value
	}
}

func isAddress(text string) bool {
	lower := strings.ToLower(text)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}
