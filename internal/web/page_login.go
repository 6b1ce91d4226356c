package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/templates"
)

// loginPage shows the form, or uses up the code of a sign-in link.
func (s *Server) loginPage(c echo.Context) error {
	if code := c.QueryParam("code"); code != "" {
		cookie, err := s.o.Access.SignInByLink(c.Request().Context(), code, c.Request().UserAgent())
		return s.signedIn(c, cookie, err)
	}
	if _, in := s.identify(c); in {
		return c.Redirect(http.StatusSeeOther, localPath(c.QueryParam("next")))
	}
	return s.showLogin(c, http.StatusOK, "")
}

// login takes the password.
func (s *Server) login(c echo.Context) error {
	r := c.Request()
	cookie, err := s.o.Access.SignInByPassword(r.Context(), client(r.RemoteAddr), c.FormValue("password"), r.UserAgent())
	return s.signedIn(c, cookie, err)
}

func (s *Server) signedIn(c echo.Context, cookie string, err error) error {
	if err != nil {
		p := problemOf(err)
		if p.Code == model.CodeInternal {
			return err
		}
		for name, values := range p.Headers {
			c.Response().Header()[name] = values
		}
		return s.showLogin(c, p.Status, sentence(p.Detail))
	}
	c.SetCookie(s.sessionCookie(cookie))
	next := localPath(c.FormValue("next"))
	if s.firstTime(c.Request().Context()) {
		next = "/setup"
	}
	return c.Redirect(http.StatusSeeOther, next)
}

func (s *Server) showLogin(c echo.Context, status int, problem string) error {
	set, err := s.o.Access.PasswordSet(c.Request().Context())
	if err != nil {
		return err
	}
	return render(c, status, templates.LoginPage(templates.Login{
		Page: s.page("Sign in"), Next: localPath(c.FormValue("next")), PasswordSet: set, LinkCommand: s.o.LinkCommand, Error: problem,
	}))
}

// firstTime tells whether set-up was neither done nor skipped yet. When that
// can't be read it is no reason to ask.
func (s *Server) firstTime(ctx context.Context) bool {
	_, err := s.o.Settings.Setting(ctx, keySetupDone)
	return model.CodeOf(err) == model.CodeNotFound
}
