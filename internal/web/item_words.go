package web

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

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

// itemTitle says what an item wants, in a few words. server is what the person calls
// its server.
func itemTitle(item model.Item, server string, fields []templates.Field) string {
	switch {
	case item.Kind == model.ItemSignIn && item.Reason == model.ReasonRefused:
		return "The token for " + server + " is refused"
	case item.Kind == model.ItemSignIn:
		return "Sign in to " + server
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

// isShort tells whether a message fits into a title.
func isShort(message string) bool {
	return message != "" && utf8.RuneCountInString(message) <= 120 && !strings.Contains(message, "\n")
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

// asksWords say that a server asks, and for whom when that is certain: one call of
// it runs. It may ask for any of several, or by itself.
func asksWords(a model.Asker) string {
	if a.Kind == "" {
		return "asks"
	}
	return "asks, for " + askerWords(a)
}

func askerWords(a model.Asker) string {
	kind, known := map[string]string{
		"person": "the Tools page", "token": "a script", "agent": "a chat", "subagent": "a sub-agent",
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
	return strings.TrimPrefix(kind, "a ") + " “" + a.Label + "”"
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
	word := map[model.Action]string{
		model.ActionAccept: "Accepted", model.ActionDecline: "Declined", model.ActionCancel: "Cancelled",
	}[r.Action]
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
