package hub_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/hub"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type message struct {
	Type, Epoch string
	Seq         uint64
}

// start serves h at a WebSocket address.
func start(t *testing.T, h *hub.Hub, onMessage func(*hub.Conn, []byte)) string {
	t.Helper()
	up := websocket.Upgrader{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		h.Serve(context.Background(), ws, r.URL.Query().Get("since"), onMessage)
	}))
	t.Cleanup(func() { h.Close(); s.Close() })
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

func dial(t *testing.T, url, since string) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(url+"?since="+since, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws
}

func next(t *testing.T, ws *websocket.Conn) message {
	t.Helper()
	ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, data, err := ws.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return m
}

func say(h *hub.Hub) {
	h.Broadcast(func(seq uint64) []byte { return fmt.Appendf(nil, `{"type":"news","seq":%d}`, seq) })
}

func TestResumeGivesExactlyWhatWasMissed(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{})
	url := start(t, h, nil)
	first := dial(t, url, "")
	hello := next(t, first)
	if hello.Type != "hello" || hello.Epoch == "" || hello.Seq != 0 {
		t.Fatalf("got %+v, want hello 0", hello)
	}
	for range 5 {
		say(h)
	}
	for want := uint64(1); want <= 5; want++ {
		if got := next(t, first); got.Seq != want {
			t.Fatalf("got seq %d, want %d", got.Seq, want)
		}
	}
	back := dial(t, url, hello.Epoch+":3")
	if got := next(t, back); got.Type != "hello" || got.Seq != 5 {
		t.Fatalf("got %+v, want hello 5", got)
	}
	say(h)
	for want := uint64(4); want <= 6; want++ {
		if got := next(t, back); got.Type != "news" || got.Seq != want {
			t.Fatalf("got %+v, want news %d", got, want)
		}
	}
}

func TestEveryMessageIsUTF8(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{})
	ws := dial(t, start(t, h, nil), "")
	next(t, ws)
	h.Broadcast(func(uint64) []byte { return []byte("{\"type\":\"\xff\xc0\"}") })
	ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, data, err := ws.ReadMessage(); err != nil || string(data) != "{\"type\":\"\uFFFD\"}" {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestWhoCantResumeIsToldToResync(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{HistoryMessages: 3})
	url := start(t, h, nil)
	epoch := next(t, dial(t, url, "")).Epoch
	for range 10 {
		say(h)
	}
	for since, want := range map[string]string{
		epoch + ":7":   "news", // 8, 9 and 10 are held
		epoch + ":6":   "resync",
		epoch + ":11":  "resync", // from the future
		"other:9":      "resync",
		"nonsense":     "resync",
		epoch + ":-1":  "resync",
		epoch + ":9":   "news",
		epoch + "%3A8": "news",
	} {
		ws := dial(t, url, since)
		next(t, ws)
		if got := next(t, ws); got.Type != want {
			t.Errorf("since %s: got %+v, want %s", since, got, want)
		}
	}
}

func TestHistoryIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{HistoryBytes: 100})
	url := start(t, h, nil)
	epoch := next(t, dial(t, url, "")).Epoch
	for range 20 {
		say(h)
	}
	ws := dial(t, url, epoch+":1")
	next(t, ws)
	if got := next(t, ws); got.Type != "resync" {
		t.Errorf("got %+v, want resync", got)
	}
}

func TestNothingIsEncodedForNobody(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{KeepFor: time.Nanosecond})
	url := start(t, h, nil)
	silent := func(uint64) []byte { t.Error("a message was encoded"); return nil }
	h.Broadcast(silent)
	ws := dial(t, url, "")
	epoch := next(t, ws).Epoch
	ws.Close()
	for deadline := time.Now().Add(10 * time.Second); h.Connections() > 0; {
		if time.Now().After(deadline) {
			t.Fatal("the connection is still there")
		}
		time.Sleep(time.Millisecond)
	}
	h.Broadcast(silent)
	for since, want := range map[string]string{epoch + ":1": "resync", epoch + ":2": "news"} {
		back := dial(t, url, since)
		if got := next(t, back); got.Type != "hello" || got.Seq < 2 {
			t.Errorf("since %s: got %+v, want hello", since, got)
		}
		say(h)
		if got := next(t, back); got.Type != want {
			t.Errorf("since %s: got %+v, want %s", since, got, want)
		}
	}
}

