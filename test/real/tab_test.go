//go:build real

package real

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// tab is a browser's, as far as signing in needs one: cookies, redirects, forms.
type tab struct {
	t      *testing.T
	client *http.Client
}

func newTab(t *testing.T) tab {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return tab{t, &http.Client{Jar: jar}}
}

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)
	promptOf   = regexp.MustCompile(`name="prompt" value="(\w+)"`)
	abortLink  = regexp.MustCompile(`href="([^"]+/abort)"`)
)

// signIn opens an authorization address and fills in the pages of oidc-provider: a
// name, then consent. A name with a blank refuses instead.
func (b tab) signIn(address, account string) (status int, page string) {
	b.t.Helper()
	at, status, page := b.open(http.NewRequest(http.MethodGet, address, nil))
	for range 4 {
		prompt := promptOf.FindStringSubmatch(page)
		if prompt == nil {
			return status, page
		}
		if strings.Contains(account, " ") {
			at, status, page = b.open(http.NewRequest(http.MethodGet, b.link(at, page, abortLink), nil))
			continue
		}
		fields := url.Values{"prompt": {prompt[1]}, "login": {account}, "password": {"anything"}}
		req, err := http.NewRequest(http.MethodPost, b.link(at, page, formAction), strings.NewReader(fields.Encode()))
		if err == nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		at, status, page = b.open(req, err)
	}
	b.t.Fatalf("the pages at %s come to no end: %s", at, page)
	return 0, ""
}

// link is the address of a page that the pattern finds.
func (b tab) link(at *url.URL, page string, pattern *regexp.Regexp) string {
	b.t.Helper()
	found := pattern.FindStringSubmatch(page)
	if found == nil {
		b.t.Fatalf("%s has no %s: %s", at, pattern, page)
	}
	to, err := at.Parse(html.UnescapeString(found[1]))
	if err != nil {
		b.t.Fatal(err)
	}
	return to.String()
}

func (b tab) open(req *http.Request, err error) (at *url.URL, status int, page string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.Request.URL, res.StatusCode, string(body)
}
