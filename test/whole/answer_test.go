package whole

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// Two clients answer the same question at the same moment, each its own way. One
// wins; the other hears who, and the server hears the winner alone.
func TestTheFirstAnswerWins(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	k.AddReady("demo", kontor.Demo())
	rivals := map[string]kontor.Client{}
	for _, name := range []string{"kitchen", "study"} {
		rivals[name] = k.As(k.Command("token", "create", name))
	}
	actions := map[string]string{"kitchen": "accept", "study": "decline"}
	said := map[string]string{"kitchen": "The person said yes.", "study": "The person said no."}
	for range 20 {
		call := k.StartCall("mcp__demo__confirm", `{}`)
		question := k.Question(call.ID)
		answers := compete(rivals, actions, question.ID)
		winner, loser := "kitchen", "study"
		if answers["study"].Status == http.StatusOK {
			winner, loser = loser, winner
		}
		won, lost := answers[winner], answers[loser]
		if won.Status != http.StatusOK || lost.Status != http.StatusConflict {
			t.Fatalf("got %d %s and %d %s, want 200 and 409", won.Status, won.Body, lost.Status, lost.Body)
		}
		var p kontor.Problem
		if err := json.Unmarshal(lost.Body, &p); err != nil {
			t.Fatal(err)
		}
		if p.Code != "gone" || p.Resolution == nil || p.Resolution.By != winner || p.Resolution.Action != actions[winner] {
			t.Errorf("%s hears %s, want that %s said %s", loser, lost.Body, winner, actions[winner])
		}
		done := k.AwaitCall(call.ID, "settled", kontor.Call.Settled)
		if got, want := done.Text(), said[winner]; got != want {
			t.Errorf("the server heard %q, want %q", got, want)
		}
	}
}

// compete lets every client answer at once.
func compete(rivals map[string]kontor.Client, actions map[string]string, id string) map[string]kontor.Answer {
	var (
		begin   = make(chan struct{})
		all     sync.WaitGroup
		mu      sync.Mutex
		answers = map[string]kontor.Answer{}
	)
	for name, client := range rivals {
		all.Go(func() {
			<-begin
			content := ""
			if actions[name] == "accept" {
				content = "{}"
			}
			got, err := client.Do(http.MethodPost, kontor.ResolvePath(id), kontor.AnswerBody(actions[name], content))
			if err != nil {
				got.Body = []byte(err.Error())
			}
			mu.Lock()
			defer mu.Unlock()
			answers[name] = got
		})
	}
	close(begin)
	all.Wait()
	return answers
}
