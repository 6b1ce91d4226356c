package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

// news are the events of a socket, in their order.
type news struct {
	t  *testing.T
	ws *websocket.Conn
}

// event is what these tests read of one.
type event struct {
	Type, State string
	Call        wire.Call
	Session     wire.SessionDetail
	Message     wire.Message
	Item        struct {
		ID   string
		Kind model.ItemKind
		Tool string
	}
	raw string
}

func listen(t *testing.T, k *apptest.Kontor) *news {
	t.Helper()
	ws, res, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(k.URL, "http")+"/api/ws",
		http.Header{"Authorization": {"Bearer " + apptest.Token}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	_ = ws.SetReadDeadline(time.Now().Add(time.Minute))
	return &news{t, ws}
}

// until returns the events up to the first that want says true to.
func (n *news) until(want func(event) bool) []event {
	n.t.Helper()
	var all []event
	for {
		_, data, err := n.ws.ReadMessage()
		if err != nil {
			n.t.Fatalf("%v after %v", err, kinds(all))
		}
		e := event{raw: string(data)}
		if err := json.Unmarshal(data, &e); err != nil {
			n.t.Fatalf("%v in %s", err, data)
		}
		if all = append(all, e); want(e) {
			return all
		}
	}
}

// kinds are the types of events, one that comes again and again once.
func kinds(all []event) []string {
	var out []string
	for _, e := range all {
		out = append(out, e.Type)
	}
	return slices.Compact(out)
}

func ended(e event) bool { return e.Type == "turn_done" }

// chat begins one that a script answers in.
func chat(t *testing.T, k *apptest.Kontor, script string) string {
	t.Helper()
	body := map[string]any{"name": "script", "provider": "scripted", "script": script}
	if status := k.Do("POST", "/api/models", body, nil); status != 201 {
		t.Fatalf("add a model: %d", status)
	}
	var s wire.SessionDetail
	if status := k.Do("POST", "/api/sessions", map[string]any{}, &s); status != 201 || s.Problem != nil {
		t.Fatalf("begin a chat: %d %+v", status, s)
	}
	return s.ID
}

func send(t *testing.T, k *apptest.Kontor, id string, body map[string]any) {
	t.Helper()
	var turn wire.Turn
	if status := k.Do("POST", "/api/sessions/"+id+"/messages", body, &turn); status != 200 && status != 201 || turn.TurnID == "" {
		t.Fatalf("send: %d %+v", status, turn)
	}
}

func messages(k *apptest.Kontor, id, query string) wire.List[wire.Message] {
	var page wire.List[wire.Message]
	k.Do("GET", "/api/sessions/"+id+"/messages"+query, nil, &page)
	return page
}

// get reads a page that isn't JSON.
func get(t *testing.T, k *apptest.Kontor, path string) (status int, body, disposition string) {
	t.Helper()
	res, body := request(t, k, "GET", path, nil)
	return res.StatusCode, body, res.Header.Get("Content-Disposition")
}

// raw is Do with the body as it came.
func raw(t *testing.T, k *apptest.Kontor, method, path string, body any) (status int, text string) {
	t.Helper()
	res, text := request(t, k, method, path, body)
	return res.StatusCode, text
}

func request(t *testing.T, k *apptest.Kontor, method, path string, body any) (*http.Response, string) {
	t.Helper()
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, k.URL+path, in)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+apptest.Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(data)
}
