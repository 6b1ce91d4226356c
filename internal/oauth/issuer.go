package oauth

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"kontor.dev/kontor/internal/model"
)

const (
	serverSuffix = "oauth-authorization-server" // RFC 8414
	openIDSuffix = "openid-configuration"       // OpenID Connect Discovery 1.0
)

// metadata is an authorization server's (RFC 8414 §2).
type metadata struct {
	oauthex.AuthServerMeta
	DPoPAlgorithms []string `json:"dpop_signing_alg_values_supported"` // RFC 9449 §5.1
	// guessed says that there is no document: the endpoints are the defaults of
	// revision 2025-03-26.
	guessed bool
}

// issuerPlaces are where an authorization server's metadata may be, in the
// specification's order.
func issuerPlaces(issuer *url.URL) []string {
	path := strings.TrimRight(issuer.EscapedPath(), "/")
	places := []string{wellKnown(issuer, serverSuffix, path), wellKnown(issuer, openIDSuffix, path)}
	if path != "" {
		places = append(places, (&url.URL{Scheme: issuer.Scheme, Host: issuer.Host}).String()+path+"/.well-known/"+openIDSuffix)
	}
	return places
}

// issuer finds the metadata of an authorization server. A document of another
// issuer is never used (RFC 8414 §3.3): it is how one authorization server makes
// a client send another's codes to it.
func (d discovery) issuer(ctx context.Context, name string) (metadata, error) {
	u, err := checkEndpoint(name, d.plain())
	if err != nil || u.RawQuery != "" {
		if err == nil {
			err = errors.New("it has a query")
		}
		return metadata{}, model.Errorf(model.CodeProtocol, "%s names an authorization server, %s, that can't be used: %w", d.server.Host, foreign(name), err)
	}
	meta, err := d.first(ctx, issuerPlaces(u), func(got string) bool { return got == name })
	if absent := (*absentError)(nil); errors.As(err, &absent) {
		return metadata{}, model.Errorf(model.CodeProtocol, "the authorization server %s can't be used: %s", foreign(name), absent.why)
	} else if err != nil {
		return metadata{}, err
	}
	return meta, d.checkEndpoints(meta)
}

// legacy is the authorization server of a server without metadata of its own: its
// origin, with the default endpoints where that has no metadata either (revision
// 2025-03-26). We made the issuer's name up, so a slash at its end may differ.
func (d discovery) legacy(ctx context.Context) (metadata, error) {
	base := (&url.URL{Scheme: d.server.Scheme, Host: d.server.Host}).String()
	root, _ := url.Parse(base)
	meta, err := d.first(ctx, issuerPlaces(root), func(got string) bool { return strings.TrimSuffix(got, "/") == base })
	if absent := (*absentError)(nil); errors.As(err, &absent) {
		return metadata{guessed: true, AuthServerMeta: oauthex.AuthServerMeta{
			Issuer: base, AuthorizationEndpoint: base + "/authorize", TokenEndpoint: base + "/token", RegistrationEndpoint: base + "/register",
		}}, nil
	} else if err != nil {
		return metadata{}, err
	}
	return meta, d.checkEndpoints(meta)
}

// first is the first document of the right issuer. An *absentError says why there
// is none.
func (d discovery) first(ctx context.Context, places []string, right func(issuer string) bool) (metadata, error) {
	why := "it has no metadata, neither RFC 8414's nor OpenID's"
	var unreachable error
	for _, at := range places {
		var meta metadata
		err := getJSON(ctx, d.client, at, &meta)
		if absent := (*absentError)(nil); errors.As(err, &absent) {
			continue
		} else if err != nil {
			unreachable = err
			continue
		}
		if right(meta.Issuer) {
			return meta, nil
		}
		why = "its metadata is of another issuer, " + foreign(meta.Issuer)
	}
	if unreachable != nil {
		return metadata{}, unreachable
	}
	return metadata{}, &absentError{why}
}

// checkEndpoints refuses a whole document for one endpoint that mustn't be used.
func (d discovery) checkEndpoints(meta metadata) error {
	endpoints := []struct{ name, address string }{
		{"authorization_endpoint", meta.AuthorizationEndpoint}, {"token_endpoint", meta.TokenEndpoint},
		{"registration_endpoint", meta.RegistrationEndpoint}, {"revocation_endpoint", meta.RevocationEndpoint},
	}
	for _, e := range endpoints {
		if e.address == "" && e.name != "token_endpoint" {
			continue
		}
		if _, err := checkEndpoint(e.address, d.plain()); err != nil {
			return model.Errorf(model.CodeProtocol, "the authorization server %s can't be used: %s: %w", hostOf(meta.Issuer), e.name, err)
		}
	}
	return nil
}

// checkPKCE wants S256 (OAuth 2.1 §4.1.1). A list that is missing may be meant
// kindly by an older server, and the person may allow it; a list without S256
// means what it says.
func (m metadata) checkPKCE(allowMissing bool) error {
	methods := m.CodeChallengeMethodsSupported
	switch {
	case m.guessed, slices.Contains(methods, "S256"), len(methods) == 0 && allowMissing:
		return nil
	case len(methods) == 0:
		return &model.Error{
			Code:    model.CodeProtocol,
			Message: "the authorization server " + hostOf(m.Issuer) + " doesn't say that it protects codes with PKCE: code_challenge_methods_supported is missing from its metadata",
			Fix:     "If you trust it, turn on allow_without_s256 for this server.",
		}
	}
	return model.Errorf(model.CodeProtocol, "the authorization server %s doesn't protect codes with PKCE S256: its metadata lists only %s", hostOf(m.Issuer), foreign(strings.Join(methods, ", ")))
}

// checkBrowser says what the browser flow lacks.
func (m metadata) checkBrowser(settingsAllow bool) error {
	if m.AuthorizationEndpoint == "" {
		return model.Errorf(model.CodeProtocol, "the authorization server %s signs nobody in: it has no authorization_endpoint", hostOf(m.Issuer))
	}
	return m.checkPKCE(settingsAllow)
}
