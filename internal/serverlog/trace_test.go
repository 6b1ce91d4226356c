package serverlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func message(conn uint64, dir, kind, id string, ms int) model.TraceEntry {
	return model.TraceEntry{Conn: conn, Dir: dir, Kind: kind, ID: id, At: time.UnixMilli(int64(ms))}
}

func TestAnAnswerIsPairedWithItsRequest(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	for _, e := range []model.TraceEntry{
		message(1, "out", "request", "1", 0),
		message(2, "out", "request", "1", 0),   // another connection
		message(1, "in", "request", "1", 0),    // the server's own id
		message(1, "in", "response", `"1"`, 7), // a server that keeps ids as text
		message(1, "out", "response", "1", 9),
		message(1, "in", "response", "1", 10), // nobody waits for it
		message(1, "in", "notification", "", 11),
		message(1, "out", "request", "2", 12),
	} {
		l.Trace("s", e, nil)
	}
	all, _ := l.TraceOf("s")
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprint(e.Pair, " ", e.Took.Milliseconds()))
	}
	want := []string{"4 7", "0 0", "5 9", "1 7", "3 9", "0 0", "0 0", "0 0"}
	if !slices.Equal(got, want) {
		t.Errorf("pairs and times = %q, want %q", got, want)
	}
}

func TestAnAnswerWithoutAnIDIsPairedByItsMethodWhenOnlyOneWaits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		waiting []string
		id      string
		want    uint64
	}{
		{"no id", []string{"server/discover"}, "", 1},
		{"null", []string{"tools/list", "server/discover"}, "null", 2},
		{"another method", []string{"tools/list"}, "", 0},
		{"two wait", []string{"server/discover", "server/discover"}, "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			l, _ := newLog(t)
			for i, method := range tc.waiting {
				e := message(1, "out", "request", fmt.Sprint(i), 0)
				e.Method = method
				l.Trace("s", e, nil)
			}
			e := message(1, "in", "response", tc.id, 5)
			e.Method = "server/discover"
			l.Trace("s", e, nil)
			all, _ := l.TraceOf("s")
			if got := all[len(all)-1].Pair; got != tc.want {
				t.Errorf("paired with %d, want %d", got, tc.want)
			}
		})
	}
}

func TestAnAnswerToARequestThatWasLetGoStandsAlone(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	l.Trace("s", message(1, "out", "request", "1", 0), nil)
	for range traceMessages {
		l.Trace("s", message(1, "in", "notification", "", 0), nil)
	}
	l.Trace("s", message(1, "in", "response", "1", 1), nil)
	all, _ := l.TraceOf("s")
	if e := all[len(all)-1]; e.Pair != 0 || e.Took != 0 {
		t.Errorf("got %+v", e)
	}
	if n := len(l.server("s").trace.asked); n > 0 {
		t.Errorf("%d requests are remembered", n)
	}
}

func TestARequestEndsWithoutAnAnswerAndMayBeAnsweredLate(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	l.Trace("s", message(1, "out", "request", "1", 0), nil)
	l.Trace("s", message(1, "in", "unanswered", "1", 3), []byte("it was cancelled"))
	if all, _ := l.TraceOf("s"); all[0].Pair != 2 || all[1].Pair != 1 || all[0].Took != 3*time.Millisecond {
		t.Errorf("given up: %+v", all)
	}
	l.Trace("s", message(1, "in", "response", "1", 8), nil)
	if all, _ := l.TraceOf("s"); all[0].Pair != 3 || all[2].Pair != 1 || all[0].Took != 8*time.Millisecond {
		t.Errorf("answered late: %+v", all)
	}
	if n := len(l.server("s").trace.asked); n > 0 {
		t.Errorf("%d requests are remembered", n)
	}
}

func TestALongIDOrMethodIsCutAndHasNoSecret(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	long := "hunter2hunter2" + strings.Repeat("x", 1<<20)
	l.Trace("s", model.TraceEntry{ID: long, Method: long}, nil)
	all, _ := l.TraceOf("s")
	if e := all[0]; len(e.ID) != traceWord || len(e.Method) != traceWord || strings.Contains(e.ID+e.Method, "hunter2") {
		t.Errorf("id of %d and method of %d bytes: %.20s %.20s", len(e.ID), len(e.Method), e.ID, e.Method)
	}
}

func TestAWatcherHearsUntilItStops(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	var one, two []uint64
	stop := l.WatchTrace("s", func(e model.TraceEntry) { one = append(one, e.Seq) })
	defer l.WatchTrace("s", func(e model.TraceEntry) { two = append(two, e.Seq) })()
	l.Trace("s", model.TraceEntry{}, nil)
	l.Trace("other", model.TraceEntry{}, nil)
	stop()
	l.Forget("s")
	l.Trace("s", model.TraceEntry{}, nil)
	if !slices.Equal(one, []uint64{1}) || !slices.Equal(two, []uint64{1, 1}) {
		t.Errorf("heard %v and %v", one, two)
	}
}
