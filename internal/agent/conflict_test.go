package agent

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
)

func listAll() store.CallFilter { return store.CallFilter{} }

func TestAMessageDuringATurnJoinsIt(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	d := newDesk(t, says(words("One"), scripted.Pause{Until: gate}), says(words("Two")))
	chat := d.chat()
	first := d.send(chat, "First")
	await(d, func(model.MessageDelta) bool { return true })
	if second := d.send(chat, "Second"); second != first {
		t.Errorf("the second message began turn %s, not %s", second, first)
	}
	close(gate)
	d.ended(chat)
	got := strings.Join(d.story(chat), "; ")
	if want := "user text First; assistant text One; user text Second; assistant text Two"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	last := d.requests()[1].Messages
	if n := len(last); n != 3 || last[1].Role != llm.Assistant || last[2].Parts[0] != (llm.Text{Text: "Second"}) {
		t.Errorf("the second request was %+v", last)
	}
}

func TestTwoAtOnceMakeOneTurn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chat := d.chat()
	var sending sync.WaitGroup
	for i := range 20 {
		sending.Go(func() {
			if _, err := d.Send(t.Context(), chat, model.Sending{Text: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	sending.Wait()
	until(d, func() bool { return d.turn(chat) == nil })
	rows := d.rows(chat)
	if rows[len(rows)-1].Role != model.RoleAssistant {
		t.Errorf("somebody got no answer: %q", d.story(chat))
	}
	users := 0
	for _, m := range rows {
		if m.Role == model.RoleUser {
			users++
		}
	}
	if users != 20 {
		t.Errorf("got %d messages, want 20", users)
	}
}

func TestWhatCannotBeDoneNow(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(scripted.Pause{Until: make(chan struct{})}))
	chat := d.chat()
	agent := "researcher"
	if _, err := d.Retry(t.Context(), chat); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("a retry without a message: %v", err)
	}
	d.send(chat, "Go")
	for what, do := range map[string]func() error{
		"a retry": func() error { _, err := d.Retry(t.Context(), chat); return err },
		"another message in its place": func() error {
			_, err := d.Send(t.Context(), chat, model.Sending{Text: "x", Replace: d.rows(chat)[0].ID})
			return err
		},
		"another agent": func() error {
			_, err := d.Change(t.Context(), chat, model.ChatChange{Agent: &agent})
			return err
		},
	} {
		if err := do(); model.CodeOf(err) != model.CodeConflict {
			t.Errorf("%s during a turn: got %v", what, err)
		}
	}
	if err := d.Stop(t.Context(), chat); err != nil {
		t.Fatal(err)
	}
	for what, m := range map[string]model.Sending{
		"nothing":                 {Text: " \n"},
		"a replacement of nobody": {Text: "x", Replace: "none"},
		"an odd attachment":       {Text: "x", Attachments: []model.Attachment{{Kind: "tree"}}},
		"a file that isn't there": {Text: "x", Attachments: []model.Attachment{{Kind: "media", File: "../key"}}},
	} {
		_, err := d.Send(t.Context(), chat, m)
		if code := model.CodeOf(err); code != model.CodeInvalid && code != model.CodeNotFound {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if _, err := d.Send(t.Context(), "none", model.Sending{Text: "x"}); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("a chat of nobody: got %v", err)
	}
}

func TestWithoutAModelNothingIsSent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chat := d.chat()
	d.models.fail(model.Errorf(model.CodeNotFound, "no language model is configured"))
	if _, err := d.Send(t.Context(), chat, model.Sending{Text: "Hi"}); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("got %v", err)
	}
	v, err := d.Get(t.Context(), chat)
	if err != nil || v.Problem == nil || v.State != model.ChatIdle || len(d.rows(chat)) > 0 {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestAModelsErrorEndsTheTurnAndARetryGoesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(calls("mcp__demo__echo", `{"text":"a"}`)),
		says(words("Half"), scripted.Fail{Err: &model.Error{Code: llm.CodeCutStream, Message: "It broke off."}}),
		says(words("Whole")),
		says(words("Anew")),
	)
	chat := d.chat("demo")
	e := d.say(chat, "Go")
	if e.State != turnFailed || e.Error == nil || e.Error.Code != llm.CodeCutStream {
		t.Fatalf("got %+v", e)
	}
	rows := d.rows(chat)
	last := rows[len(rows)-1]
	if last.Finish != finishFailed || last.Error == nil || textOf(last) != "Half" {
		t.Errorf("got %+v", last)
	}
	retry := func() {
		if _, err := d.Retry(t.Context(), chat); err != nil {
			t.Fatal(err)
		}
		d.ended(chat)
	}
	retry()
	got := strings.Join(d.story(chat), "; ")
	if want := `user text Go; assistant tool_use mcp__demo__echo; tool tool_result mcp__demo__echo echo {"text":"a"}; assistant text Whole`; got != want {
		t.Errorf("after a retry: %s", got)
	}
	if n := d.calls.sends(); n != 1 {
		t.Errorf("%d calls were sent, want 1", n)
	}
	retry()
	if got := strings.Join(d.story(chat), "; "); got != "user text Go; assistant text Anew" {
		t.Errorf("a retry of a whole answer: %s", got)
	}
}

func TestAnErrorBeforeTheFirstWordIsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(scripted.Fail{Err: errors.New("out of cheese")}))
	chat := d.chat()
	if e := d.say(chat, "Go"); e.State != turnFailed || e.Error.Code != model.CodeInternal {
		t.Errorf("got %+v", e)
	}
	if got := strings.Join(d.story(chat), "; "); got != "user text Go; assistant failed" {
		t.Errorf("got %s", got)
	}
}

