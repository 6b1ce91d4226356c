package whole

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// Of 50 servers one never answers and one crashes. That nobody waits for them is
// seen without a stopwatch: the 48 are ready and work while the silent one is still
// within its start limit of two minutes.
func TestTwoBadServersHoldUpNobody(t *testing.T) {
	t.Parallel()
	first := kontor.Start(t, kontor.Options{})
	first.Add("a-silent", fake(t, "silent")) // the first to be started
	first.Add("b-crash", fake(t, "crash"))
	const decent = 48
	for i := range decent {
		first.Add(fmt.Sprintf("demo-%02d", i), kontor.Demo())
	}
	first.Stop()

	k := kontor.Start(t, kontor.Options{Data: first.Data})
	var servers map[string]kontor.Server
	kontor.Poll(t, kontor.Patience, "48 servers ready", func() bool {
		servers = k.Servers()
		return inState(servers, "ready") == decent
	})
	if len(servers) != decent+2 {
		t.Fatalf("got %d servers, want %d", len(servers), decent+2)
	}
	if got := servers["a-silent"].Status.State; got != "connecting" {
		t.Errorf("the silent server is %s when the others are ready: they may have waited for it", got)
	}
	for _, name := range []string{"demo-00", "demo-47"} {
		if got := k.Call("mcp__"+name+"__echo", `{"text": "here"}`).Text(); got != "here" {
			t.Errorf("%s echoes %q", name, got)
		}
	}
	var tools struct{ Items []kontor.Tool }
	k.Get("/api/tools", &tools)
	if got, want := len(tools.Items), decent*servers["demo-00"].Status.Tools; got != want || want == 0 {
		t.Errorf("got %d tools, want %d", got, want)
	}
	crashedSaysWhy(t, k)
	silentSaysWhy(t, k)
}

func inState(servers map[string]kontor.Server, state string) int {
	n := 0
	for _, s := range servers {
		if s.Status.State == state {
			n++
		}
	}
	return n
}

func crashedSaysWhy(t *testing.T, k *kontor.Kontor) {
	t.Helper()
	s := k.AwaitServer("b-crash", "tried again or given up", func(s kontor.Server) bool {
		return s.Status.LastError != nil
	})
	if e := s.Status.LastError; e.Code != "exited" || !strings.Contains(e.Message, "3") || !strings.Contains(e.Message, "config.yaml: no such file") {
		t.Errorf("the crashed server says %+v, want the exit code and its last words", e)
	}
	if want := "crash: config.yaml: no such file"; s.Status.LastStderr != want {
		t.Errorf("last_stderr is %q, want %q", s.Status.LastStderr, want)
	}
}

// silentSaysWhy gives the silent server less time, rather than wait two minutes.
func silentSaysWhy(t *testing.T, k *kontor.Kontor) {
	t.Helper()
	k.Send(http.StatusOK, http.MethodPut, "/api/servers/a-silent", fake(t, "silent").With("start_timeout_ms", 300), nil)
	k.Post("/api/servers/a-silent/reconnect", nil, nil)
	s := k.AwaitState("a-silent", "failed")
	if e := s.Status.LastError; e == nil || e.Code != "timeout" || !strings.Contains(e.Message, "0.3 s") {
		t.Errorf("the silent server says %+v, want a timeout after 0.3 s", e)
	}
}
