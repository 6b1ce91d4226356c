package streamhttp

import (
	"errors"
	"fmt"
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

const response = `{"jsonrpc":"2.0","id":1,"result":{}}`

// body is what a server does with one body of an event stream.
type body func(send func(format string, args ...any))

func says(s string) body          { return func(send func(string, ...any)) { send("%s", s) } }
func saysAndCuts(s string) body   { return func(send func(string, ...any)) { send("%s", s); cut() } }
func message(id, msg string) body { return says("id: " + id + "\ndata: " + msg + "\n\n") }

// resumable is a server whose answer comes in several bodies: the POST's and then
// one for each GET. It notes the Last-Event-ID of each GET.
func resumable(ids *[]string, bodies ...body) http.HandlerFunc {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodGet {
			*ids = append(*ids, r.Header.Get("Last-Event-ID"))
		}
		if i := int(n.Add(1)) - 1; i < len(bodies) {
			bodies[i](streaming(w))
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func TestStreams(t *testing.T) {
	t.Parallel()
	const push = `{"jsonrpc":"2.0","method":"p"}`
	big := `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 60<<10) + `"}`
	for name, c := range map[string]struct {
		version  string
		bodies   []body
		ids      string // Last-Event-IDs that were asked for
		received string
		err      string
	}{
		"progress, then the response": {bodies: []body{says("data: " + push + "\n\nevent: message\ndata: " + response + "\n\n")},
			received: push + "\n" + response + "\n"},
		"more after the response": {bodies: []body{says("data: " + response + "\n\ndata: " + push + "\n\n")},
			received: response + "\n" + push + "\n"},
		"a batch": {bodies: []body{says("data: [" + push + "," + response + "]\n\n")}, received: push + "\n" + response + "\n"},
		"keep-alives": {bodies: []body{says(": ping\n\nevent: ping\ndata: now\n\ndata:\n\nretry: 5\n\n\n\ndata: " + response + "\n\n")},
			received: response + "\n"},
		"an event in pieces": {bodies: []body{func(send func(string, ...any)) {
			for rest := "data: " + big + "\n\n"; rest != ""; {
				n := min(8<<10, len(rest))
				send("%s", rest[:n])
				rest = rest[n:]
			}
		}}, received: big + "\n"},
		"something unreadable between": {bodies: []body{says("data: hello\n\ndata: " + response + "\n\n")}, received: response + "\n"},

		"ends without ids":     {bodies: []body{says("data: " + push + "\n\n")}, received: push + "\n", err: "ended before its response"},
		"breaks without ids":   {bodies: []body{saysAndCuts("data: " + push + "\n\n")}, received: push + "\n", err: "ended before its response: unexpected EOF"},
		"another's response":   {bodies: []body{says("data: {\"id\":9,\"result\":1}\n\n")}, received: `{"id":9,"result":1}` + "\n", err: "ended before its response"},
		"nothing but the ends": {bodies: []body{says("")}, err: "ended before its response"},

		"resumed after an end": {bodies: []body{says("id: 1\nretry: 0\ndata:\n\n"), message("2", push), message("3", response)},
			ids: "1 2", received: push + "\n" + response + "\n"},
		"resumed after a break": {bodies: []body{saysAndCuts("retry: 0\nid: 1\ndata: " + push + "\n\nid: 2\ndata: {\"js"), message("2", response)},
			ids: "1", received: push + "\n" + response + "\n"},
		"an id that later events leave out": {bodies: []body{says("retry: 0\nid: 1\ndata:\n\ndata: " + push + "\n\n"), message("2", response)},
			ids: "1", received: push + "\n" + response + "\n"},
		"news start the count again": {bodies: []body{says("retry: 0\nid: 1\n\n"), says(""), says(""), says(""), says(""), message("2", push),
			says(""), says(""), says(""), says(""), message("3", response)},
			ids: "1 1 1 1 1 2 2 2 2 2", received: push + "\n" + response + "\n"},
		"given up": {bodies: []body{says("retry: 0\nid: 1\ndata:\n\n"), says(": x\n\n"), says("retry: 0\n\n")},
			ids: "1 1 1 1 1", err: "resumed 5 times without news"},
		"never in the new era": {version: "2026-07-28", bodies: []body{says("id: 1\ndata: " + push + "\n\n"), message("2", response)},
			received: push + "\n", err: "ended before its response"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ids []string
			tr, got := dial(t, resumable(&ids, c.bodies...))
			out := request(1, "tools/call")
			if c.version != "" {
				out.ProtocolVersion = c.version
			}
			err := tr.Send(t.Context(), out)
			if (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || !errors.Is(err, ErrNoResponse)) {
				t.Errorf("Send = %v, want %q", err, c.err)
			}
			if errors.Is(err, wire.ErrNotSent) {
				t.Errorf("%v says that nothing was sent", err)
			}
			if got := strings.Join(ids, " "); got != c.ids {
				t.Errorf("resumed after %q, want %q", got, c.ids)
			}
			if got := strings.ReplaceAll("\n"+got.lines(), "\n1 ", "\n")[1:]; got != c.received {
				t.Errorf("received\n%swant\n%s", got, c.received)
			}
		})
	}
}

func TestAnUnreadableEventIsNoted(t *testing.T) {
	t.Parallel()
	tr, got := dial(t, resumable(new([]string), says("data: hello "+strings.Repeat("x", 1000)+"\n\ndata: "+response+"\n\n")))
	if err := tr.Send(t.Context(), request(1, "x")); err != nil {
		t.Fatal(err)
	}
	if n := got.noted(); !strings.HasPrefix(n, "not_protocol: ") || !strings.Contains(n, ": hello") || len(n) > shownData+100 {
		t.Errorf("notes = %q", n)
	}
}

// A 404 for the rest of an answer loses the session, but the request did run.
func TestResumingIntoALostSessionLeavesTheOutcomeOpen(t *testing.T) {
	t.Parallel()
	tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
		case r.Header.Get("Mcp-Session-Id") == "":
			w.Header().Set("Mcp-Session-Id", "a")
			sendJSON(w, `{"id":0,"result":{}}`)
		default:
			_, _ = io.Copy(io.Discard, r.Body)
			streaming(w)("retry: 0\nid: 1\ndata:\n\n")
		}
	})
	initialize(t, tr)
	err := tr.Send(t.Context(), request(1, "tools/call"))
	if !isAll(err, ErrNoResponse) || errors.Is(err, wire.ErrSessionLost) || errors.Is(err, wire.ErrNotSent) {
		t.Errorf("Send = %v", err)
	}
	<-tr.Done()
	if !isAll(tr.Err(), wire.ErrSessionLost) {
		t.Errorf("Err = %v", tr.Err())
	}
}

