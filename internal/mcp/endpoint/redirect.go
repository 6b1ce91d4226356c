package endpoint

import (
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 5

// followRedirect tells whether a message may go on to another address: only with
// method and body unchanged (307, 308; RFC 9110 §15.4) and only within the same
// origin, since it carries credentials and a person's data.
func followRedirect(status int, from, to *url.URL, hops int) bool {
	if status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect {
		return false
	}
	return hops <= maxRedirects && SameOrigin(from, to) && to.User == nil
}

// SameOrigin compares scheme, host and port (RFC 6454 §4).
func SameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}

// checkRedirect hands a redirect that isn't followed to the caller as the answer.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if followRedirect(next.Response.StatusCode, via[0].URL, next.URL, len(via)) {
		return nil
	}
	return http.ErrUseLastResponse
}

// Shown is an address for people: a query may hold a token, so it is cut off.
func Shown(u *url.URL) string {
	s := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery != "" {
		return s.String() + "?…"
	}
	return s.String()
}
