package oauth

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseChallengeTakesWhatServersSend(t *testing.T) {
	t.Parallel()
	const at = "https://h/.well-known/oauth-protected-resource/mcp"
	meta := challenge{Metadata: at}
	full := challenge{Metadata: at, Scopes: []string{"files:read", "files:write"}, Error: "invalid_token", Description: `say "no", please`}
	for name, c := range map[string]struct {
		fields []string
		want   challenge
		ours   bool
	}{
		"none":                  {nil, challenge{}, true},
		"scheme alone":          {[]string{"Bearer"}, challenge{}, true},
		"quoted":                {[]string{`Bearer resource_metadata="` + at + `"`}, meta, true},
		"not quoted":            {[]string{"Bearer resource_metadata=" + at}, meta, true},
		"wrong quotes":          {[]string{"Bearer resource_metadata='" + at + "'"}, meta, true},
		"no end":                {[]string{`Bearer resource_metadata="` + at}, meta, true},
		"blanks around =":       {[]string{`Bearer  resource_metadata =  "` + at + `" `}, meta, true},
		"odd case":              {[]string{`BEARER Resource_Metadata="` + at + `"`}, meta, true},
		"all":                   {[]string{`Bearer realm="x", error="invalid_token", error_description="say \"no\", please", scope="files:read files:write", resource_metadata="` + at + `"`}, full, true},
		"blanks for commas":     {[]string{`Bearer error="invalid_token" error_description="say \"no\", please" scope="files:read files:write" resource_metadata=` + at}, full, true},
		"no scheme":             {[]string{`resource_metadata="` + at + `"`}, meta, true},
		"empty value":           {[]string{`Bearer error="", resource_metadata="` + at + `"`}, meta, true},
		"before others":         {[]string{`Bearer resource_metadata="` + at + `", Basic realm="resource_metadata=x"`}, meta, true},
		"after others":          {[]string{`Basic realm="a, Bearer b", Negotiate YIIa+/==, Bearer resource_metadata="` + at + `"`}, meta, true},
		"of another scheme":     {[]string{`Basic resource_metadata="x"`}, challenge{}, false},
		"several fields":        {[]string{`Basic realm="x"`, `Bearer resource_metadata="` + at + `"`}, meta, true},
		"several of ours":       {[]string{`Bearer realm="x", Bearer resource_metadata="` + at + `", DPoP algs="ES256"`}, meta, true},
		"DPoP alone":            {[]string{`DPoP error="use_dpop_nonce", resource_metadata="` + at + `"`}, challenge{Metadata: at, Error: "use_dpop_nonce"}, true},
		"only others":           {[]string{"Negotiate", `Basic realm="x"`}, challenge{}, false},
		"scope without quotes":  {[]string{"Bearer scope=files:read files:write, error=x"}, challenge{Scopes: []string{"files:read"}, Error: "x"}, true},
		"the first of two":      {[]string{`Bearer error="a", error="b"`}, challenge{Error: "a"}, true},
		"commas and semicolons": {[]string{`Bearer ,, ; error="a";scope="b"`}, challenge{Error: "a", Scopes: []string{"b"}}, true},
		"scopes that can't be":  {[]string{`Bearer scope="a\\ ` + "b\x7f \u00e9 a c" + `"`}, challenge{Scopes: []string{"a", "c"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ours := parseChallenge(http.Header{"Www-Authenticate": c.fields})
			if !reflect.DeepEqual(got, c.want) || ours != c.ours {
				t.Errorf("parseChallenge(%q)\n = %+v, %v\nwant %+v, %v", c.fields, got, ours, c.want, c.ours)
			}
		})
	}
}

func TestParseChallengeHasLimits(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 500 {
		many.WriteString(" s" + strings.Repeat("x", i))
	}
	got, _ := parseChallenge(http.Header{"Www-Authenticate": {`Bearer scope="` + many.String() + `"`}})
	if len(got.Scopes) != maxScopes {
		t.Errorf("%d scopes of 500, want %d", len(got.Scopes), maxScopes)
	}
	if long := scopesOf(strings.Repeat("x", maxScopeLength+1)); long != nil {
		t.Errorf("a scope of %d characters is taken", len(long[0]))
	}
}

func FuzzParseChallenge(f *testing.F) {
	for _, seed := range []string{
		"", "Bearer", `Bearer a="b", c=d`, `Bearer a="\`, `Basic abc==, Bearer scope="x y"`, `=`, `,;= "`, `Bearer a='b`, "a=\"b\"\xff", `Negotiate =`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		got, _ := parseChallenge(http.Header{"Www-Authenticate": {field}})
		if len(got.Scopes) > maxScopes {
			t.Errorf("%d scopes", len(got.Scopes))
		}
		for _, s := range got.Scopes {
			if !isScope(s) {
				t.Errorf("%q is no scope", s)
			}
		}
		if n := utf8.RuneCountInString(says("h", got.Description)); n > maxForeign+20 {
			t.Errorf("%d characters of a stranger", n)
		}
		// What a server means stays the same when it writes it properly.
		again, ok := parseChallenge(http.Header{"Www-Authenticate": {"Bearer error=" + quoted(got.Error) + ", resource_metadata=" + quoted(got.Metadata)}})
		if !ok || again.Error != got.Error || again.Metadata != got.Metadata {
			t.Errorf("%q: %+v, written properly %+v", field, got, again)
		}
	})
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
