package oauth

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"strings"

	"kontor.dev/kontor/internal/model"
)

const (
	callbackPath = "/oauth/callback"
	documentPath = "/oauth/client-metadata.json"
)

// ClientMetadata is Kontor's Client ID Metadata Document at a base URL, served at
// /oauth/client-metadata.json without a sign-in: its address is the client id.
func ClientMetadata(baseURL string) []byte {
	base := strings.TrimRight(baseURL, "/")
	data, err := json.MarshalIndent(struct {
		ClientID     string   `json:"client_id"`
		ClientName   string   `json:"client_name"`
		ClientURI    string   `json:"client_uri"`
		RedirectURIs []string `json:"redirect_uris"`
		Grants       []string `json:"grant_types"`
		Responses    []string `json:"response_types"`
		Method       string   `json:"token_endpoint_auth_method"`
		Type         string   `json:"application_type"`
	}{
		base + documentPath, clientName, base, []string{base + callbackPath},
		[]string{string(model.GrantAuthorizationCode), "refresh_token"}, []string{"code"}, model.ClientAuthNone, applicationType(base),
	}, "", "  ")
	if err != nil {
		return nil // strings always marshal
	}
	return data
}

// documentOf is the address of Kontor's own document, where an authorization
// server can be expected to reach it.
func documentOf(baseURL string) (string, bool) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "https" || loopback(u.Hostname()) || !strings.Contains(u.Hostname(), ".") {
		return "", false
	}
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil && (addr.IsPrivate() || addr.IsLinkLocalUnicast()) {
		return "", false
	}
	return strings.TrimRight(baseURL, "/") + documentPath, true
}
