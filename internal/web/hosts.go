package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

// hostAllowed tells whether a request's Host may be ours. A page of another name
// that resolves to this machine (DNS rebinding) is same-origin to the browser; the
// name gives it away. Loopback names can't be anybody else's.
func hostAllowed(host string, allowed []string) bool {
	name := hostName(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.Unmap().IsLoopback() {
		return true
	}
	for _, a := range allowed {
		if name != "" && name == hostName(a) {
			return true
		}
	}
	return false
}

// hostName is the name of a Host header or address, without port, brackets,
// case and the root's dot. It is empty where the port is no number: such a Host
// is a longer name that begins like ours.
func hostName(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return ""
		}
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// origin is what tells requests to us and from our own pages, made once for each
// base URL.
type origin struct {
	hosts      []string
	protection *http.CrossOriginProtection
}

// originOf is that of a base URL. For a proxy that changes Host, the base URL is an
// origin of ours beside the request's own.
func originOf(base string, allowed []string) (*origin, error) {
	o := &origin{hosts: slices.Clone(allowed), protection: http.NewCrossOriginProtection()}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return o, nil // requests may come from their own Host alone
	}
	o.hosts = append(o.hosts, u.Host)
	return o, o.protection.AddTrustedOrigin(u.Scheme + "://" + u.Host)
}

// checkHost refuses requests for names that aren't ours.
func (s *Server) checkHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !hostAllowed(c.Request().Host, s.origin.Load().hosts) {
			return wire.NewProblem(wire.CodeMisdirected,
				"Kontor doesn't answer to this host name. If it should, start it with --allowed-host NAME or --base-url URL.")
		}
		return next(c)
	}
}

// checkOrigin refuses what another page makes the person's browser do: every
// request that changes something, every socket, and every read of the API by a
// script (another port of this machine is the same site to SameSite cookies, but
// another origin).
func (s *Server) checkOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	refused := wire.NewProblem(model.CodeDenied, "This request comes from another page than Kontor's own.")
	return func(c echo.Context) error {
		r := c.Request()
		site := r.Header.Get("Sec-Fetch-Site")
		foreign := site == "cross-site" || site == "same-site"
		followed := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet
		if isAPI(r.URL.Path) && foreign && !followed {
			return refused
		}
		if isUpgrade(r) || !safe(r.Method) {
			if s.sameOrigin(r) != nil {
				return refused
			}
		}
		return next(c)
	}
}

// sameOrigin goes by Sec-Fetch-Site, else Origin (net/http.CrossOriginProtection);
// a request with neither is not a browser's.
func (s *Server) sameOrigin(r *http.Request) error {
	// An upgrade is a GET, which would pass unseen.
	changing := *r
	changing.Method = http.MethodPost
	return s.origin.Load().protection.Check(&changing)
}

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func isUpgrade(r *http.Request) bool { return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") }

func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }
