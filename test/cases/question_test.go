package cases

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// questions is how servers ask the person.
func questions() []fault {
	return []fault{
		{
			name:   "asks-on-the-answers-stream",
			server: server{tools: echo},
			over:   asking,
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				form := `"message":"Who?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}`
				for _, q := range []struct{ params, mode, content, want string }{
					{`{"mode":"form",` + form + `}`, "form", `{"n":"Ada"}`, `{"action":"accept","content":{"n":"Ada"}}`},
					{`{` + form + `}`, "form", `{"n":"Bo"}`, `{"action":"accept","content":{"n":"Bo"}}`},
					{`{"mode":"url","message":"Open it","url":"https://example.com/x","elicitationId":"e"}`, "url", "", `{"action":"accept"}`},
				} {
					c := k.StartCall("mcp__"+name+"__echo", q.params)
					item := k.Question(c.ID)
					if item.Mode != q.mode || item.Server != name || item.Tool != "echo" {
						t.Errorf("%s: the inbox holds %+v", q.params, item)
					}
					k.Answer(item.ID, "accept", q.content)
					if got := k.AwaitCall(c.ID, "settled", kontor.Call.Settled).Text(); got != "session s: "+q.want {
						t.Errorf("%s: the server got %s, want %s", q.params, got, q.want)
					}
				}
				holds(t, done(t, k, name, "echo", `{"mode":"hologram",`+form+`}`), `session s: {"code":-32602,`)
			},
		},
		{
			name:   "asks-with-odd-forms",
			server: server{tools: echo},
			over:   asking,
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				ask := func(schema string) (call kontor.Call, item kontor.Elicitation) {
					call = k.StartCall("mcp__"+name+"__echo", `{"message":"Well?","requestedSchema":`+schema+`}`)
					return call, k.Question(call.ID)
				}
				c, item := ask(`{"type":"object","properties":{}}`)
				k.Answer(item.ID, "accept", `{}`)
				if got := k.AwaitCall(c.ID, "settled", kontor.Call.Settled).Text(); got != `session s: {"action":"accept","content":{}}` {
					t.Errorf("nothing to fill in: the server got %s", got)
				}
				c, item = ask(`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}},"required":["a"]}`)
				k.Refused(http.StatusUnprocessableEntity, http.MethodPost, kontor.ResolvePath(item.ID), kontor.AnswerBody("accept", `{"a":{"b":"one"}}`))
				k.Answer(item.ID, "accept", `{"a":{"b":1}}`)
				if got := k.AwaitCall(c.ID, "settled", kontor.Call.Settled).Text(); got != `session s: {"action":"accept","content":{"a":{"b":1}}}` {
					t.Errorf("an object within: the server got %s", got)
				}
			},
		},
		{
			name: "asks-for-input-in-between",
			server: server{modern: true, tools: echo, resources: `{"uri":"r://1","name":"r"}`, prompts: `{"name":"p"}`, on: map[string]handler{
				"tools/call":     inBetween(`"content":[{"type":"text","text":%s}]`),
				"resources/read": inBetween(`"contents":[{"uri":"r://1","text":%s}]`),
				"prompts/get":    inBetween(`"messages":[{"role":"user","content":{"type":"text","text":%s}}]`),
			}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				for action, want := range map[string]string{
					"accept":  `{"action":"accept","content":{"sure":true}}`,
					"decline": `{"action":"decline"}`, "cancel": `{"action":"cancel"}`,
				} {
					c := k.StartCall("mcp__"+name+"__echo", `{"s":1}`)
					content := ""
					if action == "accept" {
						content = `{"sure":true}`
					}
					k.Answer(k.Question(c.ID).ID, action, content)
					c = k.AwaitCall(c.ID, "settled", kontor.Call.Settled)
					if got := c.Text(); c.State != "done" || got != want {
						t.Errorf("%s: %s, %s, %+v, want %s", action, c.State, got, c.Error, want)
					}
				}
				for path, body := range map[string]map[string]string{
					"/api/resources/read": {"server": name, "uri": "r://1"},
					"/api/prompts/get":    {"server": name, "name": "p"},
				} {
					accepted(t, k, name, path, body)
				}
			},
		},
	}
}

// accepted asks for what needs an answer first, and gives it.
func accepted(t *testing.T, k *kontor.Kontor, name, path string, body map[string]string) {
	t.Helper()
	got := make(chan kontor.Answer, 1)
	go func() {
		answer, err := k.As(kontor.Token).Do(http.MethodPost, path, body)
		if err != nil {
			answer.Body = []byte(err.Error())
		}
		got <- answer
	}()
	var item kontor.Elicitation
	kontor.Poll(t, kontor.Patience, "the question about "+path, func() bool {
		for _, e := range k.Inbox().Elicitations {
			if e.Server == name {
				item = e
			}
		}
		return item.ID != ""
	})
	k.Answer(item.ID, "accept", `{"sure":true}`)
	if answer := <-got; answer.Status != http.StatusOK || !strings.Contains(string(answer.Body), `sure`) {
		t.Errorf("%s: %d %s", path, answer.Status, answer.Body)
	}
}

// inBetween asks for input first, and then answers with what it was given: each in the
// state of its own round, under an id of its own.
func inBetween(result string) handler {
	open := map[string]string{} // state of a round: its id
	return func(m message, _ func(string)) string {
		state := str(member(m.Params, "requestState"))
		if state == "" {
			state = fmt.Sprintf("%s \u00fc <%d>", m.ID, len(open))
			open[state] = string(m.ID)
			return `{"resultType":"input_required","requestState":` + quote(state) + `,"inputRequests":{"q":{"method":"elicitation/create","params":{
				"message":"Sure?","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"}}}}}}}`
		}
		first, known := open[state]
		delete(open, state)
		if !known || first == string(m.ID) {
			return `error {"code":-32602,"message":"not the state of an open round, or the id of the first"}`
		}
		return complete(fmt.Sprintf(result, quote(string(member(member(m.Params, "inputResponses"), "q")))))
	}
}

// asking is a server with a session that asks what a call's arguments say, on the
// stream of the call's answer, and answers with what it was told.
func asking(usual http.Handler) http.Handler {
	var mu sync.Mutex
	waiting, asked := map[string]chan string{}, 0
	initialize := on("initialize", func(w http.ResponseWriter, r *http.Request, _ message) {
		w.Header().Set("Mcp-Session-Id", "s")
		usual.ServeHTTP(w, r)
	})
	tools := on("tools/call", func(w http.ResponseWriter, r *http.Request, m message) {
		told := make(chan string, 1)
		mu.Lock()
		asked++
		id := fmt.Sprintf("q%d", asked)
		waiting[id] = told
		mu.Unlock()
		send := stream(w)
		send("data: {\"jsonrpc\":\"2.0\",\"id\":%q,\"method\":\"elicitation/create\",\"params\":%s}\n\n", id, member(m.Params, "arguments"))
		select {
		case words := <-told:
			send("data: %s\n\n", response(m.ID, text(words)))
		case <-r.Context().Done():
		}
	})
	answers := on("", func(w http.ResponseWriter, r *http.Request, m message) {
		var both struct{ Result, Error json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&both)
		mu.Lock()
		defer mu.Unlock()
		if told := waiting[str(m.ID)]; told != nil {
			told <- "session " + r.Header.Get("Mcp-Session-Id") + ": " + string(both.Result) + string(both.Error)
		}
		w.WriteHeader(http.StatusAccepted)
	})
	return initialize(tools(answers(usual)))
}
