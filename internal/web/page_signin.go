package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/oauth"
	"kontor.dev/kontor/templates"
)

// signInPage says who asks for what, with one link to the authorization server.
func (s *Server) signInPage(c echo.Context) error {
	name := c.Param("server")
	if c.Request().Header.Get("Sec-Fetch-Site") == "cross-site" {
		// To begin would end a sign-in that is under way: no other site's link may.
		return s.messagePage(c, http.StatusOK, templates.Message{
			Heading: "Sign in to " + s.serverTitle(name) + "?", Text: "Another site led here, and nothing has begun.",
			Link: "/signin/" + url.PathEscape(name), LinkText: "Go on",
		})
	}
	page := templates.SignIn{Page: s.page("Sign in to " + s.serverTitle(name)), Name: name, Server: s.serverTitle(name)}
	page.ServerHost, _ = s.whereServer(name)
	ownTab := c.QueryParam("tab") == "own" // the SPA's links open one
	pending, err := s.beginSignIn(c.Request().Context(), name, c.QueryParam("issuer"), ownTab)
	if err == nil && pending.URL == "" { // a machine's grant: the token is there
		return s.signedInTo(c, oauth.Finished{Server: name, Auth: s.o.SignIn.Status(name), OwnTab: ownTab})
	}
	if err == nil {
		page.URL, page.Host = pending.URL, pending.Host
		page.Why, page.RedirectURI = whySignIn(pending.Reason), pending.RedirectURI
		page.Left = left(time.Until(pending.ExpiresAt))
		page.Scopes = scopes(pending.Issuer, pending.Scopes, s.o.SignIn.Status(name).Scopes)
		where, _, _ := strings.Cut(pending.URL, "?")
		page.Address = link(where, page.ServerHost)
		return render(c, http.StatusOK, templates.SignInPage(page))
	}
	p := problemOf(err)
	if p.Code == model.CodeNotFound || p.Code == model.CodeInternal {
		return err
	}
	page.Error = sentence(p.Detail)
	var needs *oauth.NeedsClientError
	var choose *oauth.ChooseIssuerError
	switch {
	case errors.As(err, &needs):
		page.RedirectURI = needs.RedirectURI
	case errors.As(err, &choose):
		for _, issuer := range choose.Issuers {
			query := url.Values{"issuer": {issuer}}
			if ownTab {
				query.Set("tab", "own")
			}
			page.Issuers = append(page.Issuers, templates.Issuer{Name: issuer, Href: "/signin/" + url.PathEscape(name) + "?" + query.Encode()})
		}
	}
	return render(c, http.StatusUnprocessableEntity, templates.SignInPage(page))
}

// signInAnswer is where the authorization server sends the browser back to.
func (s *Server) signInAnswer(c echo.Context) error {
	session := ""
	if id, ok := s.identify(c); ok {
		session = id.ID
	}
	done, err := s.o.SignIn.Finish(c.Request().Context(), c.QueryParams(), session)
	if err == nil {
		return s.signedInTo(c, done)
	}
	p := problemOf(err)
	if p.Code == model.CodeInternal {
		return err
	}
	page := templates.SignInResult{Page: s.page("Not signed in"), Name: done.Server, Server: s.serverTitle(done.Server), OwnTab: done.OwnTab}
	page.Error = sentence(p.Detail)
	return render(c, p.Status, templates.SignInResultPage(page))
}

func (s *Server) signedInTo(c echo.Context, done oauth.Finished) error {
	auth := done.Auth
	page := templates.SignInResult{
		Page: s.page("Signed in"), Name: done.Server, Server: s.serverTitle(done.Server), OwnTab: done.OwnTab,
		Account: auth.Account, Scopes: scopes(auth.Issuer, auth.Scopes, nil), Renewable: auth.Renewable,
	}
	if done.OwnTab {
		page.Assets.Scripts = s.build.closing.Scripts
	}
	if !auth.ExpiresAt.IsZero() {
		page.Until = auth.ExpiresAt.Local().Format("2 January 2006, 15:04 MST")
	}
	return render(c, http.StatusOK, templates.SignInResultPage(page))
}

// scopes are rights for people's eyes.
func scopes(issuer string, names, granted []string) []templates.Scope {
	list := make([]templates.Scope, len(names))
	for i, name := range names {
		list[i] = templates.Scope{Name: name, Words: model.ScopeWords(issuer, name), Granted: slices.Contains(granted, name)}
	}
	return list
}

// clientMetadata is the document that Kontor's client id is the address of
// (OAuth Client ID Metadata Document).
func (s *Server) clientMetadata(c echo.Context) error {
	return c.Blob(http.StatusOK, jsonType, oauth.ClientMetadata(s.BaseURL()))
}

// whySignIn puts a reason into words.
func whySignIn(reason string) string {
	switch reason {
	case model.ReasonExpired:
		return "The sign-in from before has expired."
	case model.ReasonMoreRights:
		return "A call needs more rights than were granted."
	case model.ReasonSignedOut:
		return "You have signed out."
	case model.ReasonRefused:
		return "The server doesn’t take the token in its settings."
	}
	return "You sign in to it for the first time."
}
