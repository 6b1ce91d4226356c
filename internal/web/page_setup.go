package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/templates"
)

func (s *Server) setupPage(c echo.Context) error { return s.showSetup(c, http.StatusOK, "") }

// setup takes what the person wants to settle at once; each part may be empty.
func (s *Server) setup(c echo.Context) error {
	ctx := c.Request().Context()
	if c.FormValue("action") != "skip" {
		if err := s.settle(ctx, c); err != nil {
			p := problemOf(err)
			if p.Code == model.CodeInternal {
				return err
			}
			return s.showSetup(c, p.Status, sentence(p.Detail))
		}
	}
	if err := s.setSetting(ctx, keySetupDone, true); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/")
}

func (s *Server) settle(ctx context.Context, c echo.Context) error {
	set, err := s.o.Access.PasswordSet(ctx)
	if err != nil {
		return err
	}
	// A password that is set is changed in Settings, where the old one is asked for.
	if password := c.FormValue("password"); password != "" && !set {
		if err := s.o.Access.SetPassword(ctx, password, identityOf(ctx).ID); err != nil {
			return err
		}
	}
	if base := strings.TrimSpace(c.FormValue("base_url")); base != "" && base != s.settings.Load().BaseURL {
		if err := s.setBaseURL(ctx, base); err != nil {
			return err
		}
	}
	if c.FormValue("demo") == "yes" {
		return s.addDemo(ctx)
	}
	return nil
}

func (s *Server) addDemo(ctx context.Context) error {
	_, err := s.o.Servers.Add(ctx, s.o.Demo)
	if model.CodeOf(err) == model.CodeConflict {
		return nil // it is there
	}
	return err
}

func (s *Server) showSetup(c echo.Context, status int, problem string) error {
	set, err := s.o.Access.PasswordSet(c.Request().Context())
	if err != nil {
		return err
	}
	_, err = s.o.Servers.Get(s.o.Demo.Name)
	return render(c, status, templates.SetupPage(templates.Setup{
		Page: s.page("Welcome"), PasswordSet: set, BaseURL: s.settings.Load().BaseURL, Demo: err != nil, Error: problem,
	}))
}

// sentence makes an error's words one: a capital first, a full stop last.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
