package web

import (
	"strings"
	"testing"
)

func TestAnAddressShowsTheHostThatIsLookedUp(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://pay.example/confirm?x=1":     "https://[pay.example]/confirm?x=1",
		"https://exаmple.com:8443/confirm":    "https://[xn--exmple-4nf.com:8443]/confirm",
		"https://EXAMPLE.com/":                "https://[example.com]/",
		"https://good.example@evil.example/a": "https://good.example@[evil.example]/a",
		"https://[::1]:8080/x":                "https://[[::1]:8080]/x",
		"javascript:alert(1)":                 "javascript:alert(1)[]",
		"https://pay.example/a\u202egnp.exe":  "https://[pay.example]/a‹U+202E›gnp.exe",
	} {
		l := link(raw, "")
		if got := l.Before + "[" + l.Host + "]" + l.After; got != want || l.Href != raw {
			t.Errorf("%s: got %s to %s, want %s", raw, got, l.Href, want)
		}
	}
}

func TestOddAddresses(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct {
		titles string
		risky  bool
	}{
		"https://pay.example/":                {"", false},
		"http://127.0.0.1:1234/":              {"", false},
		"http://x.localhost/":                 {"", false},
		"https://login.northwind.example/":    {"", false},
		"http://pay.example/":                 {"The connection is not encrypted.", false},
		"https://203.0.113.7/":                {"This is a bare network address.", false},
		"https://xn--80ak6aa92e.com/":         {"This host is written with special letters.", true},
		"https://nörthwind.example/":          {"This host is written with special letters.", true},
		"https://northvvind.example/":         {"This host only looks like northwind.example.", true},
		"https://northwind.example@evil.com/": {"The address starts with a user name.", true},
		"http://user:pw@pay.example/":         {"The address starts with a user name. The connection is not encrypted.", true},
		"https://pay.example/a\u202egnp.exe":  {"The address holds characters that can’t be seen.", true},
		"file:///etc/passwd":                  {"Kontor doesn’t open this address.", true},
	} {
		l := link(raw, "mcp.northwind.example")
		var titles []string
		for _, w := range l.Warnings {
			titles = append(titles, w.Title)
		}
		if got := strings.Join(titles, " "); got != want.titles || l.Risky() != want.risky {
			t.Errorf("%s: got %q, risky %v; want %q, %v", raw, got, l.Risky(), want.titles, want.risky)
		}
	}
}
