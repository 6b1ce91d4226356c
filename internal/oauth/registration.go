package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"kontor.dev/kontor/internal/model"
)

// errRedirectRefused is a registration that was refused for its redirect URI.
var errRedirectRefused = errors.New("the redirect URI was refused")

// methodFor chooses how a client proves itself, by what it has and what the
// authorization server lists. Without a list it is RFC 8414's default.
func methodFor(secret, key bool, listed []string) string {
	switch {
	case secret && (len(listed) == 0 || slices.Contains(listed, model.ClientAuthBasic)):
		return model.ClientAuthBasic
	case secret && slices.Contains(listed, model.ClientAuthPost):
		return model.ClientAuthPost
	case key:
		return model.ClientAuthPrivateKeyJWT
	case secret:
		return model.ClientAuthBasic
	}
	return model.ClientAuthNone
}

// registrationMethod is what a registration asks for: to be a public client, which
// PKCE is enough for, or else a secret.
func registrationMethod(listed []string) string {
	for _, m := range []string{model.ClientAuthNone, model.ClientAuthBasic, model.ClientAuthPost} {
		if slices.Contains(listed, m) {
			return m
		}
	}
	return model.ClientAuthNone
}

// clientName is how Kontor calls itself on consent pages.
const clientName = "Kontor"

// applicationType follows OpenID Connect Dynamic Client Registration §2: what is
// reached on this machine is native, everything else a web application.
func applicationType(redirectURI string) string {
	if u, err := url.Parse(redirectURI); err == nil && loopback(u.Hostname()) {
		return "native"
	}
	return "web"
}

// registration is what is asked for at an authorization server: refresh tokens, too,
// unless it says that it has none.
func registration(meta metadata, redirectURI string, scopes []string) oauthex.ClientRegistrationMetadata {
	r := oauthex.ClientRegistrationMetadata{
		ClientName: clientName, RedirectURIs: []string{redirectURI}, ApplicationType: applicationType(redirectURI),
		TokenEndpointAuthMethod: registrationMethod(meta.TokenEndpointAuthMethodsSupported), ResponseTypes: []string{"code"},
		GrantTypes: []string{string(model.GrantAuthorizationCode)}, Scope: joined(scopes),
	}
	if listed := meta.GrantTypesSupported; len(listed) == 0 || slices.Contains(listed, "refresh_token") {
		r.GrantTypes = append(r.GrantTypes, "refresh_token")
	}
	return r
}

// registrationAnswer is read leniently: times come as numbers and as text.
type registrationAnswer struct {
	ID            string      `json:"client_id"`
	Secret        string      `json:"client_secret"`
	Method        string      `json:"token_endpoint_auth_method"`
	SecretExpires json.Number `json:"client_secret_expires_at"`

	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// client is what the answer says, which may be other than what was asked for.
func (r registrationAnswer) client(asked oauthex.ClientRegistrationMetadata) client {
	c := client{From: registered, ID: r.ID, Secret: r.Secret, Method: r.Method, RedirectURI: asked.RedirectURIs[0], Scopes: scopesOf(asked.Scope)}
	if c.Method == "" {
		c.Method = asked.TokenEndpointAuthMethod
	}
	if seconds, err := r.SecretExpires.Float64(); err == nil && seconds > 0 {
		c.SecretExpires = time.Unix(int64(seconds), 0)
	}
	return c
}

// register makes a client at an authorization server (RFC 7591).
func register(ctx context.Context, h *http.Client, meta metadata, redirectURI string, scopes []string) (client, error) {
	asked := registration(meta, redirectURI, scopes)
	host := hostOf(meta.RegistrationEndpoint)
	body, err := json.Marshal(asked)
	if err != nil {
		return client{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, meta.RegistrationEndpoint, bytes.NewReader(body))
	if err != nil {
		return client{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := h.Do(req)
	if err != nil {
		return client{}, model.Errorf(model.CodeServerUnavailable, "%s can't be reached to register: %w", host, reason(err))
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := readAll(resp)
	if err != nil {
		return client{}, model.Errorf(model.CodeServerUnavailable, "%s: its answer to the registration broke off: %w", host, err)
	}
	var answer registrationAnswer
	readable := json.Unmarshal(text, &answer) == nil
	switch {
	case resp.StatusCode/100 == 2 && readable && answer.ID != "":
		return checkRegistered(answer.client(asked), host)
	case resp.StatusCode/100 == 2:
		return client{}, model.Errorf(model.CodeProtocol, "%s answered the registration without a client id", host)
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return client{}, model.Errorf(model.CodeServerUnavailable, "%s can't register anybody just now: HTTP %d", host, resp.StatusCode)
	}
	cause := errors.New("")
	if answer.Error == "invalid_redirect_uri" || strings.Contains(strings.ToLower(answer.Description), "redirect") {
		cause = errRedirectRefused
	}
	return client{}, &model.Error{
		Code: model.CodeDenied, Err: cause,
		Message: host + " refused to register Kontor: HTTP " + resp.Status[:min(3, len(resp.Status))] + " " + foreign(answer.Error) + says(host, answer.Description),
	}
}

// checkRegistered refuses a client that we couldn't be.
func checkRegistered(c client, host string) (client, error) {
	switch c.Method {
	case model.ClientAuthNone:
		c.Secret = ""
	case model.ClientAuthBasic, model.ClientAuthPost:
		if c.Secret == "" {
			return client{}, model.Errorf(model.CodeProtocol, "%s registered Kontor for %s, but gave no secret", host, c.Method)
		}
	default:
		return client{}, model.Errorf(model.CodeProtocol, "%s registered Kontor for %s, which it can't do", host, foreign(c.Method))
	}
	return c, nil
}
