package agent

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

func usage(input, output int) scripted.Step {
	return scripted.Stop{Reason: llm.ReasonStop, Usage: llm.Usage{Known: true, Input: input, Output: output}}
}

func TestALongConversationIsSummarised(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(words("a"), usage(100, 5)), says(words("b"), usage(60_000, 5)), says(words("c"), usage(85_000, 5)),
		scripted.Turn{When: "Summarise this conversation", Steps: []scripted.Step{words("They counted to three.")}},
		says(words("d"), usage(500, 5)), says(words("e"), usage(600, 5)),
	)
	chat := d.chat("demo")
	for _, text := range []string{"1", "2", "3", "4", "5"} {
		if e := d.say(chat, text); e.State != turnDone {
			t.Fatalf("turn %s ended %s: %v", text, e.State, e.Error)
		}
	}
	got := strings.Join(d.story(chat)[6:], "; ")
	if want := "user text 4; summary text They counted to three.; assistant text d; user text 5; assistant text e"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	requests := d.requests()
	after := brief(requests[4].Messages)
	if len(after) != 1 || after[0] != "user: What was said before was summarised://They counted to three.//The person's last message, word for word:/4" {
		t.Errorf("the request after it: %q", after)
	}
	if last := brief(requests[5].Messages); len(last) != 3 || requests[5].System != requests[4].System || requests[5].System == "" {
		t.Errorf("the next turn's: %q", last)
	}
	v, err := d.Get(t.Context(), chat)
	if err != nil || v.ContextUsed != 605 || v.SummaryID == "" {
		t.Errorf("got %+v, %v", v.ChatSession, err)
	}
	// A message of before the summary can be taken back all the same.
	if _, err := d.Send(t.Context(), chat, model.Sending{Text: "2b", Replace: d.rows(chat)[2].ID}); err != nil {
		t.Fatal(err)
	}
	d.ended(chat)
	requests = d.requests()
	if got := brief(requests[len(requests)-1].Messages); !slices.Equal(got, []string{"user: 1", "assistant: a", "user: 2b"}) {
		t.Errorf("got %q", got)
	}
}

// interrupted has the person say something while a summary is made.
type interrupted struct {
	*scripted.Provider
	say func()
}

func (p interrupted) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Event, error] {
	if last := r.Messages[len(r.Messages)-1].Parts; last[len(last)-1] == (llm.Text{Text: summarise}) {
		p.say()
	}
	return p.Provider.Stream(ctx, r)
}

func TestWhatIsSaidDuringASummaryIsAnswered(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(words("a"), usage(100, 5)), says(words("b"), usage(100, 5)), says(words("c"), usage(85_000, 5)),
		scripted.Turn{When: "Summarise this", Steps: []scripted.Step{words("Three letters.")}}, says(words("d")))
	chat := d.chat()
	for _, text := range []string{"1", "2", "3"} {
		d.say(chat, text)
	}
	d.models.provider = interrupted{d.models.provider.(*scripted.Provider), func() { d.send(chat, "Wait: five") }}
	d.say(chat, "4")
	if got := strings.Join(d.story(chat)[6:], "; "); got != "user text 4; summary text Three letters.; user text Wait: five; assistant text d" {
		t.Errorf("got %s", got)
	}
	requests := d.models.provider.(interrupted).Requests()
	if got := brief(requests[len(requests)-1].Messages); !strings.Contains(strings.Join(got, " "), "Wait: five") {
		t.Errorf("the model doesn't read it: %q", got)
	}
}

func TestASummaryThatFailsIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(words("a"), usage(100, 5)), says(words("b"), usage(100, 5)), says(words("c"), usage(90_000, 5)),
		scripted.Turn{When: "Summarise this", Steps: []scripted.Step{scripted.Fail{Err: &model.Error{Code: llm.CodeOverloaded, Message: "Too busy."}}}},
		says(words("d")),
	)
	chat := d.chat()
	for _, text := range []string{"1", "2", "3", "4"} {
		d.say(chat, text)
	}
	got := strings.Join(d.story(chat)[6:], "; ")
	if want := "user text 4; note note compaction_failed The conversation could not be summarised, so it goes on in full length: Too busy.; assistant text d"; got != want {
		t.Errorf("got %s", got)
	}
}

// A provider may find a conversation too long that was estimated to fit.
func TestWhatAProviderFindsTooLongIsShortened(t *testing.T) {
	t.Parallel()
	tooLong := scripted.Fail{Err: &model.Error{Code: llm.CodeContextTooLong, Message: "It is too long."}}
	d := newDesk(t, says(words("a")), says(tooLong),
		scripted.Turn{When: "Summarise this", Steps: []scripted.Step{words("short")}}, says(words("b")), says(tooLong), says(tooLong), says(tooLong))
	chat := d.chat()
	d.say(chat, "1")
	d.say(chat, "2")
	if got := strings.Join(d.story(chat), "; "); got != "user text 1; assistant text a; user text 2; summary text short; assistant text b" {
		t.Errorf("got %s", got)
	}
	if e := d.say(chat, "3"); e.State != turnFailed || e.Error.Code != llm.CodeContextTooLong {
		t.Errorf("got %+v", e)
	}
}

func TestALongLastMessageSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	rows := []model.ChatMessage{{Role: model.RoleUser, Parts: []model.ChatPart{{Kind: model.PartText, Text: strings.Repeat("x", largeResult+5)}}}}
	if got := lastWords(rows); !strings.HasSuffix(got, "x\n[Left out: the other 5 bytes of it.]") {
		t.Errorf("got …%s", got[len(got)-60:])
	}
}
