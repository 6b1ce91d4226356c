package whole

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"kontor.dev/kontor/test/kontor"
)

// busy is a Kontor with calls of every open kind on their way.
type busy struct {
	*kontor.Kontor
	running, waiting []kontor.Call
	question         kontor.Elicitation
	processes        []int
}

func makeBusy(t *testing.T) busy {
	t.Helper()
	k := kontor.Start(t, kontor.Options{})
	b := busy{Kontor: k}
	k.Add("demo", kontor.Demo())
	k.Add("stubborn", fake(t, "stubborn"))
	k.AwaitState("demo", "ready")
	k.AwaitState("stubborn", "ready")
	b.running = append(b.running,
		k.StartCall("mcp__stubborn__hang", `{}`),
		k.StartCall("mcp__demo__slow", `{"steps": 2, "delay_ms": 600000}`))
	asking := k.StartCall("mcp__demo__confirm", `{}`)
	b.waiting = append(b.waiting, asking)
	b.question = k.Question(asking.ID)
	b.processes = kontor.Descendants(t, k.PID())
	// The watchdog, demo, stubborn and its child.
	if got, want := len(b.processes), 4; got < want {
		t.Fatalf("got %d processes below Kontor, want %d at least", got, want)
	}
	return b
}

func TestAKilledKontorLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	b := makeBusy(t)
	b.Kill9()
	gone(t, b.processes, 5*time.Second)
	whole(t, filepath.Join(b.Data, "kontor.db"))

	k := kontor.Start(t, kontor.Options{Data: b.Data})
	for _, before := range append(b.running, b.waiting...) {
		after := k.GetCall(before.ID)
		if after.State != "unknown" || after.EndedAt == nil {
			t.Errorf("%s is %s, ended %v, want unknown and a time", after.Name, after.State, after.EndedAt)
		}
		if after.Error == nil || after.Error.Code != "outcome_unknown" || !strings.Contains(after.Error.Message, "Kontor") {
			t.Errorf("%s: the error %+v doesn't say that Kontor ended", after.Name, after.Error)
		}
	}
	if got := k.Inbox().Total; got != 0 {
		t.Errorf("%d items wait whose askers are gone", got)
	}
	p := k.Refused(http.StatusConflict, http.MethodPost, kontor.ResolvePath(b.question.ID), kontor.AnswerBody("accept", "{}"))
	if p.Code != "gone" || p.Resolution == nil || p.Resolution.Action != "cancel" {
		t.Errorf("the old question answers %+v, want gone and cancelled", p)
	}
	k.AwaitState("demo", "ready")
	k.AwaitState("stubborn", "ready")
	if got := k.Call("mcp__demo__echo", `{"text": "again"}`).Text(); got != "again" {
		t.Errorf("after the restart echo answers %q", got)
	}
}

func TestAStoppedKontorLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	b := makeBusy(t)
	b.Stop()
	if left := kontor.Living(b.processes); len(left) != 0 {
		t.Errorf("processes %v outlive Kontor", left)
	}
	whole(t, filepath.Join(b.Data, "kontor.db"))
	k := kontor.Start(t, kontor.Options{Data: b.Data})
	for _, before := range append(b.running, b.waiting...) {
		if after := k.GetCall(before.ID); !after.Settled() || after.State == "done" || after.Error == nil {
			t.Errorf("%s is %s with error %+v, want it ended with a reason", after.Name, after.State, after.Error)
		}
	}
	if got := k.Inbox().Total; got != 0 {
		t.Errorf("%d items wait whose askers are gone", got)
	}
}

// gone waits for the end of processes.
func gone(t *testing.T, pids []int, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for len(kontor.Living(pids)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("processes %v still run after %s", kontor.Living(pids), limit)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// whole checks every page of a database.
func whole(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity_check: %q, %v", verdict, err)
	}
}
