package configtools

import (
	"encoding/json"
	"testing"

	"kontor.dev/kontor/internal/agent"
	"kontor.dev/kontor/internal/model"
)

// Rule 4: changing what the machine runs shows the whole command.
func TestThePersonSeesWhatAChangedServerRuns(t *testing.T) {
	t.Parallel()
	o, tools := newOffice()
	o.servers = []agent.Server{
		{Config: model.Server{Name: "files", Transport: model.TransportStdio, Command: "npx",
			Args: []string{"-y", "server-files", "/srv/my files", ""}, Cwd: "/srv",
			Env: map[string]model.Value{"TOKEN": {Text: "abcdefgh1234"}, "HOME": {Text: "/h", Plain: true}}}},
		{Config: model.Server{Name: "notes", Transport: model.TransportHTTP, URL: "https://notes.example/mcp?key=${NOTES}"}},
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{toggleItem, `{"kind":"mcp","id":"files","enabled":true}`,
			"Switches on the server files. It runs: npx -y server-files \"/srv/my files\" \"\"\nin the folder /srv\nwith HOME, TOKEN set in its environment"},
		{toggleItem, `{"kind":"mcp","id":"notes","enabled":false}`,
			"Switches off the server notes. It is reached at https://notes.example/mcp?key=${NOTES}"},
		{deleteMCP, `{"name":"notes"}`,
			"Deletes the server notes for good, with its settings and sign-in. It is reached at https://notes.example/mcp?key=${NOTES}"},
		{toggleItem, `{"kind":"mcp","id":"gone","enabled":true}`, ""},
		{toggleItem, `{"kind":"mcp","id":"files"}`, ""},
		{registerMCP, `{"name":"files","command":"rm"}`, ""},
		{deleteMCP, `[`, ""},
	} {
		plain, _, _ := tools.Tool(c.tool, nil)
		want := c.want
		if want == "" {
			want = plain.Description // the arguments say it, or it is refused
		}
		tool, asks, ok := tools.Tool(c.tool, json.RawMessage(c.arguments))
		if !ok || !asks || tool.Description != want {
			t.Errorf("%s %s: got %q, want %q", c.tool, c.arguments, tool.Description, want)
		}
	}
}
