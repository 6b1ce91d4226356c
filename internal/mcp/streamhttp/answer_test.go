package streamhttp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

// isAll tells whether err wraps each of targets.
func isAll(err error, targets ...error) bool {
	for _, target := range targets {
		if !errors.Is(err, target) {
			return false
		}
	}
	return err != nil
}

func answerWith(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if contentType == "" {
			w.Header()["Content-Type"] = nil
		} else {
			w.Header().Set("Content-Type", contentType)
		}
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestAnswersToARequest(t *testing.T) {
	t.Parallel()
	const (
		result = `{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}`
		fault  = `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}`
		noID   = `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}`
		push   = `{"jsonrpc":"2.0","method":"event/new_email"}`
		page   = "<!DOCTYPE html><title>Sign in</title>"
	)
	for name, c := range map[string]struct {
		status     int
		kind, body string
		received   string // as received.lines
		err        string // part of the error; empty means none
		httpStatus int    // of the *wire.HTTPError in it
	}{
		"JSON":                           {200, "application/json", result, "1 " + result + "\n", "", 0},
		"JSON with charset":              {200, "Application/JSON; charset=utf-8", result, "1 " + result + "\n", "", 0},
		"JSON without a type":            {200, "", result, "1 " + result + "\n", "", 0},
		"201":                            {201, "application/json", result, "1 " + result + "\n", "", 0},
		"white space around":             {200, "application/json", "\n " + result + "\n", "1 " + result + "\n", "", 0},
		"the id as text":                 {200, "application/json", `{"id":"1","result":1}`, `1 {"id":"1","result":1}` + "\n", "", 0},
		"a batch":                        {200, "application/json", "[" + push + "," + result + "]", "1 " + push + "\n1 " + result + "\n", "", 0},
		"an error without an id":         {200, "application/json", noID, "1 " + noID + "\n", "", 0},
		"another id":                     {200, "application/json", `{"id":7,"result":1}`, `1 {"id":7,"result":1}` + "\n", "no response to this request", 200},
		"JSON that is none":              {200, "application/json", `{"ok":true}`, `1 {"ok":true}` + "\n", "no response to this request", 200},
		"not JSON":                       {200, "application/json", `{"jsonrpc":`, "", "not JSON", 200},
		"empty":                          {200, "application/json", "", "", "sent no answer (HTTP 200)", 200},
		"202":                            {202, "text/plain", "", "", "sent no answer (HTTP 202)", 202},
		"204":                            {204, "", "", "", "sent no answer (HTTP 204)", 204},
		"a page":                         {200, "text/html; charset=utf-8", page, "", "a web page, not MCP; check the address: http://127.0.0.1", 200},
		"a page that says it is JSON":    {200, "application/json", page, "", "a web page, not MCP", 200},
		"400 with the response":          {400, "application/json", fault, "1 400 " + fault + "\n", "", 0},
		"404 with the response":          {404, "application/json", fault, "1 404 " + fault + "\n", "", 0},
		"500 with the response":          {500, "application/json", fault, "1 500 " + fault + "\n", "", 0},
		"400 with an error without id":   {400, "application/json", noID, "1 400 " + noID + "\n", "", 0},
		"400 with another's error":       {400, "application/json", strings.Replace(fault, "1", "7", 1), "", "HTTP 400 Bad Request", 400},
		"400 with text":                  {400, "text/plain", "no", "", "HTTP 400 Bad Request", 400},
		"404 with a page":                {404, "text/html", page, "", "HTTP 404 Not Found", 404},
		"405":                            {405, "", "", "", "HTTP 405 Method Not Allowed", 405},
		"401 stays an error":             {401, "application/json", fault, "", "HTTP 401 Unauthorized", 401},
		"403 stays an error":             {403, "application/json", fault, "", "HTTP 403 Forbidden", 403},
		"429 stays an error":             {429, "application/json", fault, "", "HTTP 429 Too Many Requests", 429},
		"503 stays an error":             {503, "application/json", fault, "", "HTTP 503 Service Unavailable", 503},
		"a stream of another media type": {200, "application/x-ndjson", result, "1 " + result + "\n", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, got := dial(t, answerWith(c.status, c.kind, c.body))
			err := tr.Send(t.Context(), request(1, "tools/call"))
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("Send = %v, want %q", err, c.err)
			}
			if errors.Is(err, wire.ErrNotSent) {
				t.Errorf("%v says that nothing was sent", err)
			}
			var answer *wire.HTTPError
			if errors.As(err, &answer) != (c.httpStatus != 0) || answer != nil && answer.Status != c.httpStatus {
				t.Errorf("Send = %v, want an HTTPError with %d", err, c.httpStatus)
			}
			if answer != nil && (answer.Header.Get("Retry-After") != "7" || string(answer.Body) != c.body || !strings.HasSuffix(answer.URL, "/mcp")) {
				t.Errorf("HTTPError = %+v", answer)
			}
			if got := got.lines(); got != c.received {
				t.Errorf("received\n%swant\n%s", got, c.received)
			}
		})
	}
}

