package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"kontor.dev/kontor/internal/model"
)

type event struct {
	Type, Epoch, Name, Server string
	Seq                       uint64
	Line                      struct{ Text string }
}

func (s *site) dial(since string, headers http.Header) (*websocket.Conn, *http.Response, error) {
	if headers == nil {
		headers = http.Header{"Authorization": {"Bearer " + s.token}}
	}
	ws, res, err := websocket.DefaultDialer.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.URL, "http")+"/api/ws?since="+since, headers)
	if err == nil {
		s.t.Cleanup(func() { _ = ws.Close() })
		_ = ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	}
	return ws, res, err
}

func read(t *testing.T, ws *websocket.Conn) event {
	t.Helper()
	_, data, err := ws.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return e
}

func TestASocketGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	ws, _, err := s.dial("", nil)
	if err != nil {
		t.Fatal(err)
	}
	hello := read(t, ws)
	if hello.Type != "hello" || hello.Epoch == "" {
		t.Fatalf("got %+v, want hello", hello)
	}
	s.bus.Publish(model.ServerRemoved{Name: "one"})
	s.bus.Publish(model.ServerRemoved{Name: "two"})
	first, second := read(t, ws), read(t, ws)
	if first.Name != "one" || second.Name != "two" || second.Seq != first.Seq+1 {
		t.Errorf("got %+v and %+v", first, second)
	}
	since := func(seq uint64) string { return hello.Epoch + ":" + string(rune('0'+seq)) }
	again, _, err := s.dial(since(first.Seq), nil)
	if err != nil {
		t.Fatal(err)
	}
	read(t, again)
	if missed := read(t, again); missed.Name != "two" || missed.Seq != second.Seq {
		t.Errorf("after a resume: got %+v, want the second event", missed)
	}
	stale, _, err := s.dial("OTHER:1", nil)
	if err != nil {
		t.Fatal(err)
	}
	read(t, stale)
	if e := read(t, stale); e.Type != "resync" {
		t.Errorf("with another epoch: got %+v, want resync", e)
	}
}

func TestLogLinesGoToThoseWhoAsked(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	ws, _, err := s.dial("", nil)
	if err != nil {
		t.Fatal(err)
	}
	read(t, ws)
	for _, message := range []string{`nonsense`, `{"type":"subscribe","topic":"log","server":"fake"}`} {
		if err := ws.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	// Subscribing has no answer: lines come from some moment on.
	lines := make(chan event, 1)
	go func() {
		defer close(lines)
		for {
			var e event
			if ws.ReadJSON(&e) != nil {
				return
			}
			if e.Type == "log_line" {
				lines <- e
				return
			}
		}
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case e := <-lines:
			if e.Server != "fake" || e.Line.Text != "hello" || e.Seq != 0 {
				t.Errorf("got %+v", e)
			}
			return
		case <-tick.C:
			s.logs.Write("other", "stderr", "not for us")
			s.logs.Write("fake", "stderr", "hello")
		}
	}
}

func TestASocketIsForThoseWhoMay(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	bearer := "Bearer " + s.token
	for name, c := range map[string]struct {
		headers http.Header
		status  int
	}{
		"nobody":                   {http.Header{}, 401},
		"another page":             {http.Header{"Authorization": {bearer}, "Origin": {"https://evil.example"}}, 403},
		"another port":             {http.Header{"Authorization": {bearer}, "Origin": {"http://127.0.0.1:1"}, "Sec-Fetch-Site": {"same-site"}}, 403},
		"a foreign name (rebound)": {http.Header{"Authorization": {bearer}, "Host": {"evil.example"}, "Origin": {"http://evil.example"}}, 421},
	} {
		_, res, err := s.dial("", c.headers)
		if err == nil || res == nil || res.StatusCode != c.status {
			t.Errorf("%s: got %v %v, want %d", name, res, err, c.status)
		}
	}
	if _, _, err := s.dial("", http.Header{"Authorization": {bearer}, "Origin": {s.URL}}); err != nil {
		t.Errorf("our own page: %v", err)
	}
	if a := s.request("GET", "/api/ws", ""); a.problem(t).Code != "bad_request" {
		t.Errorf("no upgrade: got %s", a.body)
	}
}

func TestASocketEndsWithItsToken(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	value, token, err := s.access.CreateToken(t.Context(), "watcher", model.ScopeRead, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	ws, _, err := s.dial("", http.Header{"Authorization": {"Bearer " + value}})
	if err != nil {
		t.Fatal(err)
	}
	read(t, ws)
	if err := s.access.RevokeToken(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	for {
		if _, _, err := ws.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Errorf("got %v, want going away", err)
			}
			return
		}
	}
}
