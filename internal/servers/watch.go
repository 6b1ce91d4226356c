package servers

import (
	"crypto/tls"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
)

// seen is what was seen on the way to a server.
type seen struct {
	// passed is when a stage was over, from the start on; details are words on it.
	passed  map[string]time.Duration
	details map[string]string
	// begun are the stages that were begun.
	begun map[string]bool
	// answered tells that the server answered as MCP servers do.
	answered bool
	// sse tells that only the transport of 2024-11-05 was found.
	sse bool
	// stderr and noise are the last lines that it wrote to stderr, and to stdout
	// without their being MCP.
	stderr, noise []string
	// stream is what became of the channel for what it says unasked; "" when none
	// was asked for. streamFailed says that this is a failure.
	stream       string
	streamFailed bool
	// path is the PATH that programs were looked for in; found is where else the
	// command is.
	path, found string
}

// maxSeenLines bounds what is kept of a server's output.
const maxSeenLines = 10

// watch collects what is seen. It is safe for concurrent use.
type watch struct {
	start time.Time
	// streamed gets a word when the stream's fate is known.
	streamed chan struct{}

	mu   sync.Mutex
	seen seen
}

func newWatch() *watch {
	return &watch{start: time.Now(), streamed: make(chan struct{}, 1), seen: seen{
		passed: map[string]time.Duration{}, details: map[string]string{}, begun: map[string]bool{},
	}}
}

// begin and pass note a stage; the first time counts.
func (w *watch) begin(stage string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.begun[stage] = true
}

func (w *watch) pass(stage, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, before := w.seen.passed[stage]; !before {
		w.seen.passed[stage] = time.Since(w.start)
		w.seen.details[stage] = fmt.Sprintf(format, args...)
	}
}

func (w *watch) change(f func(*seen)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.seen)
}

// look returns what was seen so far.
func (w *watch) look() seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.seen
	s.stderr, s.noise = slices.Clone(s.stderr), slices.Clone(s.noise)
	s.passed, s.details, s.begun = maps.Clone(s.passed), maps.Clone(s.details), maps.Clone(s.begun)
	return s
}

// around watches the requests that go through a transport.
func (w *watch) around(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return watched(func(req *http.Request) (*http.Response, error) {
		resp, err := base.RoundTrip(req.WithContext(httptrace.WithClientTrace(req.Context(), w.clientTrace())))
		if err == nil && req.Method == http.MethodGet {
			w.streamAnswered(resp)
		}
		return resp, err
	})
}

// clientTrace is one for each request: it is composed in place with what the request
// carries already.
func (w *watch) clientTrace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { w.begin(StageDNS) },
		DNSDone: func(i httptrace.DNSDoneInfo) {
			if i.Err == nil && len(i.Addrs) > 0 {
				w.pass(StageDNS, "%s", i.Addrs[0].String())
			}
		},
		ConnectStart: func(string, string) { w.begin(StageTCP) },
		ConnectDone: func(_, addr string, err error) {
			if err == nil {
				w.pass(StageTCP, "%s", addr)
			}
		},
		TLSHandshakeStart: func() { w.begin(StageTLS) },
		TLSHandshakeDone: func(s tls.ConnectionState, err error) {
			if err == nil {
				w.pass(StageTLS, "%s", tls.VersionName(s.Version))
			}
		},
	}
}

// watched is a function as http.RoundTripper.
type watched func(*http.Request) (*http.Response, error)

func (f watched) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// streamAnswered takes the answer to a GET, which is for the stream. A server needn't
// offer one (2025-11-25, basic/transports: 405), and many say so in other ways.
func (w *watch) streamAnswered(resp *http.Response) {
	w.change(func(s *seen) {
		switch {
		case resp.StatusCode < 300:
			s.stream, s.streamFailed = "open", false
		case resp.StatusCode < 500 || resp.StatusCode == http.StatusNotImplemented:
			s.stream = fmt.Sprintf("it offers none (HTTP %d)", resp.StatusCode)
		default:
			s.stream, s.streamFailed = fmt.Sprintf("the server answered HTTP %d to it", resp.StatusCode), true
		}
	})
	w.tellStream()
}

func (w *watch) tellStream() {
	select {
	case w.streamed <- struct{}{}:
	default:
	}
}

// trace takes the messages that pass.
func (w *watch) trace(t client.TraceEvent) {
	opens := t.Method == "server/discover" || t.Method == "initialize"
	switch {
	case t.Out && opens:
		w.begin(StageEra)
	case t.Out && t.Method == "subscriptions/listen":
		w.change(func(s *seen) {
			if s.stream == "" {
				s.stream = "asked for"
			}
		})
	case !t.Out && t.Message.Method == "notifications/subscriptions/acknowledged":
		w.change(func(s *seen) { s.stream, s.streamFailed = "open", false })
		w.tellStream()
	case !t.Out && t.Method == "subscriptions/listen" && t.Message.Kind() == wire.Response:
		w.change(func(s *seen) {
			if s.stream != "open" {
				s.stream = "it offers none"
			}
		})
		w.tellStream()
	case !t.Out && opens && t.Message.Kind() == wire.Response:
		w.change(func(s *seen) { s.answered = true })
		if t.Message.Err() == nil {
			w.pass(StageEra, "")
		}
	}
}

// note takes what the transport notes.
func (w *watch) note(n wire.Note) {
	w.change(func(s *seen) {
		switch n.Kind {
		case wire.NoteStderr:
			s.stderr = last(append(s.stderr, n.Text))
		case wire.NoteNotProtocol:
			s.noise = last(append(s.noise, clip(n.Text, 1<<10)))
		}
	})
}

func last(lines []string) []string { return lines[max(0, len(lines)-maxSeenLines):] }
