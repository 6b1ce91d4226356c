package oauth

import (
	"context"
	"errors"
	"net/url"

	"kontor.dev/kontor/internal/model"
)

// Names of grants and of tokens (RFC 7523 §2.1, RFC 8693, draft-ietf-oauth-
// identity-assertion-authz-grant).
const (
	grantJWTBearer     = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	grantTokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
	typeIDToken        = "urn:ietf:params:oauth:token-type:id_token"
	typeIDJAG          = "urn:ietf:params:oauth:token-type:id-jag"
)

// granted gets a token for a machine and keeps it. What is refused once is refused:
// it is tried again when the settings have changed or a person wants it, and never
// with another grant.
func (s *Service) granted(ctx context.Context, a *account, server Server, revision int64, old *record) error {
	a.mu.Lock()
	barred := a.denied || a.signedOut()
	a.mu.Unlock()
	if barred {
		return nil
	}
	fresh, err := s.grant(ctx, a, server, old)
	switch {
	case err == nil && a.trial:
		s.update(a, func() { a.take(fresh); a.settled() })
		return nil
	case err == nil:
		return s.keep(ctx, a, revision, old, fresh)
	}
	failed := (*tokenError)(nil)
	isToken := errors.As(err, &failed)
	if isToken && failed.Temporary || !isToken && model.CodeOf(err) != model.CodeInvalid && model.CodeOf(err) != model.CodeProtocol && model.CodeOf(err) != model.CodeDenied {
		return model.Errorf(model.CodeServerUnavailable, "there is no token for %s just now: %w", hostOf(server.URL), err)
	}
	words := "The " + grantWords(server.Settings.Grant) + " for " + hostOf(server.URL) + " gave no token: " + err.Error() + "."
	if isToken {
		words = "The " + grantWords(server.Settings.Grant) + " for " + hostOf(server.URL) + " was refused by " + failed.Host + ": " + failed.Error() + "."
	}
	if old.Access != "" && !a.trial {
		if _, err := s.swap(ctx, a, revision, old.without(words)); err != nil && model.CodeOf(err) != model.CodeConflict {
			return err
		}
	}
	why := model.ReasonFirstTime
	if old.Server != "" {
		why = model.ReasonExpired
	}
	s.update(a, func() { a.denied, a.need = true, &need{why, words} })
	s.o.Log.Warn("a grant was refused", "server", a.name, "grant", server.Settings.Grant, "reason", err.Error())
	return nil
}

// grant finds the authorization server and asks it.
func (s *Service) grant(ctx context.Context, a *account, server Server, old *record) (*record, error) {
	d, err := s.discovery(server)
	if err != nil {
		return nil, err
	}
	ch := s.challengeFor(ctx, a, d)
	at, err := d.site(ctx, ch)
	if err != nil {
		return nil, err
	}
	var before *record
	if old.Server != "" {
		before = old
	}
	meta, err := d.choose(ctx, at, server, "", before)
	if err != nil {
		return nil, err
	}
	request := tokenRequest{Endpoint: meta.TokenEndpoint, Issuer: meta.Issuer, HTTP: d.client}
	if server.Settings.DPoP || at.DPoP {
		if err := meta.checkDPoP(); err != nil {
			return nil, err
		}
		if request.Prover, err = newProver(a); err != nil {
			return nil, err
		}
	}
	scopes := scopeSources{Settings: server.Settings.Scopes, Challenge: ch.Scopes, Site: at.Scopes}.scopes()
	if err := s.fill(ctx, &request, server, meta, at.Resource, scopes); err != nil {
		return nil, err
	}
	if len(scopes) > 0 {
		request.Form.Set("scope", joined(scopes))
	}
	request.Form.Set("resource", at.Resource)
	t, err := request.send(ctx)
	if err != nil {
		return nil, err
	}
	t.Refresh = "" // the grant is the way to the next one
	r := record{
		Server: server.URL, Grant: server.Settings.Grant, Issuer: meta.Issuer, Resource: at.Resource, Metadata: at.Metadata,
		TokenEndpoint: meta.TokenEndpoint, RevocationEndpoint: meta.RevocationEndpoint, Client: request.Client,
		Key: request.Prover.marshal(), Scopes: scopes, Requested: scopes,
	}
	return r.with(t, s.now()), nil
}

