//go:build real

package real

import (
	"regexp"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// everythingQuestions are the tools of server-everything that ask the person.
func everythingQuestions() []run {
	const (
		form = "Please provide inputs for the following fields:"
		page = "Please open the link to complete this action."
	)
	link := func(t *testing.T, q kontor.Elicitation) {
		if q.Mode != "url" || q.URL != "https://example.com/a?b=c" || string(q.Schema) != "null" {
			t.Errorf("got mode %s, url %s, schema %s", q.Mode, q.URL, q.Schema)
		}
	}
	const linkArguments = `{"url": "https://example.com/a?b=c", "elicitationId": "id-1"}`
	return []run{
		{tool: "trigger-elicitation-request",
			answers: []answer{{form, "accept", `{"name": "Ada", "check": true, "email": "ada@example.com", "homepage": "https://example.com/", "birthdate": "1815-12-10", "integer": 7, "number": 2.5, "untitledMultipleSelectEnum": ["Piano", "Bass"], "titledSingleSelectEnum": "hero-2", "titledMultipleSelectEnum": ["fish-2", "fish-3"], "legacyTitledEnum": "pet-3"}`, allFields}},
			check:   filledIn},
		{tool: "trigger-elicitation-request", answers: []answer{{form, "decline", "", nil}},
			text: "❌ User declined to provide the requested information.\n\nRaw result: {\n  \"action\": \"decline\"\n}"},
		{tool: "trigger-elicitation-request", answers: []answer{{form, "cancel", "", nil}},
			text: "⚠️ User cancelled the elicitation dialog.\n\nRaw result: {\n  \"action\": \"cancel\"\n}"},
		{tool: "trigger-url-elicitation", arguments: linkArguments, answers: []answer{{page, "accept", "", link}},
			text: "✅ User completed the URL elicitation flow.\nElicitation ID: id-1\nURL: https://example.com/a?b=c\n\nRaw result: {\n  \"action\": \"accept\"\n}"},
		{tool: "trigger-url-elicitation", arguments: linkArguments, answers: []answer{{page, "decline", "", link}},
			text: "❌ User declined to open the URL (Elicitation ID: id-1).\n\nRaw result: {\n  \"action\": \"decline\"\n}"},
	}
}

func allFields(t *testing.T, q kontor.Elicitation) {
	if q.Mode != "form" || q.Server != "everything" || q.Tool != "trigger-elicitation-request" {
		t.Errorf("got %s of %s %s", q.Mode, q.Server, q.Tool)
	}
	for _, part := range []string{`"enumNames":["Cats"`, `"anyOf":[{"const":"fish-1","title":"Tuna"}`, `"oneOf":[{"const":"hero-1"`, `"format":"date"`, `"required":["name"]`} {
		if !strings.Contains(string(q.Schema), part) {
			t.Errorf("the form has no %s: %s", part, q.Schema)
		}
	}
}

var blanks = regexp.MustCompile(`\s+`)

// filledIn: what was left out took the schema's default.
func filledIn(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
	if len(c.Content) != 3 {
		t.Fatalf("got %+v", c.Content)
	}
	const user = "User inputs:\n- Name: Ada\n- Agreed to terms: true\n- Email: ada@example.com\n- Homepage: https://example.com/\n- Birthdate: 1815-12-10\n- Favorite Integer: 7\n- Favorite Number: 2.5"
	if got := c.Content[1].Text; got != user {
		t.Errorf("got %q, want %q", got, user)
	}
	raw := blanks.ReplaceAllString(c.Content[2].Text, "")
	for _, part := range []string{
		`"firstLine":"Itwasadarkandstormynight."`, `"untitledSingleSelectEnum":"Monica"`, `"untitledMultipleSelectEnum":["Piano","Bass"]`,
		`"titledSingleSelectEnum":"hero-2"`, `"titledMultipleSelectEnum":["fish-2","fish-3"]`, `"legacyTitledEnum":"pet-3"`,
	} {
		if !strings.Contains(raw, part) {
			t.Errorf("the server didn't get %s: %s", part, c.Content[2].Text)
		}
	}
}

// everythingLinkFirst: the server refuses the call until another link was opened
// (-32042); Kontor asks, and then sends the call again.
func everythingLinkFirst(t *testing.T, k *kontor.Kontor) {
	run{
		tool: "trigger-url-elicitation", arguments: `{"url": "https://example.com/second", "elicitationId": "id-2", "errorPath": true}`,
		answers: []answer{
			{"Open this link to satisfy the prerequisite, then retry the request.", "accept", "", func(t *testing.T, q kontor.Elicitation) {
				if q.URL != "https://modelcontextprotocol.io" {
					t.Errorf("the first link is %s", q.URL)
				}
			}},
			{"Please open the link to complete this action.", "accept", "", nil},
		},
		text: "✅ User completed the URL elicitation flow.\nElicitation ID: id-2\nURL: https://example.com/second\n\nRaw result: {\n  \"action\": \"accept\"\n}",
	}.on(t, k, "everything")
}
