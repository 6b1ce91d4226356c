package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

func TestWhichStoredSecretsWouldGoToAnotherHost(t *testing.T) {
	t.Parallel()
	old := stored() // https://s.example/mcp
	old.OAuth = model.OAuth{
		ClientSecret: model.Value{Text: "client"}, PrivateKey: model.Value{Text: "key"},
		IDPTokenEndpoint: "https://idp.example/token", IDPClientSecret: model.Value{Text: "idp"},
	}
	const all = "bearer_token headers.X-Key oauth.client_secret"
	for name, tc := range map[string]struct{ sent, want string }{
		"the same address":          {`{"url":"https://s.example/mcp"}`, ""},
		"another path":              {`{"url":"HTTPS://S.Example:443/other?a=b"}`, ""},
		"another host":              {`{"url":"https://s.example.evil/mcp"}`, all},
		"another port":              {`{"url":"https://s.example:8443/mcp"}`, all},
		"another scheme":            {`{"url":"http://s.example/mcp"}`, all},
		"a variable":                {`{"url":"https://${HOST}/mcp"}`, all},
		"kept by name":              {`{"url":"https://b.example","bearer_token":{"set":true},"headers":{"X-Key":{"set":true}},"oauth":{"client_secret":{"set":true}}}`, all},
		"written anew":              {`{"url":"https://b.example","bearer_token":"bearer-secret","headers":{"X-Key":"new"},"oauth":{"client_secret":"new"}}`, ""},
		"cleared":                   {`{"url":"https://b.example","bearer_token":null,"headers":{"X-Key":null},"oauth":{"client_secret":null}}`, ""},
		"to a program":              {`{"command":"/bin/true"}`, ""},
		"another identity provider": {`{"url":"https://s.example","oauth":{"idp_token_endpoint":"https://b.example/token"}}`, "oauth.idp_client_secret"},
	} {
		var c wire.ServerConfig
		if err := json.Unmarshal([]byte(tc.sent), &c); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.MovedSecrets(old), " "); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	if got := (wire.ServerConfig{URL: "https://new.example"}).MovedSecrets(model.Server{}); got != nil {
		t.Errorf("a new server: got %q", got)
	}
}
