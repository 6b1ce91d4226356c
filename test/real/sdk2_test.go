//go:build real

package real

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// A server on the TypeScript SDK v2, in the era of 2026-07-28.
func TestTypeScriptSDK2(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	address := startHTTP(t, `http://\S+`, exec.Command("node", script(t, "sdk2.mjs"), "http"))
	k.Add("stdio", node(t, "sdk2.mjs"))
	k.Add("http", kontor.Config{"url": address})
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			s := k.AwaitState(transport, "ready")
			if s.Status.Era != "modern" || s.Status.ProtocolVersion != "2026-07-28" || s.Status.ServerName != "sdk2" {
				t.Errorf("got %+v, want the newer era", s.Status)
			}
			everyTool(t, k, transport, sdk2Runs(), nil)
			t.Run("prompt", func(t *testing.T) {
				got := getPrompt(t, k, map[string]any{"server": transport, "name": "greeting"})
				if len(got) != 1 || got[0].Content.Text != "Say hello." {
					t.Errorf("got %+v", got)
				}
			})
			t.Run("resource", func(t *testing.T) {
				got := readResource(t, k, transport, "menu://today")
				if len(got) != 1 || got[0].Text != "Soup, stew." {
					t.Errorf("got %+v", got)
				}
			})
			t.Run("wrong answer", func(t *testing.T) { sdk2WrongAnswer(t, k, transport) })
		})
	}
}

func sdk2Runs() []run {
	const question = "What shall it be?"
	form := func(t *testing.T, q kontor.Elicitation) {
		const want = `{"type":"object","properties":{"dish":{"type":"string","title":"Dish","oneOf":[{"const":"soup","title":"Soup"},{"const":"stew","title":"Stew"}]},"portions":{"type":"integer","minimum":1,"maximum":9,"default":2}},"required":["dish"]}`
		if q.Mode != "form" || string(q.Schema) != want {
			t.Errorf("got %s %s, want %s", q.Mode, q.Schema, want)
		}
	}
	return []run{
		{tool: "add", arguments: `{"a": 2, "b": 40.5}`, json: `{"sum":42.5}`},
		{tool: "order", answers: []answer{{question, "accept", `{"dish": "stew", "portions": 3}`, form}}, text: "3 × stew"},
		{tool: "order", answers: []answer{{question, "accept", `{"dish": "soup"}`, form}}, text: "2 × soup"}, // the default
		{tool: "order", answers: []answer{{question, "decline", "", form}}, text: "Nothing, then."},
		{tool: "break", isError: true, text: "out of gas"},
	}
}

// sdk2WrongAnswer: what the form doesn't allow is refused, and the question stays.
func sdk2WrongAnswer(t *testing.T, k *kontor.Kontor, server string) {
	call := k.StartCall("mcp__"+server+"__order", `{}`)
	q := k.Question(call.ID)
	p := k.Refused(http.StatusUnprocessableEntity, http.MethodPost, kontor.ResolvePath(q.ID), kontor.AnswerBody("accept", `{"dish": "pizza", "portions": 12}`))
	if len(p.Errors) != 2 || !strings.HasPrefix(p.Errors[0].Location, "body.content.") {
		t.Errorf("got %+v, want an error for each of the two fields", p)
	}
	k.Answer(q.ID, "accept", `{"dish": "stew", "portions": 9}`)
	if got := k.AwaitCall(call.ID, "settled", kontor.Call.Settled); got.Text() != "9 × stew" {
		t.Errorf("got %s %q", got.State, got.Text())
	}
}
