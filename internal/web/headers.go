package web

import (
	"maps"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// policy is the Content-Security-Policy of everything but data and media. Nothing inline
// runs; images may be data: because servers give their icons so. dev is the
// address of Vite in development, which injects styles and its own socket.
func policy(dev string) string {
	script, style, connect := "script-src 'self'", "style-src 'self'", "connect-src 'self'"
	if dev != "" {
		socket := "ws" + strings.TrimPrefix(dev, "http")
		script += " " + dev
		style += " 'unsafe-inline' " + dev
		connect += " " + dev + " " + socket
	}
	return strings.Join([]string{
		"default-src 'none'", script, style, connect,
		"img-src 'self' data: blob:", "media-src 'self' blob:", "font-src 'self'", "manifest-src 'self'",
		"form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
	}, "; ")
}

// securityHeaders are on every answer, errors included. A handler may replace them:
// media does. What is there for a page alone is left out of data, which is most of
// what is asked for: each header costs both ends.
func securityHeaders(dev string) echo.MiddlewareFunc {
	data := http.Header{
		"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
		"X-Content-Type-Options":       {"nosniff"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cache-Control":                {"no-store"},
	}
	pages := maps.Clone(data)
	maps.Copy(pages, http.Header{
		"Content-Security-Policy": {policy(dev)},
		"X-Frame-Options":         {"DENY"},
		// Not no-referrer: a form would post Origin: null then.
		"Referrer-Policy":            {"same-origin"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=()"},
	})
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			headers := pages
			if isData(c.Request().URL.Path) {
				headers = data
			}
			// The values are shared by all answers: Set and Add replace them.
			maps.Copy(c.Response().Header(), headers)
			return next(c)
		}
	}
}

// isData tells what is never shown as a page. What is taken for it and is one loses
// its styles and scripts, and that is seen.
func isData(path string) bool {
	return isAPI(path) && path != "/api/docs" && !strings.HasPrefix(path, "/api/mcp-media/")
}
