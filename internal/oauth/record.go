package oauth

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"kontor.dev/kontor/internal/model"
)

// record is what a sign-in gave, as it is stored. It is bound to the server's
// address, the issuer and the resource.
type record struct {
	Server   string           `json:"server"`
	Grant    model.OAuthGrant `json:"grant,omitempty"`
	Issuer   string           `json:"issuer"`
	Resource string           `json:"resource"`
	// Metadata is where the server's metadata was, for the next sign-in.
	Metadata string `json:"metadata,omitempty"`

	TokenEndpoint      string `json:"token_endpoint"`
	RevocationEndpoint string `json:"revocation_endpoint,omitempty"`
	Client             client `json:"client"`

	Access   string    `json:"access,omitempty"`
	Refresh  string    `json:"refresh,omitempty"`
	Type     string    `json:"type,omitempty"`
	Obtained time.Time `json:"obtained"`
	// Expires is zero when the authorization server didn't say.
	Expires time.Time `json:"expires,omitzero"`
	// Key is the DPoP key, a private JWK.
	Key json.RawMessage `json:"key,omitempty"`
	// Account is whom the person knows, Subject who that is to the issuer.
	Account string `json:"account,omitempty"`
	Subject string `json:"subject,omitempty"`

	// Scopes were granted, Requested were asked for, StepUp are to be asked for.
	Scopes    []string `json:"scopes,omitempty"`
	Requested []string `json:"requested,omitempty"`
	StepUp    []string `json:"step_up,omitempty"`

	// Renewing is when a refresh token was sent whose answer hasn't been stored.
	Renewing time.Time `json:"renewing,omitzero"`
	// Ended is why the tokens are gone.
	Ended string `json:"ended,omitempty"`
	// SignedOut is all that a sign-out leaves, beside what it was for: the next sign-in
	// asks as whom.
	SignedOut bool `json:"signed_out,omitempty"`
}

// belongs tells whether a record is for a server as it is configured.
func (r *record) belongs(s Server) bool {
	return r.Server == s.URL && grantOf(r.Grant) == grantOf(s.Settings.Grant)
}

func grantOf(g model.OAuthGrant) model.OAuthGrant {
	if g == "" {
		return model.GrantAuthorizationCode
	}
	return g
}

// early is how long before its end a token is renewed: a minute, or a fifth of a
// short life.
func (r *record) early() time.Duration {
	return min(time.Minute, r.Expires.Sub(r.Obtained)/5)
}

// due tells that the token should be renewed before it is used; without an end it
// is used until it is refused.
func (r *record) due(now time.Time) bool {
	return !r.Expires.IsZero() && !now.Before(r.Expires.Add(-r.early()))
}

func (r *record) expired(now time.Time) bool {
	return !r.Expires.IsZero() && !now.Before(r.Expires)
}

func (r *record) secrets() []string {
	all := []string{r.Access, r.Refresh, r.Client.Secret}
	var key struct{ D string }
	if json.Unmarshal(r.Key, &key) == nil {
		all = append(all, key.D)
	}
	return all
}

// with is the record with a new token in it. Scopes that aren't mentioned are
// those that were asked for (RFC 6749 §5.1), and a refresh token that isn't is the
// old one (§6).
func (r record) with(t token, now time.Time) *record {
	r.Access, r.Type, r.Obtained, r.Expires = t.Access, t.Type, now, time.Time{}
	if t.Life > 0 {
		r.Expires = now.Add(t.Life).UTC().Round(0) // as it is read back
	}
	if t.Refresh != "" {
		r.Refresh = t.Refresh
	}
	if t.Scopes != nil {
		r.Scopes = t.Scopes
	}
	if who := t.identity(); who.name != "" {
		r.Account, r.Subject = who.name, who.subject
	}
	r.Renewing, r.Ended = time.Time{}, ""
	return &r
}

// without is the record of a sign-in that is over: what is left is what the next
// one asks for and whom.
func (r record) without(why string) *record {
	r.Access, r.Refresh, r.Type, r.Key = "", "", "", nil
	r.Expires, r.Renewing, r.Ended = time.Time{}, time.Time{}, why
	r.StepUp = nil
	return &r
}

// ousts tells whether the tokens of the record before it are to be revoked: they are
// another account's, or another issuer's. Some issuers end all that an account has
// given when one token of it is revoked, the new one among it, so nothing is revoked
// where it isn't known that they are two.
func (r *record) ousts(before *record) bool {
	switch {
	case before == nil || before.Access == "" && before.Refresh == "":
		return false
	case before.Issuer != r.Issuer:
		return true
	}
	return before.Subject != "" && r.Subject != "" && before.Subject != r.Subject
}

// requested are the scopes that the last sign-in at an issuer asked for.
func (r *record) requested(server Server, issuer string) []string {
	if r == nil || !r.belongs(server) || r.Issuer != issuer {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Requested), func(s string) bool { return s == offlineAccess })
}

func joined(scopes []string) string { return strings.Join(scopes, " ") }