// fill puts what is the grant's own into a request: who asks, and by what right.
func (s *Service) fill(ctx context.Context, r *tokenRequest, server Server, meta metadata, resource string, scopes []string) error {
	set := server.Settings
	c, ok := configuredClient(set, meta.TokenEndpointAuthMethodsSupported)
	if !ok && set.Grant != model.GrantWorkloadIdentity {
		return model.Errorf(model.CodeInvalid, "client_id is missing in the settings")
	}
	r.Client = c
	switch set.Grant {
	case model.GrantClientCredentials:
		if c.Method == model.ClientAuthNone {
			return model.Errorf(model.CodeInvalid, "client_secret or private_key is missing in the settings")
		}
		r.Form = url.Values{"grant_type": {"client_credentials"}}
	case model.GrantWorkloadIdentity:
		if set.Assertion.Text == "" {
			return model.Errorf(model.CodeInvalid, "assertion, the workload's JWT, is missing in the settings")
		}
		if !ok {
			r.Client = client{From: configured, Method: model.ClientAuthNone}
		}
		r.Form = url.Values{"grant_type": {grantJWTBearer}, "assertion": {set.Assertion.Text}}
	case model.GrantEnterprise:
		assertion, err := s.exchangeIdentity(ctx, set, meta.Issuer, resource, scopes)
		if err != nil {
			return err
		}
		r.Form = url.Values{"grant_type": {grantJWTBearer}, "assertion": {assertion}}
	}
	return nil
}

// exchangeIdentity has the company's identity provider turn its ID token into an
// assertion for one authorization server and one resource (RFC 8693).
func (s *Service) exchangeIdentity(ctx context.Context, set model.OAuth, audience, resource string, scopes []string) (string, error) {
	if set.IDPTokenEndpoint == "" || set.IDPIDToken.Text == "" || set.IDPClientID == "" {
		return "", model.Errorf(model.CodeInvalid, "idp_token_endpoint, idp_client_id or idp_id_token is missing in the settings")
	}
	h, err := s.client(set.IDPTokenEndpoint)
	if err != nil {
		return "", err
	}
	c := client{From: configured, ID: set.IDPClientID, Secret: set.IDPClientSecret.Text, Method: model.ClientAuthNone}
	if c.Secret != "" {
		c.Method = model.ClientAuthPost
	}
	form := url.Values{
		"grant_type": {grantTokenExchange}, "requested_token_type": {typeIDJAG}, "audience": {audience}, "resource": {resource},
		"subject_token": {set.IDPIDToken.Text}, "subject_token_type": {typeIDToken},
	}
	if len(scopes) > 0 {
		form.Set("scope", joined(scopes))
	}
	t, err := tokenRequest{Endpoint: set.IDPTokenEndpoint, Client: c, Form: form, HTTP: h}.send(ctx)
	if err != nil {
		return "", err
	}
	if t.IssuedType != typeIDJAG {
		return "", model.Errorf(model.CodeProtocol, "the identity provider %s gave another kind of token than an identity assertion (ID-JAG)", hostOf(set.IDPTokenEndpoint))
	}
	return t.Access, nil
}

// startMachine gets a token because a person said so.
func (s *Service) startMachine(ctx context.Context, a *account, server Server) (Pending, error) {
	s.update(a, func() { a.denied, a.need, a.note = false, nil, "" })
	err := s.change(ctx, a, func(r *record) *record {
		if r != nil && r.SignedOut {
			return nil
		}
		return r
	})
	if err != nil {
		return Pending{}, err
	}
	a.mu.Lock()
	used := ""
	if r := a.usable(); r != nil {
		used = r.Access
	}
	a.mu.Unlock()
	c, err := s.renew(ctx, a, server, used)
	if err != nil {
		return Pending{}, err
	}
	auth := s.Status(server.Name)
	if c == nil {
		return Pending{}, &model.Error{Code: model.CodeDenied, Message: auth.Message}
	}
	return Pending{Server: server.Name, Issuer: auth.Issuer, Host: hostOf(auth.Issuer), Scopes: auth.Scopes}, nil
}
