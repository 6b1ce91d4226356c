package web

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"kontor.dev/kontor/internal/agent/outcome"
	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/templates"
)

// The words here are those of the SPA's cards (web/src/inbox/words.ts): one item
// is called the same wherever it is answered.

func (s *Server) serverTitle(name string) string {
	if v, err := s.o.Servers.Get(name); err == nil {
		return v.Config.Title()
	}
	return name
}

// sender is who an item comes from: a server as the person calls it, an agent, or
// Kontor itself.
func (s *Server) sender(item model.Item) string {
	switch {
	case item.Server != "" && item.Server != model.GroupConfig:
		return s.serverTitle(item.Server)
	case fromAgent(item) && item.Kind.Lasting() && item.Kind != model.ItemApproval:
		return "The agent"
	}
	return "Kontor"
}

func fromAgent(item model.Item) bool {
	return item.Asker.Kind == "agent" || item.Asker.Kind == "subagent"
}

// chatOf is the chat that an item belongs to, empty where it is another session.
func chatOf(item model.Item) string {
	if !fromAgent(item) {
		return ""
	}
	return item.SessionID
}

// itemTitle says what an item wants, in a few words. server is what the person calls
// its server.
func itemTitle(item model.Item, server string, fields []templates.Field) string {
	switch {
	case item.Kind == model.ItemSignIn && item.Reason == model.ReasonRefused:
		return "The token for " + server + " is refused"
	case item.Kind == model.ItemSignIn:
		return "Sign in to " + server
	case item.Kind == model.ItemApproval:
		return approvalTitle(item)
	case item.Kind == model.ItemQuestion && isShort(item.Message):
		return outcome.Visible(item.Message)
	case item.Kind == model.ItemQuestion:
		return "A question"
	case item.Kind == model.ItemNotification || item.Kind == model.ItemFinding:
		return headline(item.Message)
	case item.Mode == model.ElicitURL:
		return "Open a page to go on"
	case len(fields) == 0 && isShort(item.Message):
		return item.Message
	case len(fields) == 0:
		return "Yes or no?"
	case len(fields) == 1:
		return fields[0].Title
	}
	return fmt.Sprintf("%d details are needed", len(fields))
}

// approvalTitle is what the server calls the tool, on one line.
func approvalTitle(item model.Item) string {
	title := item.Tool
	if item.Approval != nil && item.Approval.Title != "" {
		title = item.Approval.Title
	}
	if runes := []rune(title); len(runes) > maxTitle {
		title = string(runes[:maxTitle-1]) + "…"
	}
	return writtenOut(title)
}

// headline is the first line of a message, where that can be a title.
func headline(message string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if isShort(first) {
		return outcome.Visible(first)
	}
	return "A message"
}

// maxTitle is the longest title, in characters.
const maxTitle = 120

// isShort tells whether a message fits into a title.
func isShort(message string) bool {
	return message != "" && utf8.RuneCountInString(message) <= maxTitle && !strings.Contains(message, "\n")
}

// acceptWords are those on the button that accepts a form.
func acceptWords(fields []templates.Field) string {
	switch {
	case len(fields) == 0:
		return "Yes"
	case len(fields) == 1 && fields[0].Kind == templates.FieldSecret:
		return "Send " + strings.ToLower(fields[0].Title)
	}
	return "Accept"
}

// asksWords say what an item does, and for whom when that is certain: one call of a
// server runs. It may ask for any of several, or by itself.
func asksWords(item model.Item) string {
	does := "asks"
	switch item.Kind {
	case model.ItemSignIn:
		return "asks you to sign in"
	case model.ItemApproval:
		does = "needs your approval"
	case model.ItemNotification:
		does = "has a message"
	case model.ItemFinding:
		does = "has a finding"
	}
	if item.Asker.Kind == "" {
		return does
	}
	return does + ", for " + askerWords(item.Asker)
}

