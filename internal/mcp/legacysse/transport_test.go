package legacysse

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestMessagesGoToTheEndpointAndAnswersComeOnTheStream(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]string{
		"relative":         "/messages?id=1",
		"absolute":         "http://HOST/messages?id=1",
		"beside the GET":   "messages?id=1",
		"with blanks":      "  /messages?id=1",
		"with a fragment":  "/messages?id=1#x",
		"the default port": "//HOST/messages?id=1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := accepting("")
			take := f.take
			f.take = func(w http.ResponseWriter, r *http.Request, body string) {
				if r.URL.String() != "/messages?id=1" || r.Header.Get("Authorization") != "Bearer t" || r.Header.Get("Content-Type") != "application/json" {
					t.Errorf("POST %s %v", r.URL, r.Header)
				}
				take(w, r, body)
			}
			address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					if r.Header.Get("Accept") != endpoint.EventStream || r.Header.Get("Authorization") != "Bearer t" {
						t.Errorf("GET %v", r.Header)
					}
					f.endpoint = strings.ReplaceAll(at, "HOST", r.Host)
				}
				f.ServeHTTP(w, r)
			}))
			tr, got, err := dial(t.Context(), t, address)
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.Send(t.Context(), request(1, "ping")); err != nil {
				t.Fatal(err)
			}
			got.await(t, `|{"jsonrpc":"2.0","id":1,"result":{"m":"ping"}}`) // before Send returned
			if err := tr.Send(t.Context(), wire.Outgoing{Message: wire.NewNotification("notifications/initialized", nil)}); err != nil {
				t.Error(err)
			}
			f.events <- "data: {\"jsonrpc\":\"2.0\",\"method\":\"event/new_email\"}\n\n"
			got.await(t, `|{"jsonrpc":"2.0","method":"event/new_email"}`)
			f.events <- "data: not JSON\n\n"
			got.await(t, "not_protocol: an event that is not JSON")
		})
	}
}

func TestAnEndpointOfAnotherOriginIsRefused(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"https://HOST/messages":             "not its own origin",
		"http://other.example/messages?k=1": "at http://other.example/messages?…, which is not its own origin",
		"//other.example/":                  "not its own origin",
		"http://user:hunter2@HOST/messages": "not its own origin",
		"http://127.0.0.1:1/messages":       "not its own origin",
		"http://%zz/":                       "no address",
		"   ":                               "no address",
		"javascript:alert(1)":               "not its own origin",
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			f.take = func(_ http.ResponseWriter, r *http.Request, _ string) { t.Errorf("POST %s", r.URL) }
			address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				f.endpoint = strings.ReplaceAll(at, "HOST", r.Host)
				f.ServeHTTP(w, r)
			}))
			_, _, err := dial(t.Context(), t, address)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

