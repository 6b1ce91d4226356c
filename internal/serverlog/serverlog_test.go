package serverlog

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func newLog(t *testing.T) (*Log, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "logs", "mcp")
	l, err := Open(Options{Dir: dir, Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2hunter2", "••••") }})
	if err != nil {
		t.Fatal(err)
	}
	return l, dir
}

func TestFormat(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 3, 14, 34, 56, 789e6, time.FixedZone("", 7200))
	for tag, want := range map[string]string{
		"stderr":    "2026-07-03T12:34:56.789Z [stderr]     INFO: ready\n",
		"warning":   "2026-07-03T12:34:56.789Z [warning]    INFO: ready\n",
		"lifecycle": "2026-07-03T12:34:56.789Z [lifecycle]  INFO: ready\n",
	} {
		if got := Format(model.LogEntry{At: at, Tag: tag, Text: "INFO: ready"}); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	forged := Format(model.LogEntry{At: at, Tag: "stderr", Text: "a\n2026-07-03T12:34:56.789Z [lifecycle]  stopped"})
	if strings.Count(forged, "\n") != 1 {
		t.Errorf("a line break in a text makes a line of its own: %q", forged)
	}
}

func TestLinesAreRedactedEverywhere(t *testing.T) {
	t.Parallel()
	l, dir := newLog(t)
	l.Write("a b/c", "stderr", "token=hunter2hunter2")
	data, err := os.ReadFile(filepath.Join(dir, "a_b_c.log"))
	if err != nil {
		t.Fatal(err)
	}
	if ok, _ := regexp.Match(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \[stderr\]     token=••••\n$`, data); !ok {
		t.Errorf("file holds %q", data)
	}
	if lines, _ := l.Tail("a b/c", 10); len(lines) != 1 || lines[0].Text != "token=••••" {
		t.Errorf("tail holds %v", lines)
	}
}

func TestFileRotatesToOneBackup(t *testing.T) {
	t.Parallel()
	l, dir := newLog(t)
	text := strings.Repeat("x", 60<<10)
	for range 200 { // 12 MB
		l.Write("s", "stderr", text)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Fatalf("got %d files, want s.log and s.log.1", len(entries))
	}
	for _, e := range entries {
		if info, _ := e.Info(); info.Size() > rotateAt || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %d bytes, mode %v", e.Name(), info.Size(), info.Mode())
		}
	}
}

func TestTailIsBoundedAndSaysWhatItDropped(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	for i := range tailLines + 50 {
		l.Write("s", "stderr", fmt.Sprint(i))
	}
	lines, dropped := l.Tail("s", 3)
	if len(lines) != 3 || lines[2].Text != fmt.Sprint(tailLines+49) || dropped != 50 {
		t.Errorf("got %v, dropped %d", lines, dropped)
	}
}

func TestTooLongALineSaysHowMuchWasCut(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	l.Write("s", "stderr", strings.Repeat("x", maxText+10))
	if lines, _ := l.Tail("s", 1); !strings.HasSuffix(lines[0].Text, "… (10 more bytes cut)") {
		t.Errorf("ends with %q", lines[0].Text[len(lines[0].Text)-40:])
	}
}

func TestTraceIsBoundedCutAndRedacted(t *testing.T) {
	t.Parallel()
	l, _ := newLog(t)
	secretAtTheCut := []byte(strings.Repeat("a", traceBody-5) + "hunter2hunter2" + strings.Repeat("b", 1<<20))
	l.Trace("s", model.TraceEntry{Dir: "out"}, secretAtTheCut)
	kept, _ := l.TraceOf("s")
	e := kept[0]
	if !e.Cut || e.Bytes != len(secretAtTheCut) || strings.Contains(e.Body, "hunt") || len(e.Body) > traceBody+100 {
		t.Errorf("cut %v, bytes %d, body ends %q", e.Cut, e.Bytes, e.Body[len(e.Body)-40:])
	}
	for range traceMessages + 5 {
		l.Trace("s", model.TraceEntry{Dir: "in"}, []byte(`{}`))
	}
	all, dropped := l.TraceOf("s")
	if len(all) != traceMessages || all[0].Seq != 7 || dropped != 6 {
		t.Errorf("got %d entries from %d with %d dropped, want %d from 7", len(all), all[0].Seq, dropped, traceMessages)
	}
	for range 300 {
		l.Trace("t", model.TraceEntry{}, []byte(strings.Repeat("c", traceBody)))
	}
	if got, _ := l.TraceOf("t"); len(got) != traceBytes/traceBody {
		t.Errorf("got %d full bodies, want %d", len(got), traceBytes/traceBody)
	}
}