func askerWords(a model.Asker) string {
	kind, known := map[string]string{
		"person": "the Tools page", "token": "a script", "agent": "an agent", "subagent": "a sub-agent",
		"gateway": "a client", "trigger": "a trigger", "schedule": "a schedule",
	}[a.Kind]
	if !known {
		kind = a.Kind
	}
	switch {
	case a.Label == "" || a.Kind == "person":
		return kind
	case a.Kind == "token":
		return tokenWords(a.Label)
	case a.Kind == "gateway":
		return "client " + a.Label
	}
	return strings.TrimPrefix(strings.TrimPrefix(kind, "a "), "an ") + " “" + a.Label + "”"
}

// tokenWords name who came with a token: the environment's has no name that a
// person gave it.
func tokenWords(label string) string {
	if label == access.EnvironmentToken {
		return "a script (" + label + ")"
	}
	return "token “" + label + "”"
}

// ended says how an item ended, empty while it is open.
func ended(item model.Item) string {
	r := item.Resolution
	if r == nil {
		return ""
	}
	word := endedWord(item.Kind, *r)
	if item.Kind == model.ItemSignIn {
		return fmt.Sprintf("%s, %s.", signInEnded(*r), age(time.Since(r.At), r.At))
	}
	by := word + " by " + r.By
	switch r.By {
	case inbox.ByTimeLimit:
		by = "Cancelled: its time was up"
	case inbox.ByCallEnd:
		by = "No longer needed: the call ended"
	case inbox.ByServer:
		by = "Taken back by the server"
	case inbox.ByShutdown, "restart":
		by = "Cancelled by a restart"
	case access.EnvironmentToken:
		by = word + " by " + tokenWords(r.By)
	}
	return fmt.Sprintf("%s, %s.", by, age(time.Since(r.At), r.At))
}

// endedWord is what was done with an item.
func endedWord(kind model.ItemKind, r model.Resolution) string {
	accepted, declined := "Accepted", "Declined"
	switch kind {
	case model.ItemApproval:
		accepted, declined = "Approved once", "Rejected"
		switch r.Scope {
		case model.ScopeSession:
			accepted = "Approved for this chat"
		case model.ScopeAlways:
			accepted = "Allowed for good"
		}
	case model.ItemQuestion:
		accepted = "Answered"
	case model.ItemNotification, model.ItemFinding:
		accepted = "Dismissed"
	}
	switch r.Action {
	case model.ActionAccept:
		return accepted
	case model.ActionDecline:
		return declined
	}
	return "Cancelled"
}

// signInEnded says how a sign-in item ended: nobody accepts it, it is done.
func signInEnded(r model.Resolution) string {
	switch {
	case r.Action == model.ActionAccept:
		return "Signed in"
	case strings.HasPrefix(r.By, "Kontor:"):
		return "No longer needed"
	case r.By == inbox.ByTimeLimit:
		return "Not done in time"
	}
	return "Given up"
}

// age is how long ago something was, in words.
func age(passed time.Duration, at time.Time) string {
	switch {
	case passed < 5*time.Second:
		return "now"
	case passed < time.Minute:
		return fmt.Sprintf("%d s ago", int(passed.Seconds()))
	case passed < time.Hour:
		return fmt.Sprintf("%d min ago", int(passed.Minutes()))
	case passed < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(passed.Hours()))
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}

// left is how much time there is to answer; empty without a limit, and once it has
// passed. Minutes are rounded up, as on the cards: "1 min left" until the seconds
// are counted.
func left(rest time.Duration) string {
	switch {
	case rest <= 0:
		return ""
	case rest <= 59*time.Second:
		return fmt.Sprintf("%d s left", int((rest+time.Second-1)/time.Second))
	case rest <= 59*time.Minute:
		return fmt.Sprintf("%d min left", int((rest+time.Minute-1)/time.Minute))
	}
	return fmt.Sprintf("%d h left", int(rest.Hours()))
}
