package streamhttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

const push = `{"jsonrpc":"2.0","method":"event/new_email","params":{"n":1}}`

func TestListenDeliversWhatTheServerSaysUnasked(t *testing.T) {
	t.Parallel()
	seen := make(chan http.Header, 1)
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			w.Header().Set("Mcp-Session-Id", "a")
			sendJSON(w, `{"id":%s,"result":{}}`, idOf(r))
		case http.MethodGet:
			seen <- r.Header.Clone()
			streaming(w)("data: %s\n\n", push)
			<-r.Context().Done()
		}
	}, func(o *endpoint.Options) { o.Header = http.Header{"Authorization": {"Bearer t"}} })
	initialize(t, tr)
	if err := tr.Send(t.Context(), request(1, "ping")); err != nil {
		t.Fatal(err)
	}
	tr.Listen(t.Context())
	got.await(t, " "+push+"\n") // with an empty stream
	h := <-seen
	for name, want := range map[string]string{
		"Accept": endpoint.EventStream, "Mcp-Session-Id": "a", "Mcp-Protocol-Version": latestLegacy, "Authorization": "Bearer t", "Last-Event-Id": "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if err := tr.Close(); err != nil { // also ends the stream
		t.Fatal(err)
	}
	tr.Listen(t.Context()) // does nothing any more
}

// Answers that leave the stream closed for good: asked once, and a note only
// where something may be wrong.
func TestListenTakesNoForAnAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		note   string
	}{
		"405":                        {answerWith(405, "", ""), ""},
		"404 of a server without it": {answerWith(404, "text/html", "Cannot GET /mcp"), ""},
		"400":                        {answerWith(400, "text/plain", "no"), "HTTP 400"},
		"401":                        {answerWith(401, "", ""), "HTTP 401"},
		"501":                        {answerWith(501, "", ""), "HTTP 501"},
		"a page":                     {answerWith(200, "text/html", "<p>"), "HTTP 200"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					asked.Add(1)
				}
				if r.Method == http.MethodPost {
					w.Header().Set("Mcp-Session-Id", "a")
					sendJSON(w, `{"id":%s,"result":{}}`, idOf(r))
					return
				}
				c.answer(w, r)
			})
			initialize(t, tr)
			tr.Listen(t.Context())
			tr.background.Wait()
			if n := asked.Load(); n != 1 {
				t.Errorf("asked %d times", n)
			}
			if n := got.noted(); n != "" != (c.note != "") || !strings.Contains(n, c.note) {
				t.Errorf("notes = %q, want %q", n, c.note)
			}
			if err := tr.Send(t.Context(), request(1, "ping")); err != nil {
				t.Errorf("after that: %v", err)
			}
		})
	}
}

func TestListenComesBackAfterTheLastEvent(t *testing.T) {
	t.Parallel()
	var ids []string
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		ids = append(ids, r.Header.Get("Last-Event-ID"))
		send := streaming(w)
		switch len(ids) {
		case 1:
			send("retry: 50\nid: 1\ndata: %s\n\n", push)
		case 2:
			send("id: 2\ndata: {\"method\":\"two\"}\n\nid: 3\ndata: {\"me")
			cut()
		default:
			send("data: {\"method\":\"three\"}\n\n")
			<-r.Context().Done()
		}
	})
	tr.Listen(t.Context())
	got.await(t, "three")
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(ids, ","); got != ",1,2" {
		t.Errorf("Last-Event-IDs %q", got)
	}
	if want := " " + push + "\n {\"method\":\"two\"}\n {\"method\":\"three\"}\n"; got.lines() != want {
		t.Errorf("received\n%swant\n%s", got.lines(), want)
	}
}

func TestListenNoticesALostSession(t *testing.T) {
	t.Parallel()
	var opened atomic.Bool
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			w.Header().Set("Mcp-Session-Id", "a")
			sendJSON(w, `{"id":%s,"result":{}}`, idOf(r))
		case opened.Swap(true):
			w.WriteHeader(http.StatusNotFound)
		default:
			streaming(w)("retry: 0\ndata: {\"method\":\"p\"}\n\n")
		}
	})
	initialize(t, tr)
	tr.Listen(t.Context())
	<-tr.Done()
	if !isAll(tr.Err(), wire.ErrSessionLost) {
		t.Errorf("Err = %v", tr.Err())
	}
}

func TestListenSkipsWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	var ids []string
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		ids = append(ids, r.Header.Get("Last-Event-ID"))
		send := streaming(w)
		if len(ids) == 1 {
			send("retry: 0\nid: 1\ndata: {}\n\nid: 2\ndata: %s\n\n", strings.Repeat("x", 1000))
			return
		}
		send("data: {\"method\":\"after\"}\n\n")
		<-r.Context().Done()
	}, func(o *endpoint.Options) { o.MaxMessage = 100 })
	tr.Listen(t.Context())
	got.await(t, "after")
	got.await(t, "not_protocol: one of the server's own messages was skipped")
	_ = tr.Close()
	if got := strings.Join(ids, ","); got != ",2" {
		t.Errorf("Last-Event-IDs %q, want to go past the large one", got)
	}
}

// Neither a server that never answers the GET nor one that is gone holds up
// anything else, Close included.
func TestListenHoldsNothingUp(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			close(arrived)
			<-r.Context().Done()
			return
		}
		sendJSON(w, `{"id":%s,"result":{}}`, idOf(r))
	})
	tried := tr.Listen(t.Context())
	<-arrived
	if err := tr.Send(t.Context(), request(1, "ping")); err != nil {
		t.Error(err)
	}
	select {
	case <-tried:
		t.Error("the stream is said to be tried, but the server hasn't answered")
	default:
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	<-tried
}

// A stream that is open and silent is one that can be heard.
func TestListenSaysWhenItWouldHear(t *testing.T) {
	t.Parallel()
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", endpoint.EventStream)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	<-tr.Listen(t.Context())
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
}

func TestListenGivesUpWithANote(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		tr, got := dialTo(t, "http://mcp.example/", roundTrip(func(r *http.Request) (*http.Response, error) {
			at = append(at, time.Since(start).Round(time.Second))
			return nil, errors.New("connection refused")
		}))
		tr.Listen(t.Context())
		tr.background.Wait()
		want := []time.Duration{0, 1, 3, 7, 15, 31, 63, 123}
		if len(at) != len(want) {
			t.Fatalf("asked at %v, want %d times", at, len(want))
		}
		for i := range want {
			if at[i] != want[i]*time.Second {
				t.Errorf("try %d came after %v, want %v s", i, at[i], int(want[i]))
			}
		}
		if n := got.noted(); !strings.Contains(n, "lifecycle: ") || !strings.Contains(n, "8 tries") || !strings.Contains(n, "connection refused") {
			t.Errorf("notes = %q", n)
		}
	})
}

// A silent stream that a proxy cuts every minute is not given up; after failures
// in between, its return is noted.
func TestListenStaysWithAQuietServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		ctx, cancel := context.WithCancel(t.Context())
		tr, got := dialTo(t, "http://mcp.example/", roundTrip(func(r *http.Request) (*http.Response, error) {
			asked++
			switch {
			case asked == 50:
				cancel()
				return nil, ctx.Err()
			case asked%10 == 9:
				return nil, errors.New("connection refused")
			}
			pr, pw := io.Pipe()
			go func() {
				select {
				case <-time.After(time.Minute):
				case <-r.Context().Done():
				}
				_ = pw.Close()
			}()
			return streamOf(r, pr), nil
		}))
		tr.Listen(ctx)
		tr.background.Wait()
		if asked != 50 {
			t.Errorf("asked %d times", asked)
		}
		if n := strings.Count(got.noted(), "heard again after 1 tries"); n != 4 {
			t.Errorf("notes = %q", got.noted())
		}
	})
}

func TestWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, want time.Duration }{
		{-1, 250 * time.Millisecond}, {0, minWait}, {10 * time.Millisecond, minWait}, {time.Second, time.Second},
		{30 * time.Second, 30 * time.Second}, {time.Hour, 30 * time.Second},
	} {
		if got := resumeAfter(c.asked); got != c.want {
			t.Errorf("resumeAfter(%v) = %v, want %v", c.asked, got, c.want)
		}
	}
}
