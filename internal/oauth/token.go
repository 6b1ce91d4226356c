package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"kontor.dev/kontor/internal/model"
)

// tokenTimeout bounds one exchange with a token endpoint.
const tokenTimeout = 30 * time.Second

// tokenRequest is a request to a token endpoint, of whatever grant.
type tokenRequest struct {
	Endpoint, Issuer string
	Client           client
	// Form is what the grant sends, grant_type included.
	Form url.Values
	// HTTP is the guarded client.
	HTTP *http.Client
	// Prover makes DPoP proofs; nil for bearer tokens.
	Prover *prover
}

// token is a token endpoint's answer (RFC 6749 §5.1).
type token struct {
	Access, Refresh, Type string
	Life                  time.Duration // zero: not said
	Scopes                []string      // nil: not said
	IDToken               string
	IssuedType            string // RFC 8693 §2.2.1
}

func (t token) identity() person { return identity(t.IDToken) }

// tokenError is a token endpoint that gave none. Its words are for people.
type tokenError struct {
	Host string
	// Code is the OAuth error (RFC 6749 §5.2), or empty.
	Code string
	// Temporary says that asking again later may help; else it was refused.
	Temporary bool
	// Answered says that the authorization server is known to have done nothing.
	Answered bool
	words    string
}

// Error returns the words.
func (e *tokenError) Error() string { return e.words }

// send is the one place that talks to token endpoints.
func (r tokenRequest) send(ctx context.Context) (token, error) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	config := clientcredentials.Config{
		ClientID: r.Client.ID, TokenURL: r.Endpoint, EndpointParams: r.Form, AuthStyle: oauth2.AuthStyleInParams,
	}
	switch r.Client.Method {
	case model.ClientAuthBasic:
		config.ClientSecret, config.AuthStyle = r.Client.Secret, oauth2.AuthStyleInHeader
	case model.ClientAuthPost:
		config.ClientSecret = r.Client.Secret
	case model.ClientAuthPrivateKeyJWT:
		assertion, err := clientAssertion(r.Client, r.Issuer, time.Now())
		if err != nil {
			return token{}, model.Errorf(model.CodeInvalid, "oauth: %w", err)
		}
		config.EndpointParams = with(r.Form, "client_assertion_type", assertionType, "client_assertion", assertion)
	}
	client := *r.HTTP
	client.Transport = tokenTransport{base: transportOf(r.HTTP), prover: r.Prover}
	got, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, &client))
	if err != nil {
		return token{}, r.failure(err, config.EndpointParams)
	}
	return r.accept(got)
}

// accept reads an answer and refuses what isn't a token for requests.
func (r tokenRequest) accept(got *oauth2.Token) (token, error) {
	t := token{Access: got.AccessToken, Refresh: got.RefreshToken, Type: got.TokenType}
	t.IDToken, _ = got.Extra("id_token").(string)
	t.IssuedType, _ = got.Extra("issued_token_type").(string)
	if scope, ok := got.Extra("scope").(string); ok && strings.TrimSpace(scope) != "" {
		t.Scopes = scopesOf(scope)
	}
	if !got.Expiry.IsZero() {
		t.Life = max(0, time.Until(got.Expiry).Round(time.Second))
	}
	host := hostOf(r.Endpoint)
	switch kind := strings.ToLower(t.Type); {
	case t.IssuedType == typeIDJAG: // is no token, so its type says nothing
	case r.Prover != nil && kind != "dpop":
		return token{}, &tokenError{Host: host, words: host + " gave a token that isn't bound to our key, although DPoP was asked for"}
	case kind == "dpop" && r.Prover == nil:
		return token{}, &tokenError{Host: host, words: host + " gave a token that is bound to a key; turn on dpop for this server"}
	case kind != "" && kind != "bearer" && kind != "dpop":
		return token{}, &tokenError{Host: host, words: fmt.Sprintf("%s gave a token of an unknown type, %s", host, foreign(t.Type))}
	}
	if strings.ContainsFunc(t.Access, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return token{}, &tokenError{Host: host, words: host + " gave a token with characters that no token may have"}
	}
	return t, nil
}

// failure puts an error into words without what was sent.
func (r tokenRequest) failure(err error, form url.Values) error {
	host := hostOf(r.Endpoint)
	refused := (*oauth2.RetrieveError)(nil)
	if !errors.As(err, &refused) {
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
			return &tokenError{Host: host, Temporary: true, words: fmt.Sprintf("%s can't be reached: %v", host, wrapped.Err)}
		}
		// x/oauth2 repeats what it can't read, which may hold a token.
		return &tokenError{Host: host, Temporary: true, words: host + " sent an answer to the token request that can't be read"}
	}
	status := refused.Response.StatusCode
	e := &tokenError{Host: host, Code: foreign(refused.ErrorCode), Answered: true}
	switch e.Code {
	case "":
		e.Temporary = true // no answer of an authorization server, whatever it is
		e.words = fmt.Sprintf("%s answered the token request with HTTP %d", host, status)
		return e
	case "server_error", "temporarily_unavailable", "slow_down":
		e.Temporary = true
	default:
		e.Temporary = status >= 500 || status == http.StatusTooManyRequests
	}
	secrets := []string{r.Client.Secret}
	for _, name := range []string{"code", "code_verifier", "refresh_token", "assertion", "client_assertion", "subject_token"} {
		secrets = append(secrets, form.Get(name))
	}
	e.words = e.Code + says(host, without(refused.ErrorDescription, secrets))
	return e
}

// with is a copy of a form with more in it.
func with(form url.Values, pairs ...string) url.Values {
	c := make(url.Values, len(form)+len(pairs)/2)
	for k, v := range form {
		c[k] = v
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		c.Set(pairs[i], pairs[i+1])
	}
	return c
}

// tokenTransport says that JSON is wanted, since some answer with a form
// otherwise, adds the proof of DPoP, and tidies the answer.
type tokenTransport struct {
	base   http.RoundTripper
	prover *prover
}

// RoundTrip sends once, and once more with a nonce when that is all that lacked.
func (t tokenTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	for again := true; ; again = false {
		sent := req.Clone(req.Context())
		sent.Header.Set("Accept", "application/json")
		if t.prover != nil {
			if err := t.prover.sign(sent, ""); err != nil {
				return nil, err
			}
		}
		if req.GetBody != nil {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			_ = req.Body.Close()
			sent.Body = body
		}
		resp, err := t.base.RoundTrip(sent)
		if err != nil {
			return nil, err
		}
		if t.prover == nil || !t.prover.wantsNonce(resp) || !again {
			if err := tidy(resp); err != nil {
				return nil, err
			}
			return resp, nil
		}
		_ = resp.Body.Close()
	}
}

func transportOf(c *http.Client) http.RoundTripper {
	if c.Transport != nil {
		return c.Transport
	}
	return http.DefaultTransport
}