// A refusal of the rest of an answer is none of the request: taken for one, a call
// that ran would be sent again once the person has signed in.
func TestARefusedResumptionLeavesTheOutcomeOpen(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
		http.StatusMethodNotAllowed, http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if r.Method == http.MethodGet {
				w.WriteHeader(status)
				return
			}
			streaming(w)("retry: 0\nid: 1\ndata:\n\n")
		})
		err := tr.Send(t.Context(), request(1, "tools/call"))
		var refusal *wire.HTTPError
		if !errors.Is(err, ErrNoResponse) || errors.As(err, &refusal) || !strings.Contains(err.Error(), fmt.Sprint(status)) {
			t.Errorf("resuming is answered %d: Send = %v", status, err)
		}
	}
}

// roundTrip is a server without a network, for tests of time.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func streamOf(r *http.Request, body io.ReadCloser) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {endpoint.EventStream}}, ContentLength: -1, Body: body, Request: r,
	}
}

func TestResumingWaitsAsAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		bodies := []string{
			"id: 1\ndata:\n\n", "retry: 500\nid: 2\ndata:\n\n", "retry: 3600000\nid: 3\ndata:\n\n", "id: 4\ndata: " + response + "\n\n",
		}
		tr, _ := dialTo(t, "http://mcp.example/", roundTrip(func(r *http.Request) (*http.Response, error) {
			at = append(at, time.Since(start))
			if r.Body != nil {
				_ = r.Body.Close()
			}
			return streamOf(r, io.NopCloser(strings.NewReader(bodies[len(at)-1]))), nil
		}))
		if err := tr.Send(t.Context(), request(1, "x")); err != nil {
			t.Fatal(err)
		}
		want := []time.Duration{0, 250 * time.Millisecond, 750 * time.Millisecond, 30750 * time.Millisecond}
		for i := range want {
			if at[i] != want[i] {
				t.Errorf("asked at %v, want %v", at, want)
				break
			}
		}
	})
}

// A stream that stays open after the response holds nobody up for long.
func TestAStreamMayStayOpenForAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tr, got := dialTo(t, "http://mcp.example/", roundTrip(func(r *http.Request) (*http.Response, error) {
			pr, pw := io.Pipe()
			go func() {
				_, _ = pw.Write([]byte("data: " + response + "\n\n"))
				<-r.Context().Done()
				_ = pw.CloseWithError(r.Context().Err())
			}()
			return streamOf(r, pr), nil
		}))
		start := time.Now()
		if err := tr.Send(t.Context(), request(1, "x")); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != streamGrace {
			t.Errorf("Send took %v, want %v", took, streamGrace)
		}
		if got.lines() != "1 "+response+"\n" {
			t.Errorf("received %s", got.lines())
		}
	})
}
