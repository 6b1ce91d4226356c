package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"kontor.dev/kontor/internal/model"
)

// identify makes the flow's client, in the specification's order: what the person
// typed in, a Client ID Metadata Document, a registration, or else a form that
// asks for a client id.
func (s *Service) identify(ctx context.Context, a *account, f *flow) error {
	set := f.server.Settings
	if err := s.redirect(f); err != nil {
		return err
	}
	if c, ok := configuredClient(set, f.meta.TokenEndpointAuthMethodsSupported); ok {
		f.client = c
		return nil
	}
	a.mu.Lock()
	unanswered := a.unanswered
	f.scoped = a.scoped
	a.mu.Unlock()
	if c, own, ok := s.documentClient(f); ok && (!own || !unanswered || f.meta.RegistrationEndpoint == "") {
		f.client, f.reused = c, own
		return nil
	}
	if f.meta.RegistrationEndpoint == "" {
		return needsClient(f, "", nil)
	}
	err := s.registered(ctx, f, unanswered)
	if errors.Is(err, errRedirectRefused) && f.listener == nil && set.RedirectURI == "" {
		if f.listener, err = s.listen(); err != nil {
			return err
		}
		f.RedirectURI = f.listener.redirectURI
		err = s.registered(ctx, f, unanswered)
	}
	if err == nil || model.CodeOf(err) != model.CodeDenied {
		return err
	}
	return needsClient(f, err.Error()+". ", err)
}

// redirect decides where the browser comes back to. Authorization servers take
// plain http only on the person's own machine.
func (s *Service) redirect(f *flow) (err error) {
	f.RedirectURI = s.base() + callbackPath
	if set := f.server.Settings.RedirectURI; set != "" {
		f.RedirectURI = set
		if address, path, ok := listenFor(set, s.base()); ok {
			if f.listener, err = s.listenAt(address, path); err != nil {
				s.o.Log.Warn("nobody listens for the browser's answer; its address can be pasted", "server", f.Server, "error", err)
			}
		}
		return nil
	}
	base, err := url.Parse(s.base())
	if err != nil {
		return model.Errorf(model.CodeInvalid, "the base URL is no URL")
	}
	if base.Scheme == "http" && !loopback(base.Hostname()) {
		if f.listener, err = s.listen(); err != nil {
			return err
		}
		f.RedirectURI = f.listener.redirectURI
	}
	return nil
}

// documentClient is the client whose id is the address of its metadata. own says
// that the document is Kontor's: it holds the redirect at the base URL only.
func (s *Service) documentClient(f *flow) (c client, own, ok bool) {
	if !f.meta.ClientIDMetadataDocumentSupported {
		return client{}, false, false
	}
	c = client{From: document, ID: f.server.Settings.ClientMetadataURL, Method: model.ClientAuthNone}
	if c.ID != "" {
		return c, false, true
	}
	c.ID, ok = documentOf(s.base())
	return c, true, ok && f.RedirectURI == s.base()+callbackPath
}

// registered uses the registration at the flow's issuer, or makes one. One that a
// browser didn't come back from is not used again.
func (s *Service) registered(ctx context.Context, f *flow, anew bool) error {
	data, err := s.o.Store.OAuthClient(ctx, f.meta.Issuer, f.RedirectURI)
	if err != nil && model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	var c client
	known := err == nil && json.Unmarshal(data, &c) == nil
	if known && !anew && c.good(f.Scopes, s.now()) {
		f.client, f.reused = c, true
		return nil
	}
	h, err := s.client(f.server.URL)
	if err != nil {
		return err
	}
	f.scoped = f.scoped || known && len(c.Scopes) > 0
	var scopes []string
	if f.scoped {
		scopes = f.Scopes
	}
	if c, err = register(ctx, h, f.meta, f.RedirectURI, scopes); err != nil {
		return err
	}
	f.client, f.reused = c, false
	if data, err = json.Marshal(c); err != nil {
		return err
	}
	return s.o.Store.PutOAuthClient(ctx, f.meta.Issuer, f.RedirectURI, data)
}

// disown deletes a registration that the authorization server doesn't know any
// more.
func (s *Service) disown(ctx context.Context, issuer string, c client) {
	if c.From != registered {
		return
	}
	if err := s.o.Store.DeleteOAuthClient(ctx, issuer, c.RedirectURI); err != nil && model.CodeOf(err) != model.CodeNotFound {
		s.o.Log.Warn("a registration that isn't valid any more can't be deleted", "issuer", hostOf(issuer), "error", err)
	}
}

func needsClient(f *flow, why string, cause error) error {
	host := hostOf(f.meta.Issuer)
	return &NeedsClientError{Issuer: f.meta.Issuer, RedirectURI: f.RedirectURI, err: &model.Error{
		Code: model.CodeInvalid, Err: cause,
		Message: why + host + " registers no clients by itself: a client id is needed",
		Fix:     "Register Kontor at " + host + " with the redirect address " + f.RedirectURI + ", and type in the client id (and secret) that it gives you.",
	}}
}
