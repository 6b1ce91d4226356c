package web

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

// public are the routes that need no one: how to get in, what the pages for it
// look like, and whether we are up. Everything else asks who is there; a test
// holds every route to that.
func public(path string) bool {
	switch path {
	case "/login", "/healthz", "/readyz", "/favicon.svg", "/assets/*":
		return true
	case "/oauth/callback", "/oauth/client-metadata.json":
		// The first is worth its state, and the session that it began in; the second is
		// for authorization servers.
		return true
	}
	return false
}

type visitorKey struct{}

// visitor is who sends a request, and from where.
type visitor struct {
	identity access.Identity
	client   string
}

// identityOf is who sends the request; the zero Identity on public routes.
func identityOf(ctx context.Context) access.Identity {
	v, _ := ctx.Value(visitorKey{}).(visitor)
	return v.identity
}

// clientOf is from where; empty on public routes.
func clientOf(ctx context.Context) string {
	v, _ := ctx.Value(visitorKey{}).(visitor)
	return v.client
}

// authenticate lets in a signed-in browser or a token, each within its scope.
func (s *Server) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if public(c.Path()) {
			return next(c)
		}
		id, ok := s.identify(c)
		if !ok {
			return s.turnAway(c)
		}
		if !permitted(id.Scope, c.Request()) {
			return wire.NewProblem(model.CodeDenied, "This token's scope ("+string(id.Scope)+") doesn't reach this.")
		}
		r := c.Request()
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), visitorKey{}, visitor{id, client(r.RemoteAddr)})))
		return next(c)
	}
}

func (s *Server) identify(c echo.Context) (access.Identity, bool) {
	ctx := c.Request().Context()
	if header := c.Request().Header.Get("Authorization"); header != "" {
		// A header that doesn't let in isn't made up for by a cookie: who sends one
		// means to be that token.
		scheme, value, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return access.Identity{}, false
		}
		return s.o.Access.Token(ctx, strings.TrimSpace(value))
	}
	cookie, err := c.Cookie(s.cookieName())
	if err != nil {
		return access.Identity{}, false
	}
	id, renewed, ok := s.o.Access.Session(ctx, cookie.Value)
	if renewed {
		c.SetCookie(s.sessionCookie(cookie.Value))
	}
	return id, ok
}

// permitted is what a scope reaches. Gateway tokens are for /mcp alone.
func permitted(scope model.Scope, r *http.Request) bool {
	switch scope {
	case model.ScopeFull:
		return true
	case model.ScopeRead:
		return safe(r.Method) && (isAPI(r.URL.Path) || r.URL.Path == "/metrics")
	}
	return false
}

// turnAway sends a browser to the sign-in page and answers 401 to all else.
func (s *Server) turnAway(c echo.Context) error {
	r := c.Request()
	if r.Method == http.MethodGet && !isAPI(r.URL.Path) && wantsHTML(r) {
		to := "/login"
		if here := r.URL.RequestURI(); here != "/" {
			to += "?next=" + url.QueryEscape(here)
		}
		return c.Redirect(http.StatusSeeOther, to)
	}
	c.Response().Header().Set("WWW-Authenticate", `Bearer realm="kontor"`)
	return wire.NewProblem(wire.CodeUnauthenticated, "Sign in (the command `kontor link` prints a link), or send Authorization: Bearer kt_….")
}

// cookieName is another for each port: cookies don't tell ports apart, so two
// Kontors on one machine would sign each other out.
func (s *Server) cookieName() string {
	_, port, err := net.SplitHostPort(s.o.ListenAddr)
	if err != nil {
		port = "0"
	}
	return cookiePrefix + port
}

func (s *Server) sessionCookie(value string) *http.Cookie {
	return &http.Cookie{
		Name: s.cookieName(), Value: value, Path: "/",
		MaxAge: int(access.SessionLife / time.Second), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(s.BaseURL(), "https://"),
	}
}

// wantsHTML tells a browser's navigation from scripts and programs.
func wantsHTML(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// client tells who tries a password: the address, for IPv6 the /64 that one
// customer holds. Behind a proxy everybody is the proxy.
func client(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil {
		return ip.Mask(net.CIDRMask(64, 128)).String()
	}
	return host
}
