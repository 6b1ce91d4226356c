package oauth

import (
	"time"

	"kontor.dev/kontor/internal/model"
)

// clientSource is where a client identity comes from.
type clientSource string

const (
	configured clientSource = "configured" // typed in by the person
	document   clientSource = "document"   // a Client ID Metadata Document
	registered clientSource = "registered" // RFC 7591
)

// client is who Kontor is to an authorization server.
type client struct {
	From   clientSource `json:"from"`
	ID     string       `json:"id"`
	Secret string       `json:"secret,omitempty"`
	// SecretExpires is zero for a secret that doesn't.
	SecretExpires time.Time `json:"secret_expires,omitzero"`
	// Method is one of the model.ClientAuth constants.
	Method string `json:"method"`
	// RedirectURI and Scopes are what a registered client was registered with; no
	// Scopes is no limit.
	RedirectURI string   `json:"redirect_uri,omitempty"`
	Scopes      []string `json:"scopes,omitempty"`

	// key signs assertions; it is in the settings, never here on disk.
	key, keyID string
}

// good tells whether a registration can be used for a sign-in.
func (c client) good(scopes []string, now time.Time) bool {
	return c.ID != "" && (c.SecretExpires.IsZero() || now.Before(c.SecretExpires)) && (len(c.Scopes) == 0 || within(scopes, c.Scopes))
}

// words say which client it is.
func (c client) words(host string) string {
	switch c.From {
	case configured:
		return "client id " + foreign(c.ID) + ", from the settings"
	case document:
		return "client metadata document " + foreign(c.ID)
	case registered:
		return "registered at " + host + " as " + foreign(c.ID)
	}
	return ""
}

// configuredClient is the client that the person typed in; false when there is
// none. An authorization server that lists its methods decides between them.
func configuredClient(o model.OAuth, methods []string) (client, bool) {
	if o.ClientID == "" {
		return client{}, false
	}
	c := client{
		From: configured, ID: o.ClientID, Secret: o.ClientSecret.Text, Method: o.TokenEndpointAuthMethod,
		key: o.PrivateKey.Text, keyID: o.KeyID,
	}
	if c.Method == "" {
		c.Method = methodFor(c.Secret != "", c.key != "", methods)
	}
	return c, true
}

// current is the client of a record with what the settings say now: a person may
// have typed in a new secret.
func (c client) current(o model.OAuth) client {
	if now, ok := configuredClient(o, nil); ok && c.From == configured && now.ID == c.ID {
		if o.TokenEndpointAuthMethod == "" {
			now.Method = c.Method
		}
		return now
	}
	return c
}
