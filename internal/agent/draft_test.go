package agent

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// deltas collects what a draft tells, with when.
type deltas struct {
	news  []model.MessageDelta
	times []time.Time
}

func (d *deltas) publish(e model.Event) {
	d.news = append(d.news, e.(model.MessageDelta))
	d.times = append(d.times, time.Now())
}

func TestDeltasAreToldSeldomAndLoseNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var heard deltas
		d := newDraft(model.ChatMessage{ID: "m", SessionID: "s", FrameID: "f"}, strings.ToUpper, heard.publish)
		for range 100 {
			d.take(llm.TextDelta{Text: "wörd "})
			time.Sleep(3 * time.Millisecond)
		}
		d.take(llm.ToolCallStarted{Index: 0, ID: "c", Name: "echo"})
		d.take(llm.ToolCallDelta{Index: 0, Text: `{"a":`})
		d.take(llm.ToolCallDelta{Index: 0, Text: `1}`})
		time.Sleep(time.Second)
		d.end()
		got := map[int]string{}
		for i, n := range heard.news {
			if n.Offset != len(got[n.Part]) {
				t.Fatalf("delta %d of part %d is at %d, want %d", i, n.Part, n.Offset, len(got[n.Part]))
			}
			got[n.Part] += n.Text
			if i > 0 && heard.times[i] != heard.times[i-1] && heard.times[i].Sub(heard.times[i-1]) < deltaEvery {
				t.Errorf("delta %d came %v after the one before", i, heard.times[i].Sub(heard.times[i-1]))
			}
		}
		if want := strings.Repeat("wörd ", 100); got[0] != want || got[1] != `{"a":1}` {
			t.Errorf("got %q and %q", got[0], got[1])
		}
		last := heard.news[len(heard.news)-1]
		if last.Kind != model.PartToolUse || last.UseID != "c" || last.Name != "ECHO" {
			t.Errorf("got %+v", last)
		}
		if n := len(heard.news); n > 12 {
			t.Errorf("300 ms of writing were %d pieces of news", n)
		}
		if parts := d.snapshot().Parts; len(parts) != 2 || parts[1].Text != `{"a":1}` {
			t.Errorf("got %+v", parts)
		}
		if words := d.words(); len(words) != 1 || words[0].Kind != model.PartText {
			t.Errorf("a call that never ended was kept: %+v", words)
		}
	})
}

func TestNothingFollowsTheEndOfADraft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var heard deltas
		d := newDraft(model.ChatMessage{}, strings.ToUpper, heard.publish)
		d.take(llm.Retrying{Attempt: 1, Wait: 2 * time.Second, Err: model.Errorf(llm.CodeOverloaded, "It is overloaded")})
		d.take(llm.TextDelta{Text: "a"})
		d.take(llm.TextDelta{Text: "b"})
		d.end()
		time.Sleep(time.Second)
		if n := len(heard.news); n != 1 || heard.news[0].Kind != model.PartNote || heard.news[0].Text != "It is overloaded." ||
			heard.news[0].Code != NoteRetrying || !heard.news[0].Until.Equal(time.Date(2000, 1, 1, 0, 0, 2, 0, time.UTC)) {
			t.Errorf("got %+v", heard.news)
		}
	})
}
