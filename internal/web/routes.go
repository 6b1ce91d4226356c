package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

// routes is everything that answers. The API's own table is in operations.go.
func (s *Server) routes() (*echo.Echo, error) {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.answerError
	e.Use(s.logRequest, securityHeaders(s.o.DevURL), s.recoverPanic(), s.checkHost, s.checkOrigin, s.authenticate)

	e.GET("/login", s.loginPage)
	e.POST("/login", s.login)
	e.GET("/setup", s.setupPage)
	e.POST("/setup", s.setup)
	e.GET("/inbox/:id", s.itemPage)
	e.POST("/inbox/:id", s.answerItem)

	e.GET("/signin/:server", s.signInPage)
	e.GET("/oauth/callback", s.signInAnswer)
	e.GET("/oauth/client-metadata.json", s.clientMetadata)

	api := newAPI(e)
	s.operations(table{api, s.o.Log})
	spec, err := document(api)
	if err != nil {
		return nil, err
	}
	e.GET("/api/openapi.json", func(c echo.Context) error { return c.Blob(http.StatusOK, jsonType, spec) })
	e.GET("/api/docs", s.docsPage(api.OpenAPI()))
	e.GET("/api/ws", s.socket)
	e.GET("/api/mcp-media/:file", s.mediaFile)
	e.HEAD("/api/mcp-media/:file", s.mediaFile)
	e.GET("/api/sessions/:id/export", s.exportSession)
	e.POST("/api/media", s.putMedia)
	e.RouteNotFound("/api/*", notFound)

	e.GET("/healthz", alive)
	e.GET("/readyz", alive)
	e.GET("/assets/*", s.asset)
	e.GET("/favicon.svg", s.asset)
	e.GET("/", s.shell)
	e.GET("/*", s.shell)
	return e, nil
}

// alive answers both health checks: when routes are served, the database is open
// and the listener is up.
func alive(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

func notFound(echo.Context) error {
	return wire.NewProblem(model.CodeNotFound, "There is nothing here. /api/docs lists what there is.")
}

func (s *Server) mediaFile(c echo.Context) error {
	return s.o.Media.Serve(c.Response(), c.Request(), c.Param("file"))
}

// logRequest writes a line at debug level, without the query: a sign-in code may
// be in it.
func (s *Server) logRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := time.Now()
		err := next(c)
		if err != nil {
			c.Error(err)
		}
		s.o.Log.Debug("request", "method", c.Request().Method, "path", c.Request().URL.Path,
			"status", c.Response().Status, "took", time.Since(begun))
		return nil
	}
}

func (s *Server) recoverPanic() echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisablePrintStack: true,
		LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
			s.o.Log.Error("a request panicked", "path", c.Request().URL.Path, "err", err, "stack", string(stack))
			return err
		},
	})
}
