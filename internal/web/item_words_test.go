package web

import (
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/templates"
)

func TestAnItemIsCalledAsOnItsCard(t *testing.T) {
	t.Parallel()
	one, secret := templates.Field{Title: "Mail"}, templates.Field{Title: "Passphrase", Kind: templates.FieldSecret}
	for name, test := range map[string]struct {
		item          model.Item
		fields        []templates.Field
		title, accept string
	}{
		"a sign-in":            {item: model.Item{Kind: model.ItemSignIn, Reason: model.ReasonMoreRights}, title: "Sign in to Docs", accept: "Yes"},
		"a token":              {item: model.Item{Kind: model.ItemSignIn, Reason: model.ReasonRefused}, title: "The token for Docs is refused", accept: "Yes"},
		"a link":               {item: model.Item{Mode: model.ElicitURL, Message: "Pay"}, title: "Open a page to go on", accept: "Yes"},
		"a yes or no":          {item: model.Item{Message: "Replace the note?"}, title: "Replace the note?", accept: "Yes"},
		"a long yes or no":     {item: model.Item{Message: "Replace\nthe note?"}, title: "Yes or no?", accept: "Yes"},
		"a yes or no unspoken": {title: "Yes or no?", accept: "Yes"},
		"one field":            {fields: []templates.Field{one}, title: "Mail", accept: "Accept"},
		"one secret":           {fields: []templates.Field{secret}, title: "Passphrase", accept: "Send passphrase"},
		"several fields":       {fields: []templates.Field{one, secret}, title: "2 details are needed", accept: "Accept"},
	} {
		if got := itemTitle(test.item, "Docs", test.fields); got != test.title {
			t.Errorf("%s: got title %q, want %q", name, got, test.title)
		}
		if got := acceptWords(test.fields); got != test.accept {
			t.Errorf("%s: got button %q, want %q", name, got, test.accept)
		}
	}
}

func TestWhoAsksInWords(t *testing.T) {
	t.Parallel()
	for want, asker := range map[string]model.Asker{
		"asks":                                  {},
		"asks, for the Tools page":              {Kind: "person", Label: "you"},
		"asks, for a script (KONTOR_API_TOKEN)": {Kind: "token", Label: "KONTOR_API_TOKEN"},
		"asks, for token “CI”":                  {Kind: "token", Label: "CI"},
		"asks, for client Zed on laptop":        {Kind: "gateway", Label: "Zed on laptop"},
		"asks, for agent “Offsite”":             {Kind: "agent", Label: "Offsite"},
		"asks, for a sub-agent":                 {Kind: "subagent"},
		"asks, for something new":               {Kind: "something new"},
	} {
		if got := asksWords(model.Item{Kind: model.ItemElicitation, Asker: asker}); got != want {
			t.Errorf("%v: got %q, want %q", asker, got, want)
		}
	}
}

func TestTimesInWords(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	for passed, want := range map[time.Duration]string{
		-time.Second: "now", 4 * time.Second: "now", 59 * time.Second: "59 s ago", 119 * time.Second: "1 min ago",
		3*time.Hour - 1: "2 h ago", 24 * time.Hour: "30 November 2026, 14:05 UTC",
	} {
		if got := age(passed, at); got != want {
			t.Errorf("age %s: got %q, want %q", passed, got, want)
		}
	}
	for rest, want := range map[time.Duration]string{
		0: "", 200 * time.Millisecond: "1 s left", 59 * time.Second: "59 s left", time.Minute: "1 min left",
		4*time.Minute + time.Second: "5 min left", time.Hour: "1 h left", 2*time.Hour - 1: "1 h left",
	} {
		if got := left(rest); got != want {
			t.Errorf("left %s: got %q, want %q", rest, got, want)
		}
	}
}

func TestWhoEndedAnItemInWords(t *testing.T) {
	t.Parallel()
	for by, want := range map[string]string{
		"you": "Cancelled by you, now.", "time limit": "Cancelled: its time was up, now.", "call ended": "No longer needed: the call ended, now.",
		"server": "Taken back by the server, now.", "restart": "Cancelled by a restart, now.", "KONTOR_API_TOKEN": "Cancelled by a script (KONTOR_API_TOKEN), now.",
	} {
		item := model.Item{Resolution: &model.Resolution{Action: model.ActionCancel, By: by, At: time.Now()}}
		if got := ended(item); got != want {
			t.Errorf("%s: got %q, want %q", by, got, want)
		}
	}
}
