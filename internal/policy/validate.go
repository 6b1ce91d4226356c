package policy

import (
	"strings"

	"kontor.dev/kontor/internal/model"
)

// maxPattern is the longest pattern, in bytes. One that stands for whole arguments
// is written by Kontor, and as long as they are.
const maxPattern = 64 << 10

// validate says in words what is wrong with a rule, or nil.
func validate(r model.Rule) error {
	switch r.Action {
	case model.PolicyAllow, model.PolicyAsk, model.PolicyDeny:
	default:
		return model.Errorf(model.CodeInvalid, "action must be allow, ask or deny")
	}
	if r.Asker != "" && !strings.Contains(r.Asker, "*") && !knownAsker(r.Asker) {
		return model.Errorf(model.CodeInvalid, "asker: use person, token, agent, subagent, gateway, trigger or schedule")
	}
	if r.Argument == nil {
		return nil
	}
	if err := validPointer(r.Argument.Path); err != nil {
		return err
	}
	if len(r.Argument.Pattern) > maxPattern {
		return model.Errorf(model.CodeTooLarge, "argument: the pattern is longer than %d KiB", maxPattern>>10)
	}
	return nil
}

func knownAsker(kind string) bool {
	switch kind {
	case "person", "token", "agent", "subagent", "gateway", "trigger", "schedule":
		return true
	}
	return false
}

// validPointer holds a path against RFC 6901, section 3.
func validPointer(path string) error {
	if path == "" {
		return nil
	}
	if path[0] != '/' {
		return model.Errorf(model.CodeInvalid, "argument: the path must start with /, such as /path or /files/0/name")
	}
	for rest := path; ; {
		_, after, found := strings.Cut(rest, "~")
		if !found {
			return nil
		}
		if after == "" || after[0] != '0' && after[0] != '1' {
			return model.Errorf(model.CodeInvalid, "argument: in a path, ~ is written ~0 and a / in a name ~1")
		}
		rest = after
	}
}
