package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Canary is the key that no error may hold.
const Canary = "sk-canary-0123456789-abcdef"

// Dialect is an HTTP provider under test.
type Dialect struct {
	// New makes one for an address; silence is its limit, 0 for the default.
	New func(baseURL, key string, silence time.Duration) (llm.Provider, error)
	// Path is where it posts.
	Path string
	// Refusals are error answers in its provider's own words.
	Refusals []Refusal
}

// Refusal is an answer with an error status and what must become of it. The body
// may hold KEY, which stands for the key that was sent.
type Refusal struct {
	Name, Body string
	Status     int
	RetryAfter string
	Want       model.Code
	WantWait   time.Duration
}

// common are refusals that don't come from the provider but from what stands
// before it.
func common() []Refusal {
	return []Refusal{
		{Name: "a page of a proxy", Status: 503, Body: "<html><h1>KEY</h1></html>", Want: llm.CodeOverloaded},
		{Name: "no body", Status: 500, Want: llm.CodeOverloaded},
		{Name: "a plain 401", Status: 401, Body: "who is KEY?", Want: llm.CodeKeyRefused},
		{Name: "half a JSON body", Status: 429, RetryAfter: "2.5", Body: `{"error":{"mess`, Want: llm.CodeRateLimited, WantWait: 2500 * time.Millisecond},
		{Name: "a wait of centuries", Status: 429, RetryAfter: "1e300", Want: llm.CodeRateLimited, WantWait: 24 * time.Hour},
		{Name: "another status", Status: 418, Body: `{"detail":[{"loc":["body"],"msg":"KEY"}]}`, Want: llm.CodeBadRequest},
		{Name: "a JSON null", Status: 400, Body: `null`, Want: llm.CodeBadRequest},
	}
}

// Wire checks a provider that speaks HTTP.
func Wire(t *testing.T, d Dialect) {
	t.Helper()
	for how, cut := range map[string]func([]byte) [][]byte{
		"whole": func(b []byte) [][]byte { return [][]byte{b} }, "byte by byte": bytewise, "cut anywhere": anywhere,
		"CRLF":                     func(b []byte) [][]byte { return [][]byte{bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))} },
		"no blank line at the end": func(b []byte) [][]byte { return [][]byte{bytes.TrimRight(b, "\n")} },
		"comments between": func(b []byte) [][]byte {
			return [][]byte{[]byte(": hello\n\n"), bytes.ReplaceAll(b, []byte("\n\n"), []byte("\n\n: still here\n\n"))}
		},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			Answers(t, func(t *testing.T, s Scenario) llm.Provider {
				return d.Replay(t, cut(recording(t, s))...)
			})
		})
	}
	for _, r := range append(common(), d.Refusals...) {
		t.Run("refused/"+r.Name, func(t *testing.T) { t.Parallel(); d.refused(t, r) })
	}
	t.Run("a stop closes the stream", func(t *testing.T) { t.Parallel(); d.stopped(t, true) })
	t.Run("leaving the loop closes the stream", func(t *testing.T) { t.Parallel(); d.stopped(t, false) })
	t.Run("silence ends the stream", func(t *testing.T) { t.Parallel(); d.silent(t) })
	t.Run("nobody answers", func(t *testing.T) { t.Parallel(); d.unreachable(t) })
	t.Run("a web page", func(t *testing.T) { t.Parallel(); d.page(t) })
	t.Run("a connection lost", func(t *testing.T) { t.Parallel(); d.lost(t) })
	t.Run("the request", func(t *testing.T) { t.Parallel(); d.request(t) })
	t.Run("addresses", func(t *testing.T) { t.Parallel(); d.addresses(t) })
}

// Replay is a provider whose next answer is made of these pieces, each sent alone.
func (d Dialect) Replay(t *testing.T, pieces ...[]byte) llm.Provider {
	t.Helper()
	return d.serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, p := range pieces {
			_, _ = w.Write(p)
			w.(http.Flusher).Flush()
		}
	}, 0)
}

