package streamhttp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
)

// beating is a stream that says one thing, sends keep-alives for a while, and then
// nothing any more, as if its connection were dead.
func beating(r *http.Request, first string) *http.Response {
	pr, pw := io.Pipe()
	go func() {
		_, _ = io.WriteString(pw, first)
		for range 3 {
			time.Sleep(15 * time.Second)
			_, _ = io.WriteString(pw, ": ping\n\n")
		}
		<-r.Context().Done()
		_ = pw.Close()
	}()
	return streamOf(r, pr)
}

func TestASilentListenStreamIsOpenedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		missed := 0
		start := time.Now()
		tr, got := dialTo(t, "http://mcp.example/", roundTrip(func(r *http.Request) (*http.Response, error) {
			at = append(at, time.Since(start).Round(time.Second))
			return beating(r, ""), nil
		}))
		tr.receive.Missed = func() { missed++ }
		tr.Listen(t.Context())
		time.Sleep(200 * time.Second)
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		// 45 s of keep-alives, a minute of silence, a second of waiting.
		if want := "[0s 1m46s]"; fmt.Sprint(at) != want || missed != 1 {
			t.Errorf("opened at %v, missed %d times; want %s, once", at, missed, want)
		}
		if n := got.noted(); !strings.Contains(n, "no keep-alives either") {
			t.Errorf("notes = %q", n)
		}
	})
}

// An answer that can be resumed is resumed when it falls silent. One that can't is
// left to the time limit of its call: cutting it would lose what may still come.
func TestASilentAnswerIsResumedWhereItCanBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first    string
		standing bool
		idle     time.Duration
		resumed  bool
		err      string
	}{
		"with ids":           {"id: 7\ndata:\n\n", false, 0, true, ""},
		"another limit":      {"id: 7\ndata:\n\n", false, 10 * time.Minute, false, "context deadline exceeded"},
		"without ids":        {"", false, 0, false, "context deadline exceeded"},
		"a standing request": {"", true, 0, false, "fell silent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				resumed := false
				tr, _ := dialTo(t, "http://mcp.example/", roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodPost {
						return beating(r, c.first), nil
					}
					resumed = r.Header.Get("Last-Event-ID") == "7"
					return streamOf(r, io.NopCloser(strings.NewReader("data: "+response+"\n\n"))), nil
				}), func(o *endpoint.Options) { o.Idle = c.idle })
				out := request(1, "tools/call")
				out.Standing = c.standing
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				err := tr.Send(ctx, out)
				if resumed != c.resumed || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
					t.Errorf("resumed %v, error %v; want %v, %q", resumed, err, c.resumed, c.err)
				}
			})
		})
	}
}
