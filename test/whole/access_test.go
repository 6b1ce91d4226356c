package whole

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// browser follows redirects and keeps cookies.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// visit opens a page and returns where it ended.
func visit(t *testing.T, client *http.Client, address string) (path string, status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.Request.URL.Path, res.StatusCode
}

func TestASignInLinkLetsOneBrowserInOnce(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	for name, link := range map[string]string{"printed": printedLink(t, k), "kontor link": k.Command("link")} {
		t.Run(name, func(t *testing.T) {
			first, second := browser(t), browser(t)
			if path, status := visit(t, first, link); status != http.StatusOK || path == "/login" {
				t.Errorf("the link leads to %s, status %d, want to be in", path, status)
			}
			if _, status := visit(t, first, "http://"+k.Address+"/api/servers"); status != http.StatusOK {
				t.Errorf("signed in, the API answers %d", status)
			}
			if path, _ := visit(t, second, link); path != "/login" {
				t.Errorf("used again, the link leads to %s, want /login", path)
			}
			if _, status := visit(t, second, "http://"+k.Address+"/api/servers"); status != http.StatusUnauthorized {
				t.Errorf("the second browser gets %d from the API, want 401", status)
			}
		})
	}
}

func printedLink(t *testing.T, k *kontor.Kontor) string {
	t.Helper()
	for line := range strings.Lines(k.Stdout()) {
		if link := strings.TrimSpace(line); strings.HasPrefix(link, "http://"+k.Address+"/login?code=") {
			return link
		}
	}
	t.Fatalf("no link in %q", k.Stdout())
	return ""
}

func TestWhoMayNotComeIn(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	reader := k.Command("token", "create", "reader", "--scope", "read")
	gateway := k.Command("token", "create", "gateway", "--scope", "gateway")
	server := kontor.Demo().With("name", "demo")
	for name, test := range map[string]struct {
		token, method string
		header        map[string]string
		want          int
	}{
		"nobody":                      {"", http.MethodGet, nil, 401},
		"a wrong token":               {"kt_wrong", http.MethodGet, nil, 401},
		"a reader who reads":          {reader, http.MethodGet, nil, 200},
		"a reader who writes":         {reader, http.MethodPost, nil, 403},
		"a gateway client":            {gateway, http.MethodGet, nil, 403},
		"another page, by Origin":     {kontor.Token, http.MethodPost, map[string]string{"Origin": "http://evil.example"}, 403},
		"another page, by Fetch-Site": {kontor.Token, http.MethodGet, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"another host name":           {kontor.Token, http.MethodGet, map[string]string{"Host": "evil.example"}, 421},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := k.As(test.token).With(test.header).Do(test.method, "/api/servers", server)
			if err != nil || got.Status != test.want {
				t.Errorf("status %d, %v, want %d: %s", got.Status, err, test.want, got.Body)
			}
		})
	}
	if got := len(k.Servers()); got != 0 {
		t.Errorf("%d servers were added by who may not", got)
	}
}

func TestAnAddressForOthersNeedsAGuard(t *testing.T) {
	t.Parallel()
	got := kontor.Run(t, nil, "serve", "--data", kontor.Folder(t), "--listen", "0.0.0.0:0")
	if got.Code != 1 || !strings.Contains(got.Stderr, "kontor password") {
		t.Errorf("exit %d, %q, want 1 and the way out", got.Code, got.Stderr)
	}
}
