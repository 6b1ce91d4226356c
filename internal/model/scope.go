package model

import (
	"net/url"
	"strings"
)

// ScopeWords says what a scope allows, to go on after "asks to be allowed to"; empty
// where that isn't known. A service's own names count at its own authorization server
// only: elsewhere the same word may mean anything. What is left is read by its form:
// a verb and what it is about, as in "read:org", "notes.write" and "Files.ReadWrite.All".
//
// The words are help and no promise: who shows them shows the scope, too.
func ScopeWords(issuer, scope string) string {
	if words := serviceScopes(issuer)[scope]; words != "" {
		return words
	}
	if words := knownScope(scope); words != "" {
		return words
	}
	return scopeByForm(scope)
}

// ScopesInWords are the words of the scopes that have some.
func ScopesInWords(issuer string, scopes ...string) map[string]string {
	words := map[string]string{}
	for _, scope := range scopes {
		if w := ScopeWords(issuer, scope); w != "" {
			words[scope] = w
		}
	}
	return words
}

// serviceScopes are the scopes of the service that an authorization server is of.
func serviceScopes(issuer string) map[string]string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	for host, scopes := range services {
		if u.Hostname() == host || strings.HasSuffix(u.Hostname(), "."+host) {
			return scopes
		}
	}
	return nil
}

// knownScope is for scopes whose names mean the same everywhere: those of OpenID
// Connect (Core 1.0, sections 5.4 and 11), those that hold their service's address, and
// those that MCP servers have agreed on by habit.
func knownScope(scope string) string {
	if rest, ok := strings.CutPrefix(scope, "https://www.googleapis.com/auth/"); ok {
		return googleScopes[rest]
	}
	switch scope {
	case "openid":
		return "know who you are"
	case "profile":
		return "see your name and picture"
	case "email":
		return "see your e-mail address"
	case "address":
		return "see your postal address"
	case "phone":
		return "see your phone number"
	case "offline_access", "offline", "refresh_token":
		return "stay signed in until you sign out"
	case "read":
		return "read all that you can see there"
	case "write":
		return "change all that you can change there"
	case "admin":
		return "administer all that you can administer there"
	case "mcp", "mcp:access", "mcp:connect":
		return "use the MCP server"
	case "mcp:tools":
		return "use the server’s tools"
	case "mcp:resources":
		return "read the server’s resources"
	case "mcp:prompts":
		return "use the server’s prompts"
	case "https://mail.google.com/":
		return "read, write, send and delete all your mail, for good"
	case "User.Read", "https://graph.microsoft.com/User.Read":
		return "sign you in and read your profile"
	}
	return ""
}

// maxScopeObject is how long a name may be that goes into a sentence, in bytes.
const maxScopeObject = 48

// scopeByForm reads a scope that is a verb and what it is about, in either order.
func scopeByForm(scope string) string {
	if _, rest, ok := strings.Cut(scope, "://"); ok { // the name is at the end
		scope = rest[strings.LastIndexByte(rest, '/')+1:]
	}
	parts := strings.FieldsFunc(scope, func(r rune) bool { return r == ':' || r == '.' || r == '/' })
	if len(parts) < 2 {
		parts = strings.FieldsFunc(scope, func(r rune) bool { return r == '_' || r == '-' })
	}
	last := len(parts) - 1
	if last < 1 {
		return ""
	}
	all := ""
	if last > 1 && strings.EqualFold(parts[last], "all") {
		all, last = "all ", last-1
	}
	verb, about := scopeVerb(parts[0]), parts[1:last+1]
	if verb == "" {
		verb, about = scopeVerb(parts[last]), parts[:last]
	}
	object := strings.NewReplacer("_", " ", "-", " ").Replace(strings.Join(about, " "))
	switch {
	case verb == "" || len(object) > maxScopeObject:
		return ""
	case object == "*" || strings.EqualFold(object, "all"):
		return verb + " everything"
	}
	return verb + " " + all + object
}

// scopeVerb is what a scope's verb allows; empty for what is none.
func scopeVerb(word string) string {
	switch strings.ToLower(word) {
	case "read", "readonly", "view", "get", "list":
		return "read"
	case "write", "edit", "update", "modify":
		return "change"
	case "readwrite":
		return "read and change"
	case "create", "add", "insert":
		return "add"
	case "delete", "remove":
		return "delete"
	case "admin":
		return "administer"
	case "manage":
		return "manage"
	case "send":
		return "send"
	case "search":
		return "search"
	case "execute", "run", "invoke":
		return "run"
	case "history":
		return "read the history of"
	}
	return ""
}
