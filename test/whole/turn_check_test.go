package whole

import (
	"maps"
	"slices"
	"strings"

	"kontor.dev/kontor/test/kontor"
)

// check looks at what is left of a turn: what the server was sent, what Kontor keeps,
// and what it announced. It returns how many pieces of news there were.
func (p *person) check(file, turn string) int {
	p.t.Helper()
	count, announced, ended := p.news.take()
	sent := received(p.t, file)
	for mark, n := range sent {
		if strings.HasPrefix(mark, turn+"-") && n != 1 {
			p.t.Errorf("the server was sent %s %d times", mark, n)
		}
	}
	calls := p.calls()
	p.checkCalls(calls, sent, turn)
	for id, state := range ended {
		if calls[id].ID != "" && calls[id].State != state {
			p.t.Errorf("%s is %s, and was announced as %s", calls[id].Name, calls[id].State, state)
		}
	}
	p.checkMessages(announced)
	if got := p.k.Inbox().Total; got != 0 {
		p.t.Errorf("%d items wait when all is done", got)
	}
	return count
}

// call is a call as it is kept, with its mark.
type call struct {
	kontor.Call
	mark string
}

func (p *person) calls() map[string]call {
	p.t.Helper()
	var list struct {
		Items []struct {
			kontor.Call
			Arguments struct{ Text, Message string }
		}
	}
	p.k.Get("/api/calls?limit=500&session_id="+p.chat, &list)
	calls := map[string]call{}
	for _, c := range list.Items {
		calls[c.ID] = call{c.Call, c.Arguments.Text + c.Arguments.Message}
	}
	return calls
}

// checkCalls compares what Kontor keeps of its calls with what the server was sent,
// and the approvals with both.
func (p *person) checkCalls(calls map[string]call, sent map[string]int, turn string) {
	p.t.Helper()
	known := map[string]bool{}
	approvals := map[string]*approval{} // by call
	for _, a := range p.approved {
		if approvals[a.callID] != nil {
			p.t.Errorf("%s was asked for twice", a.mark)
		}
		approvals[a.callID] = a
		if a.accepted > 1 || a.accepted+a.lost == 0 {
			p.t.Errorf("of the answers to the approval of %s %d were the first, and %d were lost", a.mark, a.accepted, a.lost)
		}
		if c, ok := calls[a.callID]; !ok || a.accepted > 0 && sent[a.mark] == 0 && (c.State == "done" || c.Error == nil) {
			p.t.Errorf("%s was approved and not run, and is %q with error %+v", a.mark, c.State, c.Error)
		}
	}
	for id, c := range calls {
		known[c.mark] = true
		switch {
		case !c.Settled():
			p.t.Errorf("%s is still %s", c.mark, c.State)
		case c.State == "done" && sent[c.mark] != 1:
			p.t.Errorf("%s is done, and the server was sent it %d times", c.mark, sent[c.mark])
		case c.State != "done" && c.Error == nil:
			p.t.Errorf("%s is %s without a reason", c.mark, c.State)
		case c.Tool == "log" && sent[c.mark] > 0 && approvals[id] == nil:
			p.t.Errorf("%s was run, and nobody approved it", c.mark)
		}
	}
	for mark := range sent {
		if strings.HasPrefix(mark, turn+"-") && !known[mark] {
			p.t.Errorf("the server was sent %s, of which Kontor knows nothing", mark)
		}
	}
}

// checkMessages looks for every message that the person sent or Kontor announced, in
// the chat and in its sub-agents, and for a result of each call.
func (p *person) checkMessages(announced []string) {
	p.t.Helper()
	var chat struct{ Frames []struct{ ID, State string } }
	p.k.Get("/api/sessions/"+p.chat, &chat)
	root, _ := p.messages("")
	for _, text := range p.sent {
		if n := have(root, text); n != 1 {
			p.t.Errorf("the person's message %q is there %d times", text, n)
		}
	}
	p.checkResults(root)
	all := root
	for _, f := range chat.Frames {
		more, _ := p.messages(f.ID)
		p.checkResults(more)
		all = append(all, more...)
		if f.State == "open" {
			p.t.Errorf("a sub-agent is still open")
		}
	}
	for _, id := range announced {
		if !slices.ContainsFunc(all, func(m message) bool { return m.ID == id }) {
			p.t.Errorf("the message %s was announced and is lost", id)
		}
	}
}

// checkResults wants exactly one result for each call of a frame.
func (p *person) checkResults(messages []message) {
	p.t.Helper()
	uses := map[string]int{}
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part.Kind {
			case "tool_use":
				uses[part.UseID] += 0
			case "tool_result":
				uses[part.UseID]++
			}
		}
	}
	for _, use := range slices.Sorted(maps.Keys(uses)) {
		if uses[use] != 1 {
			p.t.Errorf("the call %s has %d results", use, uses[use])
		}
	}
}
