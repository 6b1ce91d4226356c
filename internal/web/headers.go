package web

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// policy is the Content-Security-Policy of everything but media. Nothing inline
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

// securityHeaders are on every answer, errors included. A handler may replace
// them: media does.
func securityHeaders(dev string) echo.MiddlewareFunc {
	csp := policy(dev)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			h := c.Response().Header()
			h.Set("Content-Security-Policy", csp)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("X-Frame-Options", "DENY")
			// Not no-referrer: a form would post Origin: null then.
			h.Set("Referrer-Policy", "same-origin")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
			h.Set("Cache-Control", "no-store")
			return next(c)
		}
	}
}
