package web

import (
	"context"
	"errors"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/oauth"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

type startSignInInput struct {
	Name string `path:"name"`
	Body wire.StartSignIn
}

type signInOutput struct{ Body wire.SignIn }

type pastedInput struct {
	Name string `path:"name"`
	Body wire.PastedAnswer
}

// startSignIn prepares a sign-in. From a browser, only that browser can end it;
// started with a token, who has the answer's state can.
func (s *Server) startSignIn(ctx context.Context, in *startSignInInput) (*signInOutput, error) {
	// Whoever has the address from here opens it in a tab of its own.
	p, err := s.beginSignIn(ctx, in.Name, in.Body.Issuer, true)
	if err != nil {
		return nil, unstarted(err)
	}
	scopes := p.Scopes
	if scopes == nil {
		scopes = []string{}
	}
	return &signInOutput{wire.SignIn{
		AuthorizationURL: p.URL, State: p.State, ExpiresAt: wire.At(p.ExpiresAt),
		Host: p.Host, Issuer: p.Issuer, Scopes: scopes, ScopeWords: model.ScopesInWords(p.Issuer, scopes...), RedirectURI: p.RedirectURI,
	}}, nil
}

func (s *Server) beginSignIn(ctx context.Context, name, issuer string, ownTab bool) (oauth.Pending, error) {
	server, err := s.signsIn(name)
	if err != nil {
		return oauth.Pending{}, err
	}
	if v, err := s.o.Servers.Get(name); err == nil && v.Config.GivesToken() {
		return oauth.Pending{}, model.Errorf(model.CodeInvalid, "%s is given the token in its settings, so signing in would change nothing: clear it first", v.Config.Title())
	}
	return s.o.SignIn.Start(ctx, oauth.Start{Server: server, Session: sessionOf(ctx), Issuer: issuer, OwnTab: ownTab})
}

// signsIn is a server as signing in knows it.
func (s *Server) signsIn(name string) (oauth.Server, error) {
	c, err := s.o.Servers.Expanded(name)
	switch {
	case err != nil:
		return oauth.Server{}, err
	case c.Transport != model.TransportHTTP:
		return oauth.Server{}, model.Errorf(model.CodeInvalid, "%s is a program on this machine: there is nothing to sign in to", c.Title())
	}
	return oauth.Server{Name: c.Name, URL: c.URL, Settings: c.OAuth}, nil
}

// sessionOf is the browser session of a request; empty for a token.
func sessionOf(ctx context.Context) string {
	if id := identityOf(ctx); id.Kind != access.KindToken {
		return id.ID
	}
	return ""
}

// unstarted says what the person can do about a sign-in that has no address.
func unstarted(err error) error {
	var needs *oauth.NeedsClientError
	var choose *oauth.ChooseIssuerError
	p := problemOf(err)
	if p.Code == model.CodeNotFound {
		return err
	}
	switch {
	case errors.As(err, &needs):
		p.RedirectURI = needs.RedirectURI
	case errors.As(err, &choose):
		p.Issuers = choose.Issuers
	case p.Code == model.CodeInternal:
		return err
	}
	// 422 whatever the cause's own code: it is no answer about Kontor itself.
	out := wire.NewProblem(model.CodeInvalid, p.Detail)
	out.Code, out.RedirectURI, out.Issuers = p.Code, p.RedirectURI, p.Issuers
	return out
}

func (s *Server) signOut(ctx context.Context, in *nameInput) (*serverOutput, error) {
	server, err := s.signsIn(in.Name)
	if err != nil {
		return nil, err
	}
	if err := s.o.SignIn.SignOut(ctx, server); err != nil {
		return nil, err
	}
	return s.signInState(in.Name)
}

// pasteSignIn takes the address that a browser was sent to and couldn't open.
func (s *Server) pasteSignIn(ctx context.Context, in *pastedInput) (*serverOutput, error) {
	if _, err := s.o.Servers.Get(in.Name); err != nil {
		return nil, err
	}
	if _, err := s.o.SignIn.FinishPasted(ctx, in.Name, in.Body.URL, sessionOf(ctx)); err != nil {
		return nil, err
	}
	return s.signInState(in.Name)
}

// cancelSignIn gives up: the browser's answer isn't taken any more, and a call that
// waits for more rights fails.
func (s *Server) cancelSignIn(ctx context.Context, in *nameInput) (*serverOutput, error) {
	if _, err := s.o.Servers.Get(in.Name); err != nil {
		return nil, err
	}
	s.o.SignIn.Cancel(in.Name)
	for _, item := range s.o.Inbox.Open() {
		if item.Kind == model.ItemSignIn && item.Server == in.Name && item.CallID != "" {
			err := s.o.Inbox.Resolve(ctx, item.ID, model.Answer{Action: model.ActionCancel}, s.resolver(ctx))
			if err != nil && model.CodeOf(err) != model.CodeGone {
				return nil, err
			}
		}
	}
	return s.signInState(in.Name)
}

// signInState is the server with the sign-in as it is now.
func (s *Server) signInState(name string) (*serverOutput, error) {
	v, err := s.o.Servers.Get(name)
	v.Status.Auth = s.o.SignIn.Status(name)
	return viewed(v, err)
}
