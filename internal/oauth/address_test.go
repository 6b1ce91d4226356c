package oauth

import (
	"net/url"
	"slices"
	"testing"
)

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		resource, server string
		want             bool
	}{
		{"https://h/mcp", "https://h/mcp", true},
		{"https://h", "https://h/mcp", true},
		{"https://h/", "https://h/mcp", true},
		{"https://h/a", "https://h/a/mcp", true},
		{"https://h/mcp/", "https://h/mcp", true},
		{"https://h/mcp", "https://h/mcp/", true},
		{"HTTPS://H:443/mcp", "https://h/mcp", true},
		{"https://h/mcp?a=1", "https://h/mcp?a=1", true},
		{"https://h/mcp", "https://h/mcp?a=1", true},
		{"https://h", "https://h", true},
		{"https://h/m%63p", "https://h/m%63p", true},
		{"https://h/mcp-other", "https://h/mcp/oauth", false},
		{"https://h/mc", "https://h/mcp", false},
		{"https://h/mcp/sub", "https://h/mcp", false},
		{"https://h/mcp/../mcp", "https://h/mcp", false},
		{"https://h/%2e%2e/mcp", "https://h/%2e%2e/mcp", false},
		{"https://h:8443/mcp", "https://h/mcp", false},
		{"http://h/mcp", "https://h/mcp", false},
		{"https://evil/mcp", "https://h/mcp", false},
		{"https://h.evil/mcp", "https://h/mcp", false},
		{"https://h@evil/mcp", "https://h/mcp", false},
		{"https://u:p@h/mcp", "https://h/mcp", false},
		{"https://h/mcp#x", "https://h/mcp", false},
		{"https://h/mcp#", "https://h/mcp", false},
		{"https://h/mcp?a=2", "https://h/mcp?a=1", false},
		{"", "https://h/mcp", false},
		{"urn:example:mcp", "https://h/mcp", false},
		{"https://h/\x7f", "https://h/mcp", false},
	} {
		if got := covers(c.resource, parse(t, c.server)); got != c.want {
			t.Errorf("covers(%q, %q) = %v", c.resource, c.server, got)
		}
	}
}

func TestCheckEndpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address string
		plain   bool
		want    bool
	}{
		{"https://as/authorize?x=1", false, true},
		{"https://as/authorize", true, true},
		{"http://as/authorize", true, true},
		{"http://as/authorize", false, false},
		{"http://127.0.0.1/authorize", false, false},
		{"javascript:alert(1)//https://as", true, false},
		{"JavaScript://as/%0aalert(1)", true, false},
		{"data:text/html,x", true, false},
		{"file:///etc/passwd", true, false},
		{"https:as", true, false},
		{"https://", true, false},
		{"//as/x", true, false},
		{"/authorize", true, false},
		{"https://u:p@as/x", true, false},
		{"https://as/x#y", true, false},
		{"", true, false},
		{"https://as/\x00", true, false},
	} {
		if _, err := checkEndpoint(c.address, c.plain); (err == nil) != c.want {
			t.Errorf("checkEndpoint(%q, %v) = %v", c.address, c.plain, err)
		}
	}
}

func TestPlacesAreInTheSpecificationsOrder(t *testing.T) {
	t.Parallel()
	const root = "https://h/.well-known/oauth-protected-resource"
	for _, c := range []struct {
		server, challenge string
		want              []string
	}{
		{"https://h/mcp", "", []string{root + "/mcp", root}},
		{"https://h/mcp", "https://h/x", []string{"https://h/x", root + "/mcp", root}},
		{"https://h/mcp", "/x", []string{"https://h/x", root + "/mcp", root}},
		{"https://h/", "", []string{root}},
		{"https://h", "", []string{root}},
		{"https://h/a/mcp/?k=v", "", []string{root + "/a/mcp?k=v", root + "/a/mcp", root}},
	} {
		if got := (discovery{server: parse(t, c.server)}).places(challenge{Metadata: c.challenge}); !slices.Equal(got, c.want) {
			t.Errorf("places(%q, %q)\n = %q\nwant %q", c.server, c.challenge, got, c.want)
		}
	}
	for issuer, want := range map[string][]string{
		"https://as":         {"https://as/.well-known/oauth-authorization-server", "https://as/.well-known/openid-configuration"},
		"https://as/":        {"https://as/.well-known/oauth-authorization-server", "https://as/.well-known/openid-configuration"},
		"https://as:8/t/one": {"https://as:8/.well-known/oauth-authorization-server/t/one", "https://as:8/.well-known/openid-configuration/t/one", "https://as:8/t/one/.well-known/openid-configuration"},
		"https://as/t/":      {"https://as/.well-known/oauth-authorization-server/t", "https://as/.well-known/openid-configuration/t", "https://as/t/.well-known/openid-configuration"},
	} {
		if got := issuerPlaces(parse(t, issuer)); !slices.Equal(got, want) {
			t.Errorf("issuerPlaces(%q)\n = %q\nwant %q", issuer, got, want)
		}
	}
}

func TestForeignWordsStayBounded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "",
		"plain":                  "plain",
		" two\r\n\tlines\u2028 ": "two lines",
		"\x1b[31mred\u202egnp":   "[31mred gnp",
		"bad \xff utf":           "bad � utf",
		"a\u00a0b":               "a b",
	} {
		if got := foreign(text); got != want {
			t.Errorf("foreign(%q) = %q, want %q", text, got, want)
		}
	}
	if got := without("token a+b=: a%2Bb%3D", []string{"a+b=", ""}); got != "token •••: •••" {
		t.Errorf("without = %q", got)
	}
}
