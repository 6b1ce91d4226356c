package cases

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// bodies is what comes back over HTTP, and whether it comes at all.
func bodies() []fault {
	return []fault{
		{
			name:   "notifications-answered-with-200",
			server: server{tools: echo},
			over: notified(func(w http.ResponseWriter) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", "0")
			}),
			check: works,
		},
		{
			name:   "notifications-answered-with-a-bare-200",
			server: server{tools: echo},
			over:   notified(func(w http.ResponseWriter) { w.Header()["Content-Type"] = nil }),
			check:  works,
		},
		{
			name:   "no-stream-of-its-own",
			server: server{tools: echo},
			over:   asksOnce,
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				works(t, k, name)
				// A second GET is answered with what breaks the calls that follow.
				works(t, k, name)
			},
		},
		{
			name:   "answers-with-a-page",
			server: server{tools: echo},
			over: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ message) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, "<h1>Hello</h1>")
			}),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if c := call(k, name, "echo", `{}`); c.State == "done" || c.Error == nil {
					t.Errorf("the call is %s: %s", c.State, c.Result)
				}
			},
		},
		{
			name:   "moved-by-a-slash",
			server: server{tools: echo},
			over:   slashed,
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				holds(t, done(t, k, name, "echo", `{"s":"kept"}`), `{"s":"kept"}`)
				warned(t, k, name, "address_moved", "/mcp/")
			},
		},
		{
			name:   "sends-to-a-sign-in-page",
			server: server{},
			over: func(http.Handler) http.Handler {
				mux := http.NewServeMux()
				mux.Handle("/mcp", http.RedirectHandler("/login?next=mcp", http.StatusFound))
				mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					_, _ = io.WriteString(w, "<h1>Sign in</h1>")
				})
				return mux
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				s := k.AwaitState(name, "failed")
				holds(t, s.Status.LastError.Message, "a web page, not MCP", "check the address", "/login")
			},
		},
		{
			name:   "forgets-its-sessions",
			server: server{tools: echo},
			over:   forgetful,
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if got := done(t, k, name, "echo", `{"forget":true}`); got != "session 1, call 1" {
					t.Errorf("got %s", got)
				}
				if got := done(t, k, name, "echo", `{}`); got != "session 2, call 2" {
					t.Errorf("got %s, want it sent once, in a new session", got)
				}
			},
		},
	}
}

// works: the server is as good as any other.
func works(t *testing.T, k *kontor.Kontor, name string) {
	quiet(t, k, name)
	holds(t, done(t, k, name, "echo", `{"s":1}`), `{"s":1}`)
	quiet(t, k, name)
}

// notified answers notifications with 200 and the headers.
func notified(header func(w http.ResponseWriter)) func(http.Handler) http.Handler {
	return on("notifications/initialized", func(w http.ResponseWriter, _ *http.Request, _ message) {
		header(w)
		w.WriteHeader(http.StatusOK)
	})
}

// asksOnce breaks when a GET comes again.
func asksOnce(usual http.Handler) http.Handler {
	var asked atomic.Int32
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			asked.Add(1)
		}
		if asked.Load() > 1 {
			http.Error(w, "asked for a stream again", http.StatusTeapot)
			return
		}
		usual.ServeHTTP(w, r)
	})
}

// slashed has its endpoint at another path.
func slashed(usual http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.RedirectHandler("/mcp/", http.StatusTemporaryRedirect))
	mux.Handle("/mcp/", usual)
	return mux
}

// forgetful has sessions, and loses the one that a call says so in.
func forgetful(usual http.Handler) http.Handler {
	var sessions, calls, lost atomic.Int32
	initialize := on("initialize", func(w http.ResponseWriter, r *http.Request, _ message) {
		if r.Header.Get("Mcp-Session-Id") != "" {
			http.Error(w, "initialize in a session", http.StatusBadRequest)
			return
		}
		w.Header().Set("Mcp-Session-Id", string('0'+rune(sessions.Add(1))))
		usual.ServeHTTP(w, r)
	})
	tools := on("tools/call", func(w http.ResponseWriter, r *http.Request, m message) {
		answerJSON(w, response(m.ID, text("session "+r.Header.Get("Mcp-Session-Id")+", call "+string('0'+rune(calls.Add(1))))))
		if member(member(m.Params, "arguments"), "forget") != nil {
			lost.Store(sessions.Load())
		}
	})
	all := initialize(tools(usual))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if session := r.Header.Get("Mcp-Session-Id"); session != "" && session <= string('0'+rune(lost.Load())) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
			return
		}
		all.ServeHTTP(w, r)
	})
}

// A server that is away for a while is tried again by itself, and a call doesn't wait
// for it to come back.
func TestAServerThatIsAwayForAWhile(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	first := httptest.NewServer(server{tools: echo})
	k.AddReady("away", kontor.Config{"url": first.URL + "/mcp"})
	address := first.Listener.Addr().String()
	first.CloseClientConnections()
	first.Close()

	words := failed(t, k, "away", "echo", "failed", "server_unavailable")
	holds(t, words, address)
	s := k.AwaitServer("away", "failed, to be tried again", func(s kontor.Server) bool {
		return s.Status.State == "failed" && s.Status.NextAttemptAt != nil
	})
	if s.Status.LastError == nil || s.Status.LastError.Code != "connection_refused" {
		t.Errorf("it says %+v", s.Status.LastError)
	}
	second := httptest.NewUnstartedServer(server{tools: echo})
	second.Listener.Close()
	second.Listener = listenAt(t, address)
	second.Start()
	t.Cleanup(func() { second.CloseClientConnections(); second.Close() })
	k.AwaitState("away", "ready")
	done(t, k, "away", "echo", `{}`)
	if strings.Count(k.Log("away"), "connection refused") != 1 {
		t.Errorf("the log repeats itself:\n%s", k.Log("away"))
	}
}