// Servers answer notifications in every way that 2xx allows.
func TestANotificationIsDoneWithAny2xx(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"202":               answerWith(202, "", ""),
		"202 with text":     answerWith(202, "text/plain", "Accepted"),
		"200 without type":  answerWith(200, "", ""),
		"200 empty JSON":    answerWith(200, "application/json", ""),
		"200 some JSON":     answerWith(200, "application/json", "{}"),
		"204":               answerWith(204, "", ""),
		"an endless stream": func(w http.ResponseWriter, r *http.Request) { streaming(w)(": x\n\n"); <-r.Context().Done() },
	} {
		tr, got := dial(t, h)
		for _, raw := range []string{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":"q","result":{}}`} {
			if err := tr.Send(t.Context(), outgoing(raw)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := got.lines(); got != "" {
			t.Errorf("%s: received %s", name, got)
		}
	}
	tr, _ := dial(t, answerWith(400, "text/plain", "no"))
	if err := tr.Send(t.Context(), outgoing(`{"jsonrpc":"2.0","method":"n"}`)); err == nil {
		t.Error("a refused notification is no error")
	}
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	const limit = 64 << 10
	long := strings.Repeat("x", limit)
	chunked := func(kind, head, rest string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, head)
			_ = http.NewResponseController(w).Flush()
			_, _ = io.WriteString(w, rest)
		}
	}
	for name, h := range map[string]http.HandlerFunc{
		"JSON with a length": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(limit+1))
			chunked("application/json", `"`, long)(w, r)
		},
		"JSON in chunks":  chunked("application/json", `{"id":1,"result":"`, long+`"}`),
		"an event":        chunked(endpoint.EventStream, `data: {"id":1,"result":"`, long+"\"}\n\n"),
		"many data lines": chunked(endpoint.EventStream, "data: {\n", strings.Repeat("data: \"x\":1,\n", limit/6)),
	} {
		tr, _ := dial(t, h, func(o *endpoint.Options) { o.MaxMessage = limit })
		err := tr.Send(t.Context(), request(1, "tools/call"))
		if !errors.Is(err, wire.ErrTooLarge) || !strings.Contains(err.Error(), fmt.Sprint(limit)) {
			t.Errorf("%s: error = %v, want ErrTooLarge with the limit", name, err)
		}
	}

	exact := `{"id":1,"result":"` + strings.Repeat("x", limit-20) + `"}`
	for name, h := range map[string]http.HandlerFunc{
		"JSON": chunked("application/json", "", exact), "event": chunked(endpoint.EventStream, "", "data: "+exact+"\n\n"),
	} {
		tr, got := dial(t, h, func(o *endpoint.Options) { o.MaxMessage = len(exact) })
		if err := tr.Send(t.Context(), request(1, "x")); err != nil || got.lines() != "1 "+exact+"\n" {
			t.Errorf("%s of exactly the limit: %v", name, err)
		}
	}

	tr, _ := dial(t, answerWith(500, "text/plain", strings.Repeat("x", 2<<20)))
	var answer *wire.HTTPError
	if err := tr.Send(t.Context(), request(1, "x")); !errors.As(err, &answer) || len(answer.Body) != 4<<10 {
		t.Errorf("an endless error body: %v", err)
	}
}

func TestErrorsSayWhetherTheMessageMayHaveBeenSeen(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	_ = l.Close()
	pool := &http.Transport{}
	defer pool.CloseIdleConnections()

	tr, _ := dialTo(t, "http://"+closed+"/mcp?token=hunter2", pool)
	if err := tr.Send(t.Context(), request(1, "x")); !errors.Is(err, wire.ErrNotSent) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("refused connection: %v, want ErrNotSent without the address", err)
	}
	tr, _ = dialTo(t, "https://127.0.0.1:"+plainServer(t), pool)
	if err := tr.Send(t.Context(), request(1, "x")); !errors.Is(err, wire.ErrNotSent) {
		t.Errorf("no TLS there: %v, want ErrNotSent", err)
	}
	for name, h := range map[string]http.HandlerFunc{
		"cut before the answer": func(_ http.ResponseWriter, r *http.Request) { idOf(r); cut() },
		"cut in a JSON answer": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			sendJSON(w, `{"id":%s,`, idOf(r))
			_ = http.NewResponseController(w).Flush()
			cut()
		},
		"cut in a chunked answer": func(w http.ResponseWriter, r *http.Request) {
			sendJSON(w, `{"id":%s,`, idOf(r))
			_ = http.NewResponseController(w).Flush()
			cut()
		},
		"no HTTP": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n")
			_ = conn.Close()
		},
	} {
		tr, _ := dial(t, h)
		if err := tr.Send(t.Context(), request(1, "x")); err == nil || errors.Is(err, wire.ErrNotSent) {
			t.Errorf("%s: %v, want an error that leaves it open", name, err)
		}
	}
}

// plainServer is the port of a server that speaks HTTP without TLS.
func plainServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second}
	done := make(chan struct{})
	go func() { _ = server.Serve(l); close(done) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
