package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web"
)

// A new route needs someone to be signed in, unless it is added to this list on
// purpose.
func TestEveryRouteNeedsSomeone(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	open := map[string]bool{
		"GET /login": true, "POST /login": true, "GET /healthz": true, "GET /readyz": true,
		"GET /favicon.svg": true, "GET /assets/*": true,
		"GET /oauth/callback": true, "GET /oauth/client-metadata.json": true,
	}
	routes := s.Config.Handler.(*echo.Echo).Routes()
	if len(routes) < 40 {
		t.Fatalf("only %d routes", len(routes))
	}
	for _, r := range routes {
		if r.Method == echo.RouteNotFound {
			continue
		}
		path := strings.NewReplacer(":name", "x", ":id", "x", ":file", "x", ":server", "x", "*", "x").Replace(r.Path)
		a := s.request(r.Method, path, "", "Authorization", "")
		refused := a.StatusCode == http.StatusUnauthorized
		if key := r.Method + " " + r.Path; refused == open[key] {
			t.Errorf("%s without anybody: got %d", key, a.StatusCode)
		}
	}
	if a := s.request("DELETE", "/no/such/thing", "", "Authorization", ""); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("an unknown address without anybody: got %d, want 401", a.StatusCode)
	}
}

func TestOnlyOurHostsAreAnswered(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{change: func(o *web.Options) {
		o.BaseURL, o.AllowedHosts = "https://kontor.example.org", []string{"box.lan"}
	}})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:9999": 200, "127.0.0.1:8787": 200, "127.9.9.9": 200, "[::1]:8787": 200, "LOCALHOST.": 200,
		"kontor.localhost": 200, "kontor.example.org": 200, "Kontor.Example.Org:443": 200, "box.lan:8787": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "192.168.1.7": 421,
		"kontor.example.org.evil": 421, "evil.example:8787": 421,
	} {
		if a := s.request("GET", "/api/about", "", "Host", host); a.StatusCode != want {
			t.Errorf("Host %s: got %d, want %d", host, a.StatusCode, want)
		}
	}
	a := s.request("GET", "/", "", "Host", "evil.example", "Accept", "text/html")
	if a.StatusCode != 421 || strings.Contains(a.body, "evil") {
		t.Errorf("a page of a foreign host: %d %s", a.StatusCode, a.body)
	}
}

