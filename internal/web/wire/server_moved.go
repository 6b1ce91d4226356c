package wire

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// MovedSecrets names the stored secrets that the configuration keeps unseen and would
// send to another scheme, host or port than they were stored for.
func (c ServerConfig) MovedSecrets(old model.Server) []string {
	if old.Transport != model.TransportHTTP || c.URL == "" {
		return nil
	}
	var moved []string
	add := func(name string, sent Value, stored model.Value) {
		if stored.Secret() && (!sent.sent || sent.Keep) {
			moved = append(moved, name)
		}
	}
	if origin(c.URL) != origin(old.URL) {
		add("bearer_token", c.BearerToken, old.BearerToken)
		for name, v := range old.Headers {
			add("headers."+name, c.Headers[name], v)
		}
	}
	now := c.OAuth.Model(old.OAuth)
	sent := (&OAuth{}).secrets()
	if c.OAuth != nil {
		sent = c.OAuth.secrets()
	}
	for name, v := range old.OAuth.Secrets() {
		// The identity provider's have an address of their own; the others go where the
		// server says. A private key never leaves.
		from, to := old.URL, c.URL
		if strings.HasPrefix(name, "idp_") {
			from, to = old.OAuth.IDPTokenEndpoint, now.IDPTokenEndpoint
		}
		if name != "private_key" && to != "" && origin(from) != origin(to) {
			add("oauth."+name, *sent[name], *v)
		}
	}
	slices.Sort(moved)
	return moved
}

// origin is the scheme, host and port of an address; all of it where a variable keeps
// that from being told.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
