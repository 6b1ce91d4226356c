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

// big adds a server whose tools cost so many tokens.
func (d *desk) big(tokens int) {
	d.t.Helper()
	if err := d.store.InsertServer(d.t.Context(), model.Server{Name: "big", Transport: model.TransportStdio, Command: "x"}); err != nil {
		d.t.Fatal(err)
	}
	large := named("big", "all")
	large[0].Tokens = tokens
	d.servers.change(func(s *fakeServers) {
		s.list, s.tools = append(s.list, server("big", model.ServerReady)), append(s.tools, large...)
	})
}

// Tools that are switched on fill the context as words do, on the meter and in what
// decides on a summary.
func TestToolsThatAreSwitchedOnCount(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		says(words("a"), usage(100, 5)), says(words("b"), usage(200, 5)), says(words("c"), usage(45_000, 5)),
		scripted.Turn{When: "Summarise this conversation", Steps: []scripted.Step{words("In short.")}}, says(words("d"), usage(41_000, 5)),
	)
	d.big(40_000)
	chat := d.chat("demo")
	for _, text := range []string{"1", "2", "3"} {
		d.say(chat, text)
	}
	for _, c := range []struct {
		groups []string
		want   int
	}{{[]string{"demo", "big"}, 85_005}, {[]string{"demo"}, 45_005}, {[]string{"big"}, 84_965}} {
		if v, err := d.SetGrants(t.Context(), chat, c.groups); err != nil || v.ContextUsed != c.want {
			t.Errorf("with %v the meter shows %d, want %d (%v)", c.groups, v.ContextUsed, c.want, err)
		}
	}
	d.say(chat, "4")
	got := strings.Join(d.story(chat), "; ")
	if want := "user text 4; summary text In short.; assistant text d"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want it to end %s", got, want)
	}
}

// Where the tools alone leave no room, a summary would cost much and help nothing.
func TestToolsThatLeaveNoRoomAreSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(words("a"), usage(81_000, 5)), says(words("b"), usage(81_000, 5)), says(words("c"), usage(81_000, 5)), says(words("d"), usage(81_000, 5)))
	d.big(80_500)
	chat := d.chat("big")
	for _, text := range []string{"1", "2", "3", "4"} {
		d.say(chat, text)
	}
	got := strings.Join(d.story(chat)[4:], "; ")
	if want := "user text 3; note note compaction_failed The tools that are switched on take 80500 of the 100000 tokens that the model has room for: a summary of what was said would make no room. Switch some off.; assistant text c; user text 4; assistant text d"; got != want {
		t.Errorf("got %s, want %s", got, want)
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
	script := d.models.provider.(*scripted.Provider)
	d.models.play(interrupted{script, func() { d.send(chat, "Wait: five") }})
	d.say(chat, "4")
	if got := strings.Join(d.story(chat)[6:], "; "); got != "user text 4; summary text Three letters.; user text Wait: five; assistant text d" {
		t.Errorf("got %s", got)
	}
	requests := script.Requests()
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
