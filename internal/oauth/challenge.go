package oauth

import (
	"net/http"
	"slices"
	"strings"
)

// Limits of what a challenge may ask for. A server that asks for more is either
// broken or trying to fill a database.
const (
	maxScopes      = 64
	maxScopeLength = 256
)

// challenge is what a server's WWW-Authenticate fields ask for (RFC 9110 §11.6.1),
// the parameters of its Bearer and DPoP challenges taken together.
type challenge struct {
	// Metadata is resource_metadata (RFC 9728 §5.1), as sent.
	Metadata string
	// Scopes are those of scope (RFC 6750 §3).
	Scopes []string
	// Error and Description are error and error_description (RFC 6750 §3).
	Error, Description string
}

// parseChallenge reads a response's WWW-Authenticate fields. It is false when
// there are challenges, but none that OAuth could meet. Anything that can be
// understood is: half of the servers in use break the grammar somewhere.
func parseChallenge(h http.Header) (challenge, bool) {
	fields := h.Values("WWW-Authenticate")
	params, ours, others := map[string]string{}, false, false
	for _, field := range fields {
		s := scanner{rest: field}
		scheme := "bearer" // a field that begins with a parameter has forgotten it
		for {
			name, value, isParam, ok := s.next()
			if !ok {
				break
			}
			switch name = strings.ToLower(name); {
			case !isParam:
				scheme = name
				ours = ours || oauthScheme(scheme)
				others = others || !oauthScheme(scheme)
			case oauthScheme(scheme):
				ours = true
				if params[name] == "" {
					params[name] = value
				}
			}
		}
	}
	return challenge{
		Metadata: params["resource_metadata"], Scopes: scopesOf(params["scope"]),
		Error: params["error"], Description: params["error_description"],
	}, ours || !others
}

func oauthScheme(scheme string) bool { return scheme == "bearer" || scheme == "dpop" }

// scopesOf splits a scope parameter (RFC 6749 §3.3). What can't be a scope is left
// out, and everything after the first 64.
func scopesOf(text string) []string { return cleanScopes(strings.Fields(text)) }

func cleanScopes(scopes []string) []string {
	var clean []string
	for _, s := range scopes {
		if len(clean) < maxScopes && isScope(s) && !slices.Contains(clean, s) {
			clean = append(clean, s)
		}
	}
	return clean
}

func isScope(s string) bool {
	if s == "" || len(s) > maxScopeLength {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// scanner reads the schemes and parameters of one WWW-Authenticate field.
type scanner struct{ rest string }

// next is the next scheme (isParam false) or parameter. A token68, such as what
// follows Negotiate, comes as one of both, and concerns nobody.
func (s *scanner) next() (name, value string, isParam, ok bool) {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t,;")
		if s.rest == "" {
			return "", "", false, false
		}
		name = s.until(" \t,;=")
		after := strings.TrimLeft(s.rest, " \t")
		switch {
		case strings.HasPrefix(after, "="):
			s.rest = strings.TrimLeft(after[1:], " \t")
			if value = s.value(); isToken(name) {
				return name, value, true, true
			}
		case isToken(name): // else it is a word of a scope that isn't quoted
			return name, "", false, true
		}
	}
}

func (s *scanner) until(stops string) string {
	end := strings.IndexAny(s.rest, stops)
	if end < 0 {
		end = len(s.rest)
	}
	word := s.rest[:end]
	s.rest = s.rest[end:]
	return word
}

// value reads a parameter's value: a quoted string with its escapes, also in the
// wrong quotes or without an end, or whatever comes before a blank or comma.
func (s *scanner) value() string {
	if s.rest == "" || s.rest[0] != '"' && s.rest[0] != '\'' {
		return s.until(" \t,")
	}
	quote := s.rest[0]
	var text strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == quote:
			s.rest = s.rest[i+1:]
			return text.String()
		case c == '\\' && i+1 < len(s.rest):
			i++
			text.WriteByte(s.rest[i])
		default:
			text.WriteByte(c)
		}
	}
	s.rest = ""
	return text.String()
}

// isToken follows RFC 9110 §5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c > '~' || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}
