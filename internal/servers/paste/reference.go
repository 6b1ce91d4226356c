package paste

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

var (
	// VS Code and Cursor ${env:X}, ${input:x}; OpenCode {env:X}; Continue and others
	// ${{ secrets.X }}; Roo ${env:X:-default} isn't known.
	foreign   = regexp.MustCompile(`\$\{(?:env|input):([^}:]+)\}|\$\{\{\s*(?:secrets|inputs|env)\.([\w.-]+)\s*\}\}|\{env:([A-Za-z_]\w*)\}`)
	folder    = regexp.MustCompile(`\$\{(?:workspaceFolder|workspaceRoot|workspaceFolderBasename|fileWorkspaceFolder|file|cwd)(?::[^}]*)?\}`)
	home      = regexp.MustCompile(`\$\{userHome\}`)
	ours      = regexp.MustCompile(`\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}`)
	toFill    = regexp.MustCompile(`(?i)^(bearer )?(<[^<>]+>|\[[^\[\]]+\]|your[_ -].*|.*[_-]?your[_-](api[_-]?)?(key|token|secret).*|x{4,}|\.{3}|change[_-]?me|insert[_ -].*here|(?:[a-z]{2,4}[_-])?x{4,})$`)
	notName   = regexp.MustCompile(`\W+`)
	secretArg = regexp.MustCompile(`(?i)(^|[-_])(api-?key|access-?key|token|secret|password|passwd|pwd|auth|bearer)$`)
	secretURL = regexp.MustCompile(`(?i)[?&][\w.-]*(key|token|secret|password|sig|auth)[\w.-]*=([^&]+)`)
)

// reference turns other hosts' variables into `${NAME}`.
func reference(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	text = home.ReplaceAllString(text, "${HOME}")
	return foreign.ReplaceAllStringFunc(text, func(found string) string {
		for _, name := range foreign.FindStringSubmatch(found)[1:] {
			if name != "" {
				return "${" + variableName(name) + "}"
			}
		}
		return found
	})
}

// variableName makes a name that `${…}` takes. `api-key` is API_KEY; a name that
// is one already stays.
func variableName(id string) string {
	id = strings.TrimSpace(id)
	if !notName.MatchString(id) && id != "" && (id[0] < '0' || id[0] > '9') {
		return id
	}
	name := strings.Trim(strings.ToUpper(notName.ReplaceAllString(id, "_")), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "VALUE_" + name
	}
	return name
}

// lookOver notes what the person should see before saving.
func lookOver(s *model.Server) (warnings []Warning) {
	warn := func(code, message string) {
		warnings = append(warnings, Warning{Code: code, Message: message, Server: s.Name})
	}
	for where, text := range texts(s) {
		if folder.MatchString(text) {
			warn(WarnReference, where+" names a folder that only the other program knows: fill it in")
		}
		for _, m := range ours.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(strings.ToUpper(m[1]), "KONTOR_") {
				warn(WarnReference, where+" wants "+m[1]+": names that begin with KONTOR_ are never given to a server")
			}
		}
		if toFill.MatchString(strings.TrimSpace(text)) {
			warn(WarnPlaceholder, where+" is an example, not a value: fill it in")
		}
	}
	if hasSecret(s.Args) {
		warn(WarnArgument, "a secret is among the arguments, where other programs of this machine can see it: the environment is safer, if the server takes it from there")
	}
	if m := secretURL.FindStringSubmatch(s.URL); m != nil && !ours.MatchString(m[2]) {
		warn(WarnURL, "a secret is in the address, which the server and proxies may keep in their logs: a header or ${NAME} is safer")
	}
	if i := slices.IndexFunc(s.Args, func(a string) bool { return strings.HasPrefix(a, "mcp-remote") || strings.HasPrefix(a, "mcp-proxy") }); i >= 0 {
		for _, a := range s.Args[i+1:] {
			if strings.HasPrefix(a, "https://") || strings.HasPrefix(a, "http://") {
				warn(WarnBridge, "it only passes messages on to "+clip(strings.SplitN(a, "?", 2)[0], 200)+": Kontor reaches that address itself, signing in included")
			}
		}
	}
	slices.SortStableFunc(warnings, func(a, b Warning) int { return strings.Compare(a.Message, b.Message) })
	return slices.Compact(warnings)
}

// texts are the settings that may hold references, under the words for them.
func texts(s *model.Server) map[string]string {
	all := map[string]string{"the command": s.Command, "the folder": s.Cwd, "the address": s.URL, "the token": s.BearerToken.Text}
	for i, a := range s.Args {
		all[fmt.Sprintf("argument %d", i+1)] = a
	}
	for name, v := range s.Env {
		all["the variable "+name] = v.Text
	}
	for name, v := range s.Headers {
		all["the header "+name] = v.Text
	}
	return all
}

// hasSecret tells arguments like `--api-key=abc` and `--token abc`, and headers
// given to a bridge.
func hasSecret(args []string) bool {
	for i, a := range args {
		name, value, inOne := strings.Cut(a, "=")
		if !inOne && i+1 < len(args) {
			value = args[i+1]
		}
		isOption := strings.HasPrefix(a, "-") || inOne
		if isOption && secretArg.MatchString(name) && value != "" && !strings.HasPrefix(value, "-") && !ours.MatchString(value) {
			return true
		}
		if strings.HasPrefix(strings.ToLower(a), "authorization:") && !ours.MatchString(a) {
			return true
		}
	}
	return false
}
