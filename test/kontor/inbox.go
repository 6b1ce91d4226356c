package kontor

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Elicitation is a server's question.
type Elicitation struct {
	ID, Server, Tool, Mode, Message, URL string
	CallIDs                              []string `json:"call_ids"`
	Schema                               json.RawMessage
}

// Inbox is what waits for a person.
type Inbox struct {
	Total        int
	Elicitations []Elicitation
	SignIns      []SignIn `json:"sign_ins"`
}

// SignIn asks to sign in to a server.
type SignIn struct {
	ID, Server, Tool, Reason, Message string
	CallIDs                           []string `json:"call_ids"`
	Scopes                            []string
}

// Resolution is how an item ended.
type Resolution struct{ ID, Action, By string }

// Inbox reads it.
func (k *Kontor) Inbox() Inbox {
	k.t.Helper()
	var in Inbox
	k.Get("/api/inbox", &in)
	return in
}

// Question waits for the question that a call asks.
func (k *Kontor) Question(callID string) Elicitation {
	k.t.Helper()
	var found Elicitation
	asked := polled(Patience, func() bool {
		open := k.Inbox().Elicitations
		i := slices.IndexFunc(open, func(e Elicitation) bool { return slices.Contains(e.CallIDs, callID) })
		if i >= 0 {
			found = open[i]
		}
		return i >= 0 || k.GetCall(callID).Settled()
	})
	if !asked || found.ID == "" {
		c := k.GetCall(callID)
		k.t.Fatalf("%s asks nothing; it is %s: %s %+v", c.Name, c.State, c.Result, c.Error)
	}
	return found
}

// ResolvePath is where an elicitation is answered.
func ResolvePath(id string) string { return "/api/inbox/elicitations/" + id + "/resolve" }

// Answer answers a question; content is JSON, empty for none.
func (k *Kontor) Answer(id, action, content string) Resolution {
	k.t.Helper()
	var r Resolution
	k.Send(http.StatusOK, http.MethodPost, ResolvePath(id), AnswerBody(action, content), &r)
	return r
}

// AnswerBody is what an answer is sent as.
func AnswerBody(action, content string) map[string]any {
	body := map[string]any{"action": action}
	if content != "" {
		body["content"] = json.RawMessage(content)
	}
	return body
}
