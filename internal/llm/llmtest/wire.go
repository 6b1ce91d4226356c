package llmtest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
