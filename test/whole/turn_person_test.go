package whole

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// person sits before a Kontor that may be killed at any moment, and does what they
// would: starts it again, answers what waits, sends again what was not taken.
type person struct {
	t      *testing.T
	k      *kontor.Kontor
	killer killer
	news   news
	// heard is closed when all is read that the Kontor announced.
	heard <-chan struct{}
	chat  string
	// sent are the messages that Kontor took; approved the approvals by their id.
	sent     []string
	approved map[string]*approval
}

// approval is one that the person gave.
type approval struct {
	callID, mark string
	// accepted counts the answers that were the first, lost those whose outcome a
	// crash swallowed.
	accepted, lost int
}

// message is a message of a chat.
type message struct {
	ID, Role, Finish string
	Parts            []struct {
		Kind, Text, Code string
		CallID           string `json:"call_id"`
		FrameID          string `json:"frame_id"`
		UseID            string `json:"use_id"`
	}
}

func (m message) text() string {
	var b strings.Builder
	for _, p := range m.Parts {
		if p.Kind == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// start starts Kontor on the folder, again if need be, and listens.
func (p *person) start(data string) {
	p.t.Helper()
	p.k = kontor.Start(p.t, kontor.Options{Data: data})
	k := p.k
	p.heard = p.news.listen(p.t, k, func(count int) { p.killer.heard(k, count) })
}

// ask sends a request; false when Kontor was killed meanwhile.
func (p *person) ask(method, path string, body, out any) (int, bool) {
	got, err := p.k.As(kontor.Token).Do(method, path, body)
	if err != nil {
		return 0, false
	}
	if out != nil && got.Status < http.StatusMultipleChoices {
		if err := json.Unmarshal(got.Body, out); err != nil {
			p.t.Fatalf("%s %s: %v: %s", method, path, err, got.Body)
		}
	}
	return got.Status, true
}

// live goes on until the chat has come to its end.
func (p *person) live(turn string) {
	p.t.Helper()
	p.sent = []string{"Please do it all. turn:" + turn, "And be quick, turn:" + turn}
	p.approved = map[string]*approval{}
	for deadline := time.Now().Add(kontor.Patience); !p.step(turn); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("the turn didn't end within %s: %s", kontor.Patience, p.k.Get("/api/sessions/"+p.chat+"/messages?limit=20", nil))
		}
	}
}

// step looks once at what there is and does what it asks for; true at the end.
func (p *person) step(turn string) bool {
	if !p.k.Running() {
		<-p.heard
		p.start(p.k.Data)
	}
	var inbox struct {
		Approvals []struct {
			ID        string
			CallID    string `json:"call_id"`
			Arguments struct{ Message string }
		}
		Elicitations []struct{ ID string }
	}
	if _, ok := p.ask(http.MethodGet, "/api/inbox", nil, &inbox); !ok {
		return false
	}
	for _, a := range inbox.Approvals {
		p.approve(a.ID, a.CallID, a.Arguments.Message)
	}
	for _, e := range inbox.Elicitations {
		p.ask(http.MethodPost, kontor.ResolvePath(e.ID), kontor.AnswerBody("accept", "{}"), nil)
	}
	var chat struct{ State string }
	all, ok := p.messages("")
	if !ok {
		return false
	}
	// The first message begins the turn; the second joins it once an answer is there.
	for i, text := range p.sent {
		if have(all, text) == 0 && (i == 0 || len(all) > 2) {
			p.ask(http.MethodPost, "/api/sessions/"+p.chat+"/messages", map[string]string{"text": text}, nil)
			return false
		}
	}
	if _, ok := p.ask(http.MethodGet, "/api/sessions/"+p.chat, nil, &chat); !ok || chat.State != "idle" {
		return false
	}
	if all, ok = p.messages(""); !ok {
		return false
	}
	if have(all, p.sent[1]) == 1 && finished(all, turn) {
		return true
	}
	p.ask(http.MethodPost, "/api/sessions/"+p.chat+"/retry", nil, nil)
	return false
}

// approve says yes in two tabs at once.
func (p *person) approve(id, callID, mark string) {
	a := p.approved[id]
	if a == nil {
		a = &approval{callID: callID, mark: mark}
		p.approved[id] = a
	}
	if a.accepted > 0 {
		return // another tab's list, read before the answer came
	}
	statuses := make([]int, 2)
	var tabs sync.WaitGroup
	for i := range statuses {
		tabs.Go(func() {
			statuses[i], _ = p.ask(http.MethodPost, "/api/inbox/approvals/"+id+"/resolve", map[string]string{"action": "approve"}, nil)
		})
	}
	tabs.Wait()
	for _, status := range statuses {
		switch status {
		case http.StatusOK:
			a.accepted++
		case 0:
			a.lost++
		}
	}
}

// messages are those of a frame of the chat, the latest first.
func (p *person) messages(frame string) ([]message, bool) {
	var list struct{ Items []message }
	_, ok := p.ask(http.MethodGet, "/api/sessions/"+p.chat+"/messages?limit=500&frame_id="+frame, nil, &list)
	return list.Items, ok
}

// have counts the person's messages of that text.
func have(all []message, text string) (n int) {
	for _, m := range all {
		if m.Role == "user" && m.text() == text {
			n++
		}
	}
	return n
}

// finished says that the last word of the model is the end of the turn.
func finished(all []message, turn string) bool {
	for _, m := range all {
		if m.Role == "assistant" {
			return m.text() == finalText(turn)
		}
	}
	return false
}
