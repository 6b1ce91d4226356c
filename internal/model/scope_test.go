package model

import (
	"maps"
	"strings"
	"testing"
)

func TestScopeWords(t *testing.T) {
	t.Parallel()
	const github, anybody = "https://github.com/login/oauth", "https://as.example"
	for _, c := range []struct{ issuer, scope, want string }{
		{anybody, "openid", "know who you are"},
		{anybody, "offline_access", "stay signed in until you sign out"},
		{anybody, "mcp:tools", "use the server’s tools"},
		{anybody, "read", "read all that you can see there"},
		{"https://api.linear.app", "read", "read all that you can see in Linear"},

		{github, "repo", "read and change all your repositories, private ones too"},
		{anybody, "repo", ""},
		{"https://evilgithub.com", "repo", ""},
		{"https://github.com.evil.example", "gist", ""},
		{github, "user:email", "read your e-mail addresses"},
		{anybody, "user:email", ""},
		{github, "read:packages", "read packages"},
		{"https://slack.com", "channels:history", "read messages in public channels"},
		{anybody, "channels:history", "read the history of channels"},
		{"https://auth.atlassian.com", "read:jira-work", "read projects and issues in Jira"},
		{anybody, "read:jira-work", "read jira work"},

		{anybody, "https://www.googleapis.com/auth/calendar", "see, change, share and delete your calendars"},
		{anybody, "https://www.googleapis.com/auth/unheard.of", ""},
		{anybody, "https://mail.google.com/", "read, write, send and delete all your mail, for good"},
		{anybody, "https://graph.microsoft.com/Mail.Send", "send Mail"},
		{anybody, "Files.ReadWrite.All", "read and change all Files"},
		{anybody, "api://0a1b/notes.read", "read notes"},

		{anybody, "read:org", "read org"},
		{anybody, "org:read", "read org"},
		{anybody, "notes.readonly", "read notes"},
		{anybody, "issues:create", "add issues"},
		{anybody, "crm.objects.contacts.write", "change crm objects contacts"},
		{anybody, "file_content:read", "read file content"},
		{anybody, "read_content", "read content"},
		{anybody, "PAYMENTS_READ", "read PAYMENTS"},
		{anybody, "tools/execute", "run tools"},
		{anybody, "read:all", "read everything"},
		{anybody, "admin:*", "administer everything"},

		{anybody, "", ""},
		{anybody, "write:", ""},
		{anybody, ":", ""},
		{anybody, "://", ""},
		{anybody, "super", ""},
		{anybody, "a:b", ""},
		{anybody, "notes:" + strings.Repeat("x", 300) + ":read", ""},
		{"://", "repo", ""},
	} {
		if got := ScopeWords(c.issuer, c.scope); got != c.want {
			t.Errorf("%s at %s = %q, want %q", c.scope, c.issuer, got, c.want)
		}
	}
}

func TestOnlyScopesWithWordsAreInWords(t *testing.T) {
	t.Parallel()
	got := ScopesInWords("https://as.example", "email", "frobnicate", "email", "notes:read")
	if want := map[string]string{"email": "see your e-mail address", "notes:read": "read notes"}; !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
