package outcome

import (
	"bytes"
	"encoding/json"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Text is all that a model could read of a call, and what the byte offsets of a
// cut count in: JSON without white space, everything else as it is, what nobody
// can see as marks. A text beside structured content isn't in it: it says the
// same (2025-06-18, "Structured Content").
func Text(call model.Call) string {
	if call.State != model.CallDone {
		return Visible(words(call))
	}
	text := compact(call.Result.Text)
	if strings.TrimSpace(text) == "" {
		text = "(The tool answered with nothing.)"
	}
	if call.Result.IsError {
		text = "The tool reports an error:\n" + text
	}
	return Visible(text)
}

// compact takes the white space out of a JSON object or list; its members keep
// their order, its numbers their digits.
func compact(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, []byte(trimmed)) != nil {
		return text
	}
	return b.String()
}

// words say what became of a call that has no result, and whether it may be made
// again.
func words(call model.Call) string {
	var why, fix string
	var code model.Code
	if e := call.Error; e != nil {
		why, fix, code = e.Message, e.Fix, e.Code
	}
	switch call.State {
	case model.CallRejected:
		return sentences("The person rejected this call: it was not run.", why)
	case model.CallCancelled:
		if code == model.CodeNotSent {
			return sentences("The call was stopped while it waited for approval: it was not run.", why)
		}
		return sentences("The call was stopped before it had answered. If it had been sent, it may have run.", why)
	case model.CallUnknown:
		return sentences("Nobody knows whether the tool ran: don't call it again before you have found out, or asked.", why)
	case model.CallFailed:
		return sentences("The call failed ("+string(code)+").", why, fix, again(code))
	}
	return "The call is still on its way: there is no result yet."
}

// again says whether a failed call ran.
func again(code model.Code) string {
	switch code {
	case model.CodeDenied, model.CodeDisabled, model.CodeNeedsSignIn, model.CodeInsufficientScope:
		return "The tool was not run. Only the person can change that."
	case model.CodeServerUnavailable, model.CodeNotFound, model.CodeInvalid, model.CodeMissingVariable:
		return "The tool was not run."
	case model.CodeServerError:
		return "The server answered with an error instead of a result."
	}
	return "The tool may have run: find out before you call it again."
}

// sentences joins what is said, each ending as a sentence does.
func sentences(said ...string) string {
	var b strings.Builder
	for _, s := range said {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
		if !strings.ContainsAny(s[len(s)-1:], ".!?") {
			b.WriteByte('.')
		}
	}
	return b.String()
}