func (d Dialect) serve(t *testing.T, h http.HandlerFunc, silence time.Duration) llm.Provider {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An answer before the request was read may cost the client the rest of it.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		h(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return d.at(t, s.URL, silence)
}

func (d Dialect) at(t *testing.T, url string, silence time.Duration) llm.Provider {
	t.Helper()
	p, err := d.New(url, Canary, silence)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func recording(t *testing.T, s Scenario) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", string(s)+".sse"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func bytewise(b []byte) [][]byte {
	var out [][]byte
	for i := range b {
		out = append(out, b[i:i+1])
	}
	return out
}

func anywhere(b []byte) [][]byte {
	r := rand.New(rand.NewPCG(1, uint64(len(b))))
	var out [][]byte
	for len(b) > 0 {
		n := min(len(b), 1+r.IntN(90))
		out, b = append(out, b[:n]), b[n:]
	}
	return out
}

func (d Dialect) refused(t *testing.T, r Refusal) {
	p := d.serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if r.RetryAfter != "" {
			w.Header().Set("Retry-After", r.RetryAfter)
		}
		w.Header().Set("X-Request-Id", "req-"+Canary)
		w.WriteHeader(r.Status)
		_, _ = io.WriteString(w, strings.ReplaceAll(r.Body, "KEY", Canary))
	}, 0)
	o := Collect(t.Context(), p, Hello())
	if got := model.CodeOf(o.Err); got != r.Want {
		t.Errorf("got %q (%v), want %q", got, o.Err, r.Want)
	}
	if got := llm.RetryAfter(o.Err); got != r.WantWait {
		t.Errorf("got a wait of %v, want %v", got, r.WantWait)
	}
	if e, ok := errors.AsType[*model.Error](o.Err); ok && r.WantWait > 0 && !strings.Contains(e.Fix, "try again in ") {
		t.Errorf("it doesn't say how long to wait: %q", e.Fix)
	}
	wantNoKey(t, o.Err)
}

// wantNoKey looks for the key wherever an error may be printed.
func wantNoKey(t *testing.T, err error) {
	t.Helper()
	var log bytes.Buffer
	for e := err; e != nil; {
		for _, l := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
			slog.New(l).Error("failed", "err", e)
		}
		fmt.Fprintf(&log, "%v %+v %#v %q\n", e, e, e, e)
		u, ok := e.(interface{ Unwrap() error })
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	if e, ok := err.(*model.Error); ok {
		_ = json.NewEncoder(&log).Encode(e)
	} else {
		t.Errorf("got a %T, want *model.Error", err)
	}
	if strings.Contains(log.String(), Canary) {
		t.Errorf("the key is in the error:\n%s", log.String())
	}
}

// stopped begins an answer that never ends, and stops it.
func (d Dialect) stopped(t *testing.T, cancel bool) {
	gone := make(chan struct{})
	start := bytes.SplitAfter(recording(t, Overloaded), []byte("Let"))[0]
	rest := recording(t, Overloaded)[len(start):]
	line, _, _ := bytes.Cut(rest, []byte("\n\n"))
	p := d.serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(append(append(start, line...), "\n\n"...))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	}, 0)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var last error
	for e, err := range p.Stream(ctx, Hello()) {
		if last = err; err != nil {
			break
		}
		if _, ok := e.(llm.TextDelta); ok {
			if !cancel {
				break
			}
			stop()
		}
	}
	if cancel && model.CodeOf(last) != model.CodeCancelled {
		t.Errorf("got %v, want %q", last, model.CodeCancelled)
	}
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Error("the server still has its client")
	}
}

func (d Dialect) silent(t *testing.T) {
	p := d.serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}, 20*time.Millisecond)
	if o := Collect(t.Context(), p, Hello()); model.CodeOf(o.Err) != model.CodeTimeout {
		t.Errorf("got %v, want %q", o.Err, model.CodeTimeout)
	}
}

func (d Dialect) unreachable(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	o := Collect(t.Context(), d.at(t, s.URL+"?key="+Canary, 0), Hello())
	if model.CodeOf(o.Err) != llm.CodeUnreachable {
		t.Errorf("got %v, want %q", o.Err, llm.CodeUnreachable)
	}
	wantNoKey(t, o.Err)
}

func (d Dialect) page(t *testing.T) {
	p := d.serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>Sign in</html>")
	}, 0)
	if o := Collect(t.Context(), p, Hello()); model.CodeOf(o.Err) != model.CodeProtocol {
		t.Errorf("got %v, want %q", o.Err, model.CodeProtocol)
	}
}

// lost ends the connection itself in the middle of an event.
func (d Dialect) lost(t *testing.T) {
	b := recording(t, Tools)
	p := d.serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(b[:len(b)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, 0)
	if o := Collect(t.Context(), p, Hello()); model.CodeOf(o.Err) != llm.CodeCutStream {
		t.Errorf("got %v, want %q", o.Err, llm.CodeCutStream)
	}
}

func (d Dialect) addresses(t *testing.T) {
	for _, bad := range []string{"ftp://host/", "host", "http://me:" + Canary + "@host/v1", "http://[", "://" + Canary} {
		if _, err := d.New(bad, "", 0); model.CodeOf(err) != model.CodeInvalid {
			t.Errorf("%q: got %v, want %q", bad, err, model.CodeInvalid)
		} else {
			wantNoKey(t, err)
		}
	}
}

// Serve is a provider whose server is h.
func Serve(t *testing.T, d Dialect, h http.HandlerFunc) llm.Provider {
	t.Helper()
	return d.serve(t, h, 0)
}

// Body is a request's.
func Body(r *http.Request) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}
