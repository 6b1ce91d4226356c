package model

import "time"

// Scope is what an API token may do.
type Scope string

// The scopes. Gateway is for the MCP endpoint alone.
const (
	ScopeFull    Scope = "full"
	ScopeRead    Scope = "read"
	ScopeGateway Scope = "gateway"
)

// Token is an API token as it is kept: the secret itself only as a hash.
type Token struct {
	ID, Name   string
	Scope      Scope
	Prefix     string // the first characters, to recognise it by
	Hash       []byte // SHA-256 of the whole token
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero for never
	LastUsedAt time.Time
}

// WebSession is one signed-in browser.
type WebSession struct {
	ID         string // public handle, for listing and revoking
	Hash       []byte // SHA-256 of the cookie's value
	UserAgent  string
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time
}
