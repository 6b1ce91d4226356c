package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"kontor.dev/kontor/internal/hub"
	"kontor.dev/kontor/internal/model"
)

// traced lets two messages of a server pass.
func (s *site) traced(server, call string) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.logs.Trace(server, model.TraceEntry{At: at, Conn: 1, Dir: "out", Kind: "request", Method: "tools/call", ID: "1", CallID: call}, []byte(`{"n":1e400}`))
	s.logs.Trace(server, model.TraceEntry{At: at.Add(1500 * time.Microsecond), Conn: 1, Dir: "in", Kind: "response", Method: "tools/call", ID: "1", CallID: call}, []byte(strings.Repeat("x", 70<<10)))
}

func TestATraceIsReadByCallAndFromAPlace(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	s.traced("gone", "one")
	s.traced("gone", "two")
	s.logs.Trace("gone", model.TraceEntry{Dir: "in", Kind: "request", ID: `"cut`}, nil)
	for query, want := range map[string]string{
		"":                    "1 2 3 4 5",
		"?call_id=two":        "3 4",
		"?since=3":            "4 5",
		"?since=3&call_id=on": "",
	} {
		a := s.request("GET", "/api/servers/gone/trace"+query, "")
		var page struct {
			Items []struct{ Seq uint64 }
			Next  *string
		}
		if err := json.Unmarshal([]byte(a.body), &page); err != nil || page.Items == nil {
			t.Fatalf("%q: %v in %.300s", query, err, a.body)
		}
		var got []string
		for _, e := range page.Items {
			got = append(got, fmt.Sprint(e.Seq))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
	a := s.request("GET", "/api/servers/gone/trace", "")
	for _, want := range []string{
		`"dir":"out","kind":"request","method":"tools/call","id":1,"bytes":11,"ms":1.5,"pair":2,"call_id":"one","body":"{\"n\":1e400}","cut":false`,
		`"kind":"response","method":"tools/call","id":1,"bytes":71680,"ms":1.5,"pair":1,"call_id":"one"`, `"cut":true`,
		`"id":null,"bytes":0,"ms":null,"pair":null`, `"next":null,"dropped":0`,
	} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s isn't in the answer", want)
		}
	}
	if a := s.request("GET", "/api/servers/never/trace", ""); a.problem(t).Code != "not_found" {
		t.Errorf("a server that never was: %s", a.body)
	}
}

// traceOf reads the next message that is about a trace.
func traceOf(t *testing.T, ws *websocket.Conn) (kind string, seq uint64) {
	t.Helper()
	for {
		var e struct {
			Type string
			Line struct{ Seq uint64 }
		}
		if err := ws.ReadJSON(&e); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(e.Type, "trace_") {
			return e.Type, e.Line.Seq
		}
	}
}

func TestMessagesGoToThoseWhoAskedForTheTrace(t *testing.T) {
	t.Parallel()
	// While the flood comes nobody reads, for as long as the machine takes for it: one
	// who doesn't read is cut off after a while, which is not for this test.
	s := start(t, siteOptions{hub: hub.Options{WriteTimeout: time.Hour}})
	ws, _, err := s.dial("", nil)
	if err != nil {
		t.Fatal(err)
	}
	read(t, ws)
	say := func(text string) {
		t.Helper()
		if err := ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	say(`{"type":"subscribe","topic":"trace","server":"fake"}`)
	// Subscribing has no answer: messages come from some moment on.
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				s.logs.Trace("other", model.TraceEntry{}, nil)
				s.logs.Trace("fake", model.TraceEntry{Dir: "in"}, []byte("{}"))
			}
		}
	}()
	kind, first := traceOf(t, ws)
	if _, second := traceOf(t, ws); kind != "trace_line" || second != first+1 {
		t.Errorf("got a %s with %d, and then %d", kind, first, second)
	}
	close(stop)
	<-stopped

	// A flood is not sent whole, and nobody is cut off for it.
	for range 800 {
		s.logs.Trace("fake", model.TraceEntry{Dir: "in"}, []byte(strings.Repeat("x", 60<<10)))
	}
	_ = ws.SetReadDeadline(time.Now().Add(time.Minute))
	for kind = ""; kind != "trace_missed"; {
		kind, _ = traceOf(t, ws)
	}
	say(`{"type":"unsubscribe","topic":"trace","server":"fake"}`)
}

func TestAChangedToolIsAcceptedAsItWasSeen(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	server := model.Server{Name: "mine", Transport: model.TransportStdio, Command: "/nonexistent"}
	if err := s.store.InsertServer(t.Context(), server); err != nil {
		t.Fatal(err)
	}
	s.shelf.Configure(server)
	const odd = "a/b c"
	list := func(description string) {
		s.shelf.Replace("mine", model.ListTools, []json.RawMessage{json.RawMessage(fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"big":9007199254740993}}`, odd, description))})
	}
	type toolShape struct {
		Name      string
		ChangedAt *time.Time `json:"changed_at"`
		Changed   *struct {
			Old, New json.RawMessage
			At       string
		}
	}
	tool := func() toolShape {
		t.Helper()
		var page struct{ Items []toolShape }
		if err := json.Unmarshal([]byte(s.request("GET", "/api/tools?server=mine", "").body), &page); err != nil || len(page.Items) != 1 {
			t.Fatalf("%v, %+v", err, page)
		}
		return page.Items[0]
	}
	list("one")
	if x := tool(); x.Changed != nil || x.ChangedAt != nil {
		t.Errorf("seen first: %+v", x)
	}
	list("two")
	x := tool()
	if x.Changed == nil || string(x.Changed.Old) != `{"description":"one","inputSchema":{"big":9007199254740993}}` || x.ChangedAt == nil {
		t.Fatalf("changed: %+v", x)
	}
	accept := func(at string) answer {
		return s.request("POST", "/api/tools/accept", fmt.Sprintf(`{"name":%q,"at":%q}`, x.Name, at))
	}
	if a := accept("2020-01-01T00:00:00Z"); a.problem(t).Code != "conflict" {
		t.Errorf("another change: %s", a.body)
	}
	if a := accept(x.Changed.At); a.StatusCode != 200 || strings.Contains(a.body, `"changed":`) {
		t.Errorf("accepted: %d %s", a.StatusCode, a.body)
	}
	if x := tool(); x.Changed != nil || x.ChangedAt == nil {
		t.Errorf("afterwards: %+v", x)
	}
	if a := s.request("POST", "/api/tools/accept", `{"name":"mcp__mine__no","at":"2020-01-01T00:00:00Z"}`); a.StatusCode != 404 {
		t.Errorf("an unknown tool: %s", a.body)
	}
}
