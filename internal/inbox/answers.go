package inbox

import (
	"strings"

	"kontor.dev/kontor/internal/model"
)

// The longest answers, in bytes: a model reads them.
const (
	maxNote = 16 << 10
	maxText = 64 << 10
	// maxExact is how long arguments may be for a rule that holds for them alone.
	maxExact = 32 << 10
)

// checkApproval makes an answer fit an approval: what changes what this machine runs
// is approved once, and a chat's scope needs a chat.
func checkApproval(item model.Item, a model.Answer) (model.Answer, error) {
	switch a.Action {
	case model.ActionDecline:
		if len(a.Note) > maxNote {
			return a, model.Errorf(model.CodeTooLarge, "the note is longer than %d KiB", maxNote>>10)
		}
		return model.Answer{Action: a.Action, Note: strings.TrimSpace(a.Note)}, nil
	case model.ActionAccept:
	default:
		return a, model.Errorf(model.CodeInvalid, "approve or reject it")
	}
	if a.Scope == "" {
		a.Scope = model.ScopeOnce
	}
	if err := checkScope(item, a); err != nil {
		return a, err
	}
	return model.Answer{Action: a.Action, Scope: a.Scope, ForArguments: a.ForArguments && a.Scope == model.ScopeAlways}, nil
}

func checkScope(item model.Item, a model.Answer) error {
	approval := model.Approval{}
	if item.Approval != nil {
		approval = *item.Approval
	}
	switch scope := a.Scope; {
	case scope != model.ScopeOnce && scope != model.ScopeSession && scope != model.ScopeAlways:
		return model.Errorf(model.CodeInvalid, "scope must be once, session or always")
	case scope != model.ScopeOnce && approval.OnceOnly:
		return model.Errorf(model.CodeInvalid, "this changes what the machine runs: it can be approved once only")
	case scope == model.ScopeSession && item.SessionID == "":
		return model.Errorf(model.CodeInvalid, "this was asked outside of a chat: approve it once or always")
	case scope == model.ScopeAlways && strings.Contains(item.Tool, "*"):
		return model.Errorf(model.CodeInvalid, "the tool’s name holds a *, which a rule would take for any name: approve it once or for this chat")
	case scope == model.ScopeAlways && a.ForArguments && len(approval.Arguments) > maxExact:
		return model.Errorf(model.CodeInvalid, "the arguments are over the %d KiB that a rule can hold: approve it once", maxExact>>10)
	}
	return nil
}

// checkQuestion makes an answer fit an agent's question.
func checkQuestion(a model.Answer) (model.Answer, error) {
	switch a.Action {
	case model.ActionDecline:
		return model.Answer{Action: a.Action}, nil
	case model.ActionAccept:
	default:
		return a, model.Errorf(model.CodeInvalid, "answer or decline it")
	}
	text := strings.TrimSpace(a.Text)
	switch {
	case text == "":
		return a, &InvalidError{Fields: []FieldError{{Field: "text", Message: "is required"}}}
	case len(text) > maxText:
		return a, model.Errorf(model.CodeTooLarge, "the answer is longer than %d KiB", maxText>>10)
	}
	return model.Answer{Action: a.Action, Text: text}, nil
}
