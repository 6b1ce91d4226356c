package web

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
	"kontor.dev/kontor/templates"
)

// shell is the page of every address that the SPA draws. Only a browser gets it:
// a program that mistypes an address is told so.
func (s *Server) shell(c echo.Context) error {
	if isAPI(c.Request().URL.Path) || !wantsHTML(c.Request()) {
		return notFound(c)
	}
	if c.Request().URL.Path == "/inbox" && c.QueryParam("plain") != "" {
		return s.inboxPage(c)
	}
	if s.build.missing() {
		return s.messagePage(c, http.StatusServiceUnavailable, templates.Message{
			Heading: "This Kontor was built without its pages",
			Text:    "The server runs, and its API answers. To get the pages, build them and start it again:",
			Command: "make web",
		})
	}
	settings := s.settings.Load()
	boot := wire.Boot{Version: s.o.About.Version, Theme: settings.Theme, Key: s.o.About.Key}
	return render(c, http.StatusOK, templates.Shell(templates.Page{
		Title: "Inbox", Theme: settings.Theme, Assets: s.build.app,
	}, boot, s.build.pages))
}

// page is the frame of a page without script.
func (s *Server) page(title string) templates.Page {
	return templates.Page{Title: title, Theme: s.settings.Load().Theme, Assets: s.build.pages}
}

func (s *Server) messagePage(c echo.Context, status int, m templates.Message) error {
	m.Page = s.page(m.Heading)
	return render(c, status, templates.MessagePage(m))
}

// errorPage shows a problem.
func (s *Server) errorPage(c echo.Context, p *wire.Problem) error {
	m := templates.Message{Heading: p.Title, Text: p.Detail}
	switch p.Code {
	case model.CodeNotFound:
		m.Heading, m.Link, m.LinkText = "There is nothing here", "/", "Go to the inbox"
	case model.CodeDenied:
		m.Heading = "Not allowed"
	case wire.CodeMisdirected:
		m.Heading = "Another host was expected"
	}
	return s.messagePage(c, p.Status, m)
}

func render(c echo.Context, status int, page templ.Component) error {
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	c.Response().WriteHeader(status)
	return page.Render(c.Request().Context(), c.Response())
}

// localPath is where to go after signing in: an address on this host, or the
// inbox. Browsers take // and /\ for another host.
func localPath(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.HasPrefix(next, `/\`) ||
		strings.ContainsAny(next, "\r\n\t") || isAPI(next) || strings.HasPrefix(next, "/login") {
		return "/"
	}
	return next
}
