package wire

import "kontor.dev/kontor/internal/model"

// Access says how the person can get in.
type Access struct {
	PasswordSet   bool   `json:"password_set"`
	PasswordFixed bool   `json:"password_fixed" doc:"It comes from KONTOR_PASSWORD_HASH and can't be changed here"`
	APIToken      bool   `json:"api_token" doc:"KONTOR_API_TOKEN was set at start"`
	BaseURL       string `json:"base_url" doc:"The address that browsers use"`
}

// SetPassword is the request to set or change the password. Current is needed
// when there is one.
type SetPassword struct {
	Current  string `json:"current,omitempty"`
	Password string `json:"password" minLength:"8" maxLength:"1024"`
}

// RemovePassword is the request to live without one.
type RemovePassword struct {
	Current string `json:"current"`
}

// WebSession is one signed-in browser.
type WebSession struct {
	ID         string `json:"id"`
	UserAgent  string `json:"user_agent"`
	Current    bool   `json:"current" doc:"The one that asks"`
	CreatedAt  Time   `json:"created_at"`
	LastSeenAt Time   `json:"last_seen_at"`
	ExpiresAt  Time   `json:"expires_at"`
}

// WebSessionOf is a session on the wire.
func WebSessionOf(s model.WebSession, current string) WebSession {
	return WebSession{
		ID: s.ID, UserAgent: s.UserAgent, Current: s.ID == current,
		CreatedAt: At(s.CreatedAt), LastSeenAt: At(s.LastSeenAt), ExpiresAt: At(s.ExpiresAt),
	}
}

// Token is an API token as it can be read: never the token itself.
type Token struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Scope      model.Scope `json:"scope" enum:"full,read,gateway"`
	Prefix     string      `json:"prefix" doc:"The first characters, to recognise it by"`
	CreatedAt  Time        `json:"created_at"`
	ExpiresAt  *Time       `json:"expires_at" nullable:"true"`
	LastUsedAt *Time       `json:"last_used_at" nullable:"true"`
}

// TokenOf is a token on the wire.
func TokenOf(t model.Token) Token {
	return Token{
		ID: t.ID, Name: t.Name, Scope: t.Scope, Prefix: t.Prefix,
		CreatedAt: At(t.CreatedAt), ExpiresAt: When(t.ExpiresAt), LastUsedAt: When(t.LastUsedAt),
	}
}

// CreateToken is the request for one.
type CreateToken struct {
	Name          string      `json:"name" minLength:"1" maxLength:"100"`
	Scope         model.Scope `json:"scope" enum:"full,read,gateway"`
	ExpiresInDays int         `json:"expires_in_days,omitempty" minimum:"0" maximum:"3650" doc:"0 for never"`
}

// CreatedToken holds the token itself, this once.
type CreatedToken struct {
	Token Token  `json:"token"`
	Value string `json:"value" doc:"kt_…; it is shown this once"`
}

// SecretName is a stored secret: its name, never its value.
type SecretName struct {
	Name string `json:"name"`
}

// PutSecret is the request to store one.
type PutSecret struct {
	Value string `json:"value" minLength:"1"`
}