func TestWhatIsNoSuchServerIsToldAtOnce(t *testing.T) {
	t.Parallel()
	answer := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, c := range map[string]struct {
		handler http.Handler
		want    string
	}{
		"404":              {answer(404, "text/plain", "no"), "HTTP 404"},
		"a page":           {answer(200, "text/html", "<p>"), "HTTP 200"},
		"a redirect":       {http.RedirectHandler("/login", http.StatusFound), "a web page, not MCP"},
		"another stream":   {answer(200, "text/event-stream", "data: {}\n\n"), "its first event names no endpoint"},
		"an empty stream":  {answer(200, "text/event-stream", ""), "the server's event stream ended"},
		"a large endpoint": {answer(200, "text/event-stream", "event: endpoint\ndata: "+strings.Repeat("x", 2000)+"\n\n"), "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := dial(t.Context(), t, serve(t, c.handler), func(o *endpoint.Options) { o.MaxMessage = 1000 })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAServerThatNamesNoEndpointHoldsNothingUp(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.Handler{
		"no header": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
		"no event":  &fake{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enough := errors.New("enough")
			ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, enough)
			defer cancel()
			if _, _, err := dial(ctx, t, serve(t, h)); !errors.Is(err, enough) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestTheEndOfTheStreamEndsEverything(t *testing.T) {
	t.Parallel()
	taken := make(chan struct{}, 32)
	f := &fake{endpoint: "/m", events: make(chan string), take: func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.WriteHeader(202)
		taken <- struct{}{}
	}}
	tr, _, err := dial(t.Context(), t, serve(t, f))
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan error)
	for i := range 32 {
		go func() { sent <- tr.Send(t.Context(), request(i, "tools/call")) }()
	}
	for range 32 {
		<-taken
	}
	close(f.events)
	for range 32 {
		if err := <-sent; !errors.Is(err, ErrStreamEnded) || errors.Is(err, wire.ErrNotSent) {
			t.Errorf("a request under way: %v", err)
		}
	}
	<-tr.Done()
	if !errors.Is(tr.Err(), ErrStreamEnded) {
		t.Errorf("Err = %v", tr.Err())
	}
	if err := tr.Send(t.Context(), request(99, "ping")); !errors.Is(err, wire.ErrNotSent) || !errors.Is(err, ErrStreamEnded) {
		t.Errorf("a request after it: %v", err)
	}
}

func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	taken := make(chan struct{}, 8)
	f := &fake{endpoint: "/m", events: make(chan string), take: func(w http.ResponseWriter, r *http.Request, body string) {
		taken <- struct{}{}
		if strings.Contains(body, `"id":0`) { // one is not even accepted
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		}
		w.WriteHeader(202)
	}}
	tr, _, err := dial(t.Context(), t, serve(t, f))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := tr.Send(context.Background(), request(i, "tools/call")); !errors.Is(err, wire.ErrClosed) {
				t.Errorf("a request under way: %v", err)
			}
		})
	}
	for range 8 {
		<-taken
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	all.Wait()
	if <-tr.Done(); tr.Err() != nil {
		t.Errorf("Err = %v", tr.Err())
	}
	if err := tr.Send(t.Context(), request(9, "ping")); !errors.Is(err, wire.ErrNotSent) || !errors.Is(err, wire.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestRefusedMessages(t *testing.T) {
	t.Parallel()
	status := make(chan int, 1)
	f := &fake{endpoint: "/m", events: make(chan string)}
	f.take = func(w http.ResponseWriter, r *http.Request, _ string) {
		s := <-status
		if s == http.StatusTemporaryRedirect {
			w.Header().Set("Location", "http://other.example/")
		}
		w.WriteHeader(s)
	}
	tr, _, err := dial(t.Context(), t, serve(t, f))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []int{400, 401, 500, 307} {
		status <- s
		err := tr.Send(t.Context(), request(s, "tools/call"))
		var refused *wire.HTTPError
		if !errors.As(err, &refused) || refused.Status != s || errors.Is(err, wire.ErrNotSent) {
			t.Errorf("%d: %v", s, err)
		}
	}
	status <- 404
	if err := tr.Send(t.Context(), request(1, "tools/call")); !errors.Is(err, wire.ErrSessionLost) || !errors.Is(err, wire.ErrNotSent) {
		t.Errorf("404: %v", err)
	}
	<-tr.Done()
	if !errors.Is(tr.Err(), wire.ErrSessionLost) {
		t.Errorf("Err = %v", tr.Err())
	}
}

func TestAMessageOverTheLimitEndsTheStream(t *testing.T) {
	t.Parallel()
	f := accepting("/m")
	tr, _, err := dial(t.Context(), t, serve(t, f), func(o *endpoint.Options) { o.MaxMessage = 1000 })
	if err != nil {
		t.Fatal(err)
	}
	f.events <- fmt.Sprintf("data: %s\n\n", strings.Repeat("x", 2000))
	if <-tr.Done(); !errors.Is(tr.Err(), wire.ErrTooLarge) || !strings.Contains(tr.Err().Error(), "1000 bytes") {
		t.Errorf("Err = %v", tr.Err())
	}
}
