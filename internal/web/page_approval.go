package web

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kontor.dev/kontor/internal/agent/outcome"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/form"
	"kontor.dev/kontor/templates"
)

// answerFrom is the answer that a posted form gives to an item; false when a field of
// it is wrong.
func answerFrom(item model.Item, f *form.Form, values url.Values) (answer model.Answer, ok bool) {
	action := values.Get("action")
	switch item.Kind {
	case model.ItemApproval:
		return decisionFrom(action, values.Get("note")), true
	case model.ItemQuestion:
		return model.Answer{Action: model.Action(action), Text: replyFrom(item, values)}, true
	}
	answer.Action = model.Action(action)
	if answer.Action == model.ActionAccept && item.Kind == model.ItemElicitation && item.Mode == model.ElicitForm {
		answer.Content, ok = f.Read(values)
		return answer, ok
	}
	return answer, true
}

// decisionFrom reads the button that was pressed; one that there isn't is refused by
// the inbox.
func decisionFrom(button, note string) model.Answer {
	switch button {
	case "reject":
		return model.Answer{Action: model.ActionDecline, Note: note}
	case "once", "session", "always":
		return model.Answer{Action: model.ActionAccept, Scope: model.ApprovalScope(button)}
	case "arguments":
		return model.Answer{Action: model.ActionAccept, Scope: model.ScopeAlways, ForArguments: true}
	}
	return model.Answer{}
}

// replyFrom is what was typed, or else the suggestion that was chosen.
func replyFrom(item model.Item, values url.Values) string {
	text := strings.TrimSpace(values.Get("text"))
	i, err := strconv.Atoi(values.Get("suggestion"))
	if text == "" && err == nil && item.Question != nil && i >= 0 && i < len(item.Question.Suggestions) {
		return item.Question.Suggestions[i]
	}
	return text
}

// approvalView is what an approval's page shows.
func approvalView(item model.Item, note string) *templates.Approval {
	a := model.Approval{}
	if item.Approval != nil {
		a = *item.Approval
	}
	v := &templates.Approval{Description: outcome.Visible(a.Description), Arguments: argumentViews(a.Arguments), Agent: a.Agent,
		Reason: outcome.Visible(a.Reason), OnceOnly: a.OnceOnly, Chat: item.SessionID != "", Always: !strings.Contains(item.Tool, "*"),
		Note: note}
	for _, n := range a.Notes {
		v.Notes = append(v.Notes, sentence(outcome.Visible(n)))
	}
	if a.Change != nil {
		v.Changes = changes(a.Change.Old, a.Change.New)
	}
	claims := model.Claims(a.Annotations, a.Trusted)
	v.Look = approveLook(a, claims)
	if a.OnceOnly {
		return v // no calming word for what changes this machine: hints speak of Kontor's data only
	}
	for _, c := range claims {
		v.Badges = append(v.Badges, templates.Badge{Word: c.Words, Tone: badgeTone(c.Kind)})
	}
	return v
}

// badgeTone is red for a tool that says it may destroy, amber for one that says nothing.
func badgeTone(kind model.ClaimKind) string {
	switch kind {
	case model.ClaimDestroys:
		return "bad"
	case model.ClaimSilent:
		return "warn"
	}
	return ""
}

// questionView is what the page of an agent's question shows.
func questionView(item model.Item, text, problem string) *templates.Question {
	q := &templates.Question{Text: text, Error: problem}
	if item.Question != nil {
		for _, s := range item.Question.Suggestions {
			q.Suggestions = append(q.Suggestions, outcome.Visible(s))
		}
	}
	return q
}

// approveLook is how the button looks that approves: filled where the tool just reads, by
// the word of a server that the person trusts; red where it says that it may destroy; neutral
// between.
func approveLook(a model.Approval, claims []model.Claim) string {
	has := func(kind model.ClaimKind) bool {
		return slices.ContainsFunc(claims, func(c model.Claim) bool { return c.Kind == kind })
	}
	switch {
	case a.OnceOnly || has(model.ClaimDestroys):
		return "btn-bad"
	case has(model.ClaimReads) && a.Trusted && a.Change == nil:
		return "btn-main"
	}
	return ""
}

// shortArgument is how many characters fit beside an argument's name.
const shortArgument = 60

// argumentViews are the arguments in the order in which they are sent, every one and
// whole.
func argumentViews(arguments json.RawMessage) []templates.Argument {
	var out []templates.Argument
	wire.Members(arguments, func(name string, value json.RawMessage) {
		text := argumentText(value)
		a := templates.Argument{Name: outcome.Visible(name), Text: text, Command: slices.Contains([]string{"command", "cmd", "script"}, name)}
		a.Full = a.Command || utf8.RuneCountInString(text) > shortArgument || strings.Contains(text, "\n")
		out = append(out, a)
	})
	return out
}

// argumentText is a string as it is, and anything else as indented JSON.
func argumentText(value json.RawMessage) string {
	if s, ok := wire.Text(value); ok {
		return outcome.Visible(s)
	}
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") != nil {
		return outcome.Visible(string(value))
	}
	return outcome.Visible(b.String())
}