func TestMissedNewsMakesEveryoneResync(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{})
	url := start(t, h, nil)
	ws := dial(t, url, "")
	epoch := next(t, ws).Epoch
	say(h)
	next(t, ws)
	h.Resync()
	if got := next(t, ws); got.Type != "resync" || got.Seq != 1 {
		t.Errorf("got %+v, want resync 1", got)
	}
	late := dial(t, url, epoch+":0")
	next(t, late)
	if got := next(t, late); got.Type != "resync" {
		t.Errorf("got %+v, want resync", got)
	}
}

func TestSlowReaderIsCutOffAndHoldsUpNobody(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{Queue: 8, WriteTimeout: 5 * time.Second})
	url := start(t, h, nil)
	slow, quick := dial(t, url, ""), dial(t, url, "")
	next(t, slow)
	next(t, quick)
	fat := strings.Repeat("x", 1<<20)
	// The slow one reads nothing: its socket fills up, then its queue.
	for want := uint64(1); want <= 40; want++ {
		h.Broadcast(func(seq uint64) []byte { return fmt.Appendf(nil, `{"type":"%s","seq":%d}`, fat, seq) })
		if got := next(t, quick); got.Seq != want {
			t.Fatalf("quick reader got %d, want %d", got.Seq, want)
		}
	}
	for deadline := time.Now().Add(20 * time.Second); h.Connections() > 1; {
		if time.Now().After(deadline) {
			t.Fatal("the slow connection is still there")
		}
		slow.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, _, err := slow.ReadMessage(); err != nil && !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
			t.Fatalf("slow reader ended with %v, want close 1013", err)
		}
	}
}

func TestClientMessagesAndAnswersToOneConnection(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{})
	url := start(t, h, func(c *hub.Conn, data []byte) { c.Send(data) })
	ws, other := dial(t, url, ""), dial(t, url, "")
	next(t, ws)
	next(t, other)
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"echo"}`)); err != nil {
		t.Fatal(err)
	}
	if got := next(t, ws); got.Type != "echo" {
		t.Errorf("got %+v, want echo", got)
	}
	say(h)
	if got := next(t, other); got.Type != "news" {
		t.Errorf("the other got %+v, want news only", got)
	}
}

func TestDeadPeerIsNoticed(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{PingEvery: 20 * time.Millisecond, WriteTimeout: 20 * time.Millisecond})
	url := start(t, h, nil)
	ws := dial(t, url, "")
	ws.SetPingHandler(func(string) error { return nil }) // reads, never answers
	for {
		ws.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, _, err := ws.ReadMessage(); err != nil {
			break
		}
	}
	for deadline := time.Now().Add(10 * time.Second); h.Connections() > 0; {
		if time.Now().After(deadline) {
			t.Fatal("a peer that answers no ping is still connected")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestCloseEndsEveryConnectionAndLaterOnes(t *testing.T) {
	t.Parallel()
	h := hub.New(hub.Options{})
	url := start(t, h, nil)
	var wg sync.WaitGroup
	for range 20 {
		ws := dial(t, url, "")
		next(t, ws)
		wg.Go(func() {
			if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Errorf("got %v, want close 1001", err)
			}
		})
	}
	h.Close()
	wg.Wait()
	if h.Connections() != 0 {
		t.Errorf("%d connections are left", h.Connections())
	}
	say(h)
	late := dial(t, url, "")
	if _, _, err := late.ReadMessage(); err == nil {
		t.Error("a closed hub took a connection")
	}
}