func TestOtherPagesCantActThroughTheBrowser(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{change: func(o *web.Options) { o.BaseURL = "https://kontor.example.org" }})
	b := s.browser()
	for _, c := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"our own page", []string{"Origin", s.URL, "Sec-Fetch-Site", "same-origin"}, 204},
		{"the base URL behind a proxy", []string{"Origin", "https://kontor.example.org"}, 204},
		{"another site", []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403},
		{"another site, older browser", []string{"Origin", "https://evil.example"}, 403},
		{"another port of this machine", []string{"Origin", "http://127.0.0.1:3000", "Sec-Fetch-Site", "same-site"}, 403},
		{"another port, older browser", []string{"Origin", "http://127.0.0.1:3000"}, 403},
		{"a sandboxed frame", []string{"Origin", "null"}, 403},
		{"a program", nil, 204},
	} {
		a := b.send("PUT", "/api/secrets/"+"A", `{"value":"x"}`, append(c.headers, "Content-Type", "application/json")...)
		if a.StatusCode != c.want {
			t.Errorf("%s: got %d, want %d: %s", c.name, a.StatusCode, c.want, a.body)
		}
	}
	if a := b.send("GET", "/api/inbox", "", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"); a.StatusCode != 403 {
		t.Errorf("a script of another port reads: got %d, want 403", a.StatusCode)
	}
	if a := b.send("GET", "/api/docs", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"); a.StatusCode != 200 {
		t.Errorf("a followed link: got %d, want 200", a.StatusCode)
	}
	if a := b.send("POST", "/login", "password=x", "Origin", "https://evil.example", "Content-Type", "application/x-www-form-urlencoded"); a.StatusCode != 403 {
		t.Errorf("a foreign form signs in: got %d, want 403", a.StatusCode)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	token := func(scope model.Scope) string {
		value, _, err := s.access.CreateToken(t.Context(), "test", scope, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + value
	}
	read, gateway, full := token(model.ScopeRead), token(model.ScopeGateway), token(model.ScopeFull)
	for _, c := range []struct {
		method, path, token string
		want                int
	}{
		{"GET", "/api/servers", full, 200}, {"GET", "/api/servers", read, 200}, {"GET", "/api/servers", gateway, 403},
		{"DELETE", "/api/secrets/NONE", full, 404}, {"DELETE", "/api/secrets/NONE", read, 403},
		{"POST", "/api/tools/call", read, 403}, {"GET", "/inbox/x", read, 403}, {"GET", "/setup", gateway, 403},
		{"GET", "/api/servers", "Bearer kt_unknown", 401}, {"GET", "/api/servers", "Basic a2Vr", 401}, {"GET", "/api/servers", "Bearer", 401},
	} {
		if a := s.request(c.method, c.path, "", "Authorization", c.token); a.StatusCode != c.want {
			t.Errorf("%s %s: got %d, want %d", c.method, c.path, a.StatusCode, c.want)
		}
	}
	b := s.browser()
	if a := b.send("GET", "/api/servers", "", "Authorization", "Bearer kt_wrong"); a.StatusCode != 401 {
		t.Errorf("a wrong token beside a good cookie: got %d, want 401", a.StatusCode)
	}
}

func TestTheCookie(t *testing.T) {
	t.Parallel()
	for base, secure := range map[string]bool{"": false, "https://kontor.example.org": true} {
		s := start(t, siteOptions{change: func(o *web.Options) { o.BaseURL = base }})
		a := s.stranger().get(strings.TrimPrefix(s.link(), s.URL))
		if len(a.Cookies()) != 1 {
			t.Fatalf("got cookies %v, want one", a.Cookies())
		}
		c := a.Cookies()[0]
		if c.Name != "kontor_8787" || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != secure || c.Path != "/" || c.Domain != "" || c.MaxAge != 30*24*3600 {
			t.Errorf("base URL %q: got %+v", base, c)
		}
	}
}

func TestSecurityHeadersAreOnEveryAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, a := range []answer{
		s.request("GET", "/", "", "Accept", "text/html"), s.request("GET", "/login", "", "Authorization", ""),
		s.request("GET", "/api/servers", ""), s.request("GET", "/api/nothing", ""), s.request("GET", "/api/servers", "", "Authorization", ""),
		s.request("GET", "/api/servers", "", "Host", "evil.example"), s.request("GET", "/assets/main-1.js", ""), s.request("GET", "/assets/none.js", ""),
		s.request("POST", "/api/tools/call", "{"), s.request("GET", "/api/docs", ""), s.request("GET", "/api/mcp-media/none.png", ""), s.request("GET", "/healthz", ""), s.request("BREW", "/", ""),
	} {
		path := a.Request.URL.Path
		csp := a.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s %s: policy %q", a.Request.Method, path, csp)
		}
		want := map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
		if strings.HasPrefix(path, "/api/") && path != "/api/docs" && path != "/api/mcp-media/none.png" {
			want["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
		} else {
			want["X-Frame-Options"], want["Referrer-Policy"], want["Cross-Origin-Opener-Policy"] = "DENY", "same-origin", "same-origin"
		}
		for name, want := range want {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s: got %q, want %q", path, name, got, want)
			}
		}
		if path != "/assets/main-1.js" && !strings.Contains(a.Header.Get("Cache-Control"), "no-") {
			t.Errorf("%s: may be cached: %q", path, a.Header.Get("Cache-Control"))
		}
	}
}
