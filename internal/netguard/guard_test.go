package netguard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// guard makes a guard whose connections end with the test.
func guard(t *testing.T, o Options) *Guard {
	t.Helper()
	if o.Proxy == nil {
		o.Proxy = noProxy
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Typed().CloseIdleConnections(); g.Named().CloseIdleConnections() })
	return g
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func get(t *testing.T, c *http.Client, address string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func wantRefused(t *testing.T, what string, err error) {
	t.Helper()
	var refused *RefusedError
	if !errors.As(err, &refused) {
		t.Errorf("%s: error = %v, want a RefusedError", what, err)
	}
}

func TestAPersonMayTypePrivateAddressesButNoMetadataService(t *testing.T) {
	t.Parallel()
	address := serve(t, hello)
	g := guard(t, Options{Server: address})
	if got, err := get(t, g.Typed(), address); got != "hello" {
		t.Errorf("loopback: %q, %v", got, err)
	}
	for _, a := range []string{"http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://[::ffff:a9fe:a9fe]/", "http://0.0.0.0:1/"} {
		_, err := get(t, g.Typed(), a)
		wantRefused(t, a, err)
	}
}

func TestWhatAServerNamesMayBePrivateOnlyWhenTheServerIs(t *testing.T) {
	t.Parallel()
	address := serve(t, hello)
	byName := strings.Replace(address, "127.0.0.1", "localhost", 1)

	for _, server := range []string{address, "http://localhost/mcp", "http://10.0.0.7/mcp"} {
		if got, err := get(t, guard(t, Options{Server: server}).Named(), address); got != "hello" {
			t.Errorf("named by %s: %q, %v", server, got, err)
		}
	}
	for _, server := range []string{"https://8.8.8.8/mcp", "http://169.254.1.1/"} {
		g := guard(t, Options{Server: server})
		for _, a := range []string{address, byName} {
			_, err := get(t, g.Named(), a)
			wantRefused(t, server+" names "+a, err)
		}
	}
}

func TestAServerWithANameIsWhereItsNamePoints(t *testing.T) {
	t.Parallel()
	address := serve(t, hello)
	for name, c := range map[string]struct {
		addrs []string
		err   error
		want  bool
	}{
		"private":             {[]string{"192.168.1.5", "fd00::5"}, nil, true},
		"public":              {[]string{"8.8.8.8"}, nil, false},
		"mixed":               {[]string{"192.168.1.5", "8.8.8.8"}, nil, false},
		"nowhere":             {nil, nil, false},
		"error":               {nil, errors.New("no such host"), false},
		"the metadata server": {[]string{"169.254.169.254"}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := guard(t, Options{Server: "https://mcp.example/"})
			g.lookup = func(_ context.Context, host string) (addrs []netip.Addr, _ error) {
				if host != "mcp.example" {
					t.Errorf("looked up %q", host)
				}
				for _, a := range c.addrs {
					addrs = append(addrs, netip.MustParseAddr(a))
				}
				return addrs, c.err
			}
			if _, err := get(t, g.Named(), address); (err == nil) != c.want {
				t.Errorf("error = %v, want allowed %v", err, c.want)
			}
			// Once the server was reached in public, DNS can't move it home.
			if err := g.checkTyped(t.Context(), netip.MustParseAddr("8.8.8.8")); err != nil {
				t.Fatal(err)
			}
			g.named.CloseIdleConnections()
			_, err := get(t, g.Named(), address)
			wantRefused(t, "after a public connection", err)
		})
	}
}

func TestAProxyIsUsedAndAsksForNoForbiddenHost(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 10)
	proxy, err := url.Parse(serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.URL.String()
		hello(w, r)
	}))
	if err != nil {
		t.Fatal(err)
	}
	g := guard(t, Options{
		Server: "http://mcp.example/",
		Proxy:  func(*http.Request) (*url.URL, error) { return proxy, nil },
	})
	if got, err := get(t, g.Named(), "http://auth.example/x"); got != "hello" {
		t.Errorf("through the proxy: %q, %v", got, err)
	}
	if got := <-seen; got != "http://auth.example/x" {
		t.Errorf("the proxy was asked for %s", got)
	}
	for _, a := range []string{"http://169.254.169.254/", "http://2852039166/", "http://0xa9.0xfe.0xa9.0xfe/"} {
		_, err := get(t, g.Typed(), a)
		wantRefused(t, a, err)
	}
	_, err = get(t, g.Named(), "http://localhost:9/")
	wantRefused(t, "localhost through a proxy", err)
	if len(seen) > 0 {
		t.Errorf("the proxy was asked for %s", <-seen)
	}
}

func TestABrokenProxySettingKeepsItsPassword(t *testing.T) {
	t.Parallel()
	g := guard(t, Options{
		Server: "http://mcp.example/",
		Proxy:  func(*http.Request) (*url.URL, error) { return nil, errors.New("bad: http://user:hunter2@") },
	})
	_, err := get(t, g.Typed(), "http://mcp.example/")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error = %v", err)
	}
}

func TestRedirectsStayWithinTheOrigin(t *testing.T) {
	t.Parallel()
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("followed to %s", r.URL) })
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other, http.StatusFound)
		case "/near":
			http.Redirect(w, r, "/there", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			hello(w, r)
		}
	})
	g := guard(t, Options{Server: address})
	_, err := get(t, g.Named(), address+"/away")
	wantRefused(t, "another origin", err)
	if got, err := get(t, g.Named(), address+"/near"); got != "hello" {
		t.Errorf("same origin: %q, %v", got, err)
	}
	if _, err := get(t, g.Named(), address+"/loop"); err == nil {
		t.Error("an endless redirect succeeded")
	}
}

func TestHeadersAreBounded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Header().Set("X-Large", strings.Repeat("x", maxHeader+1))
		case "/late":
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
	})
	g := guard(t, Options{Server: address, HeaderTimeout: 50 * time.Millisecond})
	if _, err := get(t, g.Typed(), address+"/large"); err == nil {
		t.Error("an answer with a header over the limit was taken")
	}
	if _, err := get(t, g.Named(), address+"/late"); err == nil {
		t.Error("an answer without headers was waited for")
	}
}

func TestNewWantsAHost(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "/mcp", "http://", "http://%zz"} {
		if _, err := New(Options{Server: s}); err == nil {
			t.Errorf("New(%q) succeeded", s)
		}
	}
}
