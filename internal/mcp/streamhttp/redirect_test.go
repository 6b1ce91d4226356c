package streamhttp

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestAMissingSlashIsFollowedWithEverything(t *testing.T) {
	t.Parallel()
	tr, got := dial(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			w.Header().Set("Location", "/mcp/")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		if r.Method == http.MethodDelete {
			return
		}
		id := idOf(r)
		if r.Method != http.MethodPost || string(id) == "" || r.Header.Get("Authorization") != "Bearer t" ||
			(string(id) == "1") != (r.Header.Get("Mcp-Session-Id") == "a") {
			t.Errorf("%s %s %v", r.Method, id, r.Header)
		}
		w.Header().Set("Mcp-Session-Id", "a")
		sendJSON(w, `{"id":%s,"result":{}}`, id)
	}, func(o *endpoint.Options) { o.Header = http.Header{"Authorization": {"Bearer t"}} })
	initialize(t, tr)
	if err := tr.Send(t.Context(), request(1, "ping")); err != nil {
		t.Fatal(err)
	}
	if n := got.noted(); strings.Count(n, "lifecycle: the server redirects to http://") != 1 || !strings.Contains(n, "/mcp/; put") {
		t.Errorf("notes = %q, want the new address, once", n)
	}
}

func TestOtherRedirectsAreErrorsThatNameTheAddress(t *testing.T) {
	t.Parallel()
	var strayed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	t.Cleanup(other.Close)
	for name, c := range map[string]struct {
		status   int
		location string
		want     string
	}{
		"a sign-in page":      {302, "/login?state=hunter2", "the server sent a web page, not MCP; check the address: it redirects to http://127.0.0.1:PORT/login?…"},
		"see other":           {303, "/login", "a web page, not MCP"},
		"moved":               {301, "/new", "the server has moved to http://127.0.0.1:PORT/new"},
		"another origin, 307": {307, other.URL + "/mcp", "the server has moved to " + other.URL + "/mcp"},
		"another origin, 308": {308, other.URL, "the server has moved to " + other.URL},
		"user name":           {307, "http://u:hunter2@127.0.0.1:PORT/", "the server has moved to http://127.0.0.1:PORT/"},
		"nowhere":             {307, "", "redirects nowhere (HTTP 307)"},
		"round and round":     {307, "/mcp", "the server has moved to http://127.0.0.1:PORT/mcp"},
		"another origin, 302": {302, other.URL, "a web page, not MCP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, _ := dial(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if c.location != "" {
					w.Header().Set("Location", strings.ReplaceAll(c.location, "127.0.0.1:PORT", r.Host))
				}
				w.WriteHeader(c.status)
			})
			err := tr.Send(t.Context(), request(1, "tools/call"))
			want := strings.ReplaceAll(c.want, "127.0.0.1:PORT", tr.to.URL.Host)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("Send = %v, want %q", err, want)
			}
			var answer *wire.HTTPError
			if !errors.As(err, &answer) || answer.Status != c.status || errors.Is(err, wire.ErrNotSent) {
				t.Errorf("Send = %#v, want an HTTPError with %d", err, c.status)
			}
		})
	}
	t.Cleanup(func() {
		if n := strayed.Load(); n != 0 {
			t.Errorf("%d requests went to another origin", n)
		}
	})
}
