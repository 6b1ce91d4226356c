package oauth

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"path"
	"strings"
)

// checkEndpoint decides whether an address that a server named may be used:
// https, or http too when the MCP server itself is reached in plain text.
// javascript: and its kind would run in the person's browser.
func checkEndpoint(address string, plain bool) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return nil, errors.New("it is missing")
	case err != nil:
		return nil, errors.New("it is no URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("it is neither https nor http")
	case u.Scheme == "http" && !plain:
		return nil, errors.New("it is plain http, which is allowed only when the MCP server is")
	case u.Hostname() == "":
		return nil, errors.New("it names no host")
	case u.User != nil:
		return nil, errors.New("it holds a user name or password")
	case u.Fragment != "":
		return nil, errors.New("it has a fragment")
	}
	return u, nil
}

// origin is scheme, host and port (RFC 6454 §4).
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// covers tells whether a resource identifier stands for a server: the same
// origin, and the server's path or a parent of it on the border of a segment
// (RFC 9728 §3.3 wants equality; servers name their origin). A slash at the end
// makes no difference.
func covers(resource string, server *url.URL) bool {
	r, err := url.Parse(resource)
	if err != nil || r.User != nil || r.Fragment != "" || strings.Contains(resource, "#") || origin(r) != origin(server) {
		return false
	}
	if r.RawQuery != "" && r.RawQuery != server.RawQuery {
		return false
	}
	parent, own := strings.TrimRight(r.EscapedPath(), "/"), strings.TrimRight(server.EscapedPath(), "/")
	if parent != "" && path.Clean(r.Path) != strings.TrimRight(r.Path, "/") {
		return false // dot segments: nobody knows what the authorization server makes of them
	}
	return own == parent || strings.HasPrefix(own, parent+"/")
}

// wellKnown puts a well-known suffix between host and path (RFC 8615, RFC 8414
// §3.1, RFC 9728 §3.1).
func wellKnown(u *url.URL, suffix, path string) string {
	w := url.URL{Scheme: u.Scheme, Host: u.Host}
	return w.String() + "/.well-known/" + suffix + strings.TrimRight(path, "/")
}

// loopback tells whether a host is this machine, as a browser on it sees it.
func loopback(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// hostOf is how an address is named to a person: its host, with the port where
// there is one.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return foreign(u.Host)
	}
	return foreign(address)
}