func TestAnotherMessageInThePlaceOfOne(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(words("A")), says(words("B")), says(words("C")))
	chat := d.chat()
	d.say(chat, "1")
	d.say(chat, "2")
	first := d.rows(chat)[0].ID
	if _, err := d.Send(t.Context(), chat, model.Sending{Text: "3", Replace: first}); err != nil {
		t.Fatal(err)
	}
	d.ended(chat)
	if got := strings.Join(d.story(chat), "; "); got != "user text 3; assistant text C" {
		t.Errorf("got %s", got)
	}
	await(d, func(e model.MessagesReplaced) bool { return e.From == first })
	if r := d.requests()[2]; r.System == "" || len(r.Messages) != 1 {
		t.Errorf("got %+v", r)
	}
}

// A chat can go on with another agent, which has a system prompt of its own.
func TestAnotherAgentTakesOver(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(words("a")), says(words("b")))
	chat := d.chat()
	d.say(chat, "1")
	agent, nobody, long := "researcher", "nobody", strings.Repeat("x", 300)
	for _, c := range []model.ChatChange{{Agent: &nobody}, {Title: &long}} {
		if _, err := d.Change(t.Context(), chat, c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	if v, err := d.Change(t.Context(), chat, model.ChatChange{Agent: &agent}); err != nil || v.Agent != agent || v.Frames[0].Agent != agent {
		t.Fatalf("got %+v, %v", v, err)
	}
	d.say(chat, "2")
	requests := d.requests()
	if requests[0].System == requests[1].System || len(requests[1].Messages) != 3 {
		t.Errorf("the second agent was told %q in %d messages", requests[1].System, len(requests[1].Messages))
	}
}

func TestAnAnswerAtItsLimitGoesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(words("One, two"), scripted.Stop{Reason: llm.ReasonLength}), says(words("three")))
	chat := d.chat()
	d.say(chat, "Count")
	if _, err := d.Retry(t.Context(), chat); err != nil {
		t.Fatal(err)
	}
	d.ended(chat)
	want := "user text Count; assistant text One, two; note note length The answer reached its length limit.; assistant text three"
	if got := strings.Join(d.story(chat), "; "); got != want {
		t.Errorf("got %s", got)
	}
}
