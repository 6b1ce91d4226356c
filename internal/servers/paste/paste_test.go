package paste

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// show is a server as one line.
func show(s model.Server) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|", s.Name)
	if s.FriendlyName != "" {
		fmt.Fprintf(&b, "(%s)", s.FriendlyName)
	}
	if s.Transport == model.TransportHTTP {
		b.WriteString(s.URL)
	} else {
		fmt.Fprintf(&b, "%s %q", s.Command, s.Args)
	}
	for _, values := range []map[string]model.Value{s.Env, s.Headers} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			fmt.Fprintf(&b, " %s=%s", name, values[name].Text)
		}
	}
	if s.BearerToken.Text != "" {
		fmt.Fprintf(&b, " bearer=%s", s.BearerToken.Text)
	}
	if s.Cwd != "" {
		fmt.Fprintf(&b, " in %s", s.Cwd)
	}
	if !s.Enabled {
		b.WriteString(" off")
	}
	return b.String()
}

func TestText(t *testing.T) {
	t.Parallel()
	encoded := base64.StdEncoding.EncodeToString([]byte(`{"command":"npx","args":["-y","a"]}`))
	cases := []struct {
		name, text string
		format     Format
		servers    []string
		codes      string // of warnings, in order, each once
		skipped    int
	}{
		{"an address", " https://mcp.example.com/mcp?x=1\n", Address, []string{"|https://mcp.example.com/mcp?x=1"}, "", 0},
		{"an address in angle brackets", "<http://127.0.0.1:3001/mcp>", Address, []string{"|http://127.0.0.1:3001/mcp"}, "", 0},
		{"an address without a scheme", "localhost:3001/mcp", Address, []string{"|http://localhost:3001/mcp"}, "assumed", 0},
		{"a public one without", "mcp.example.com/mcp", Address, []string{"|https://mcp.example.com/mcp"}, "assumed", 0},
		{"a secret in the address", "https://h.example/mcp?api_key=abcdef12", Address, []string{"|https://h.example/mcp?api_key=abcdef12"}, "secret_in_url", 0},
		{"a reference in the address", "https://h.example/mcp?api_key=${env:KEY}", Address, []string{"|https://h.example/mcp?api_key=${KEY}"}, "", 0},

		{"a command line", `npx -y @modelcontextprotocol/server-filesystem "/srv/my docs" 'it''s'`, CommandLine,
			[]string{`|npx ["-y" "@modelcontextprotocol/server-filesystem" "/srv/my docs" "its"]`}, "", 0},
		{"assignments in front", `TOKEN=abc DIR="a b" uvx x-mcp --dir $DIR`, CommandLine, []string{`|uvx ["x-mcp" "--dir" "${DIR}"] DIR=a b TOKEN=abc`}, "", 0},
		{"a prompt, a folder, a broken line", "$ cd ~/src && \\\n  node \\\n  server.js", CommandLine, []string{`|node ["server.js"] in ${HOME}/src`}, "", 0},
		{"exports before it", "export A=1\nnode s.js # starts it", CommandLine, []string{`|node ["s.js"] A=1`}, "", 0},
		{"a Windows path", `"C:\Program Files\node\node.exe" C:\x\server.js --k='a\b'`, CommandLine,
			[]string{`|C:\Program Files\node\node.exe ["C:\\x\\server.js" "--k=a\\b"]`}, "", 0},
		{"a default, and dollars that are none", `run ${HOST:-localhost} --k='$$5' 100%`, CommandLine, []string{`|run ["${HOST:-localhost}" "--k=$$5" "100%"]`}, "", 0},
		{"a secret among the arguments", `npx x-mcp --api-key abcdef`, CommandLine, []string{`|npx ["x-mcp" "--api-key" "abcdef"]`}, "secret_in_args", 0},
		{"a bridge", `npx -y mcp-remote https://x.example/sse`, CommandLine, []string{`|npx ["-y" "mcp-remote" "https://x.example/sse"]`}, "bridge", 0},
		{"a Markdown fence", "Run this:\n```bash\nnpx x-mcp\n```\nThat's it.", CommandLine, []string{`|npx ["x-mcp"]`}, "", 0},

		{"claude mcp add", `claude mcp add --transport stdio paperless --env A=1 B=2 -- uvx paperless-mcp http://nas:8000`, ClaudeCode,
			[]string{`paperless|uvx ["paperless-mcp" "http://nas:8000"] A=1 B=2`}, "", 0},
		{"claude mcp add of an address", `claude mcp add -s user --transport http notion https://mcp.notion.com/mcp --header "Authorization: Bearer abc"`, ClaudeCode,
			[]string{"notion|https://mcp.notion.com/mcp bearer=abc"}, "", 0},
		{"claude mcp add without dashes", `claude mcp add fs npx -y server-fs /tmp`, ClaudeCode, []string{`fs|npx ["-y" "server-fs" "/tmp"]`}, "", 0},
		{"claude mcp add-json", `claude mcp add-json w '{"type":"stdio","command":"w","args":[]}'`, ClaudeCode, []string{`w|w []`}, "", 0},
		{"codex mcp add", `codex mcp add docs --env K=v -- npx docs-mcp`, Codex, []string{`docs|npx ["docs-mcp"] K=v`}, "", 0},
		{"codex mcp add of an address", `codex mcp add docs --url https://d.example/mcp --bearer-token-env-var TOK`, Codex, []string{"docs|https://d.example/mcp bearer=${TOK}"}, "", 0},
		{"code --add-mcp", `code --add-mcp '{"name":"x","command":"npx","args":["x"]}'`, VSCode, []string{`x|npx ["x"]`}, "", 0},
		{"another command of such a host", `claude mcp serve`, CommandLine, []string{`|claude ["mcp" "serve"]`}, "", 0},

		{"VS Code's link", `vscode:mcp/install?%7B%22name%22%3A%22x%22%2C%22command%22%3A%22npx%22%7D`, Link, []string{`x|npx []`}, "", 0},
		{"Cursor's link", `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=` + encoded, Link, []string{`a|npx ["-y" "a"]`}, "", 0},

		{"mcpServers, with a byte order mark and CRLF", "\uFEFF{\r\n\"mcpServers\":{\"a\":{\"command\":\"x\"}}}\r\n", ClaudeDesktop, []string{`a|x []`}, "", 0},
		{"a bare fragment", `"paperless": {
  "command": "uvx",
  "args": ["paperless-mcp", "http://nas-2.lan:8000"],
  "env": { "PAPERLESS_TOKEN": "f3b1" },
},`, ClaudeDesktop, []string{`paperless|uvx ["paperless-mcp" "http://nas-2.lan:8000"] PAPERLESS_TOKEN=f3b1`}, "", 0},
		{"a fragment with the brace of what was around it", "\"a\": {\"command\": \"x\"}\n}", ClaudeDesktop, []string{`a|x []`}, "", 0},
		{"a fragment of one entry", `"command": "npx", "args": ["x"]`, ClaudeDesktop, []string{`|npx ["x"]`}, "", 0},
		{"comments", "// mine\n{ /* all */ \"mcpServers\": {\"a\": {\"command\": \"x\", // the program\n},}}", ClaudeDesktop, []string{`a|x []`}, "", 0},
		{"what other hosts add", `{"mcpServers":{"a":{"command":"x","disabled":true,"alwaysAllow":["t"],"timeout":60,"env":{"PORT":8080,"B":true,"N":null}}}}`,
			ClaudeDesktop, []string{`a|x [] B=true N= PORT=8080 off`}, "value_not_copied left_out", 0},
		{"Windsurf's address", `{"mcpServers":{"a":{"serverUrl":"https://a.example/sse","headers":{"Authorization":"Bearer ${env:A}"}}}}`, ClaudeDesktop,
			[]string{"a|https://a.example/sse bearer=${A}"}, "", 0},
		{"Gemini", `{"mcpServers":{"a":{"httpUrl":"https://a.example/mcp","trust":true}}}`, Gemini, []string{"a|https://a.example/mcp"}, "left_out", 0},
		{"Claude Code's own file", `{"numStartups":3,"projects":{"/p":{"mcpServers":{"a":{"type":"stdio","command":"x","args":["y"]}}}},"mcpServers":{"a":{"type":"http","url":"https://a.example"}}}`,
			ClaudeCode, []string{"a|https://a.example", `a-2|(a)x ["y"]`}, "renamed", 0},
		{"VS Code, with inputs", `{"inputs":[{"type":"promptString","id":"api-key","description":"The key","password":true}],
			"servers":{"a":{"type":"stdio","command":"npx","args":["${workspaceFolder}/x"],"env":{"K":"${input:api-key}"}},"b":{"type":"sse","url":"https://b.example/sse"}}}`,
			VSCode, []string{`a|npx ["${workspaceFolder}/x"] K=${API_KEY}`, "b|https://b.example/sse"}, "reference", 0},
		{"VS Code's settings", `{"mcp":{"servers":{"a":{"command":"x"}}},"editor.fontSize":12}`, VSCode, []string{`a|x []`}, "", 0},
		{"Zed, both kinds", `{"theme":"x","context_servers":{"old":{"command":{"path":"p","args":["q"],"env":{"K":"v"}},"settings":{}},"new":{"source":"custom","command":"c","args":[]}, "ext":{"settings":{}}}}`,
			Zed, []string{`new|c []`, `old|p ["q"] K=v`}, "", 1},
		{"OpenCode", `{"mcp":{"a":{"type":"local","command":["npx","-y","x"],"environment":{"K":"{env:K}"},"enabled":false},"b":{"type":"remote","url":"https://b.example"}}}`,
			OpenCode, []string{`a|npx ["-y" "x"] K=${K} off`, "b|https://b.example"}, "", 0},
		{"Continue", `{"experimental":{"modelContextProtocolServers":[{"transport":{"type":"stdio","command":"uvx","args":["x"]}}]}}`, Continue, []string{`|uvx ["x"]`}, "", 0},
		{"Continue's newer kind", `{"mcpServers":[{"name":"My server","command":"uvx","env":{"K":"${{ secrets.MY_KEY }}"}}]}`, Continue, []string{`My-server|(My server)uvx [] K=${MY_KEY}`}, "renamed", 0},
		{"Goose", `{"extensions":{"a":{"type":"stdio","cmd":"npx","args":["x"],"envs":{"K":"v"}},"dev":{"type":"builtin","name":"dev"}}}`, Goose, []string{`a|npx ["x"] K=v`}, "", 1},
		{"Amp", `{"amp.mcpServers":{"a":{"command":"x"}}}`, Amp, []string{`a|x []`}, "", 0},
		{"Albedo", `{"mcp":{"servers":{"docs":{"type":"stdio","command":"/bin/docs","args":["--root"],"cwd":"/srv","env":{"T":{"env":"MY_T"}}},
			"search":{"type":"http","url":"https://s.example/mcp","bearerTokenEnvVar":"MY_S","enabledTools":["search"],"callTimeoutMs":30000}}}}`,
			Albedo, []string{`docs|/bin/docs ["--root"] T=${MY_T} in /srv`, "search|https://s.example/mcp bearer=${MY_S}"}, "", 0},
		{"pi-loops", "[[server]]\nname = \"filesystem\" # kind defaults to stdio\ncommand = \"npx\"\nargs = [\"-y\"]\n\n[[server]]\nname = \"hub\"\nkind = \"streamable_http\"\nendpoint = \"https://h.example/mcp\"\nauth = { kind = \"bearer\", token_keychain_ref = \"PI_MCP_TOKEN_HUB\" }\nrequest_timeout_ms = 30000\ninject_summary = true\n",
			PiLoops, []string{`filesystem|npx ["-y"]`, "hub|https://h.example/mcp bearer=${PI_MCP_TOKEN_HUB}"}, "reference", 0},
		{"Codex", "[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"x\"]\nenv = { K = \"v\" }\nenv_vars = [\"HOST\"]\nstartup_timeout_sec = 20\n\n[mcp_servers.b]\nurl = \"https://b.example\"\nenv_http_headers = { X = \"XV\" }\n",
			Codex, []string{`a|npx ["x"] HOST=${HOST} K=v`, "b|https://b.example X=${XV}"}, "", 0},
		{"Kontor's own list", `{"items":[{"name":"a","friendly_name":"A","transport":"http","url":"https://a.example","headers":{"K":{"set":true},"P":{"value":"v","plain":true}},"status":{"state":"ready"}}],"next":null}`,
			Kontor, []string{"a|(A)https://a.example K= P=v"}, "value_not_copied", 0},
		{"examples for values", `{"mcpServers":{"a":{"command":"x","env":{"K":"<YOUR_API_KEY>","T":"your-token-here","U":"fine"}}}}`, ClaudeDesktop, []string{`a|x [] K=<YOUR_API_KEY> T=your-token-here U=fine`}, "placeholder", 0},
		{"a whole line as the command", `{"mcpServers":{"a":{"command":"npx -y x"}}}`, ClaudeDesktop, []string{`a|npx ["-y" "x"]`}, "assumed", 0},
		{"a name of Kontor's own", `{"a":{"command":"x","env":{"K":"${KONTOR_KEY}"}}}`, ClaudeDesktop, []string{`a|x [] K=${KONTOR_KEY}`}, "reference", 0},
		{"one of two can be used", `{"mcpServers":{"a":{"command":"x"},"b":{"type":"ws","url":"wss://b"}}}`, ClaudeDesktop, []string{`a|x []`}, "", 1},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r, err := Text(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			var servers, codes []string
			for _, s := range r.Servers {
				servers = append(servers, show(s))
			}
			for _, w := range r.Warnings {
				if w.Message == "" {
					t.Errorf("%s has no words", w.Code)
				}
				codes = append(codes, w.Code)
			}
			if r.Format != tc.format || !slices.Equal(servers, tc.servers) {
				t.Errorf("got %s %q, want %s %q", r.Format, servers, tc.format, tc.servers)
			}
			if got := strings.Join(slices.Compact(codes), " "); got != tc.codes {
				t.Errorf("warnings: got %q, want %q: %v", got, tc.codes, r.Warnings)
			}
			if len(r.Skipped) != tc.skipped {
				t.Errorf("skipped: got %v, want %d", r.Skipped, tc.skipped)
			}
		})
	}
}

func TestLimitsAndDeliveryComeAlong(t *testing.T) {
	t.Parallel()
	r, err := Text("[[server]]\nname = \"a\"\nkind = \"http\"\nendpoint = \"https://h.example\"\nrequest_timeout_ms = 30000\ninject_and_run = true\n")
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Servers[0]; s.CallTimeout.Seconds() != 30 || s.Delivery != "inject_and_run" {
		t.Errorf("got %s, %q", s.CallTimeout, s.Delivery)
	}
}

func TestValuesAreSecretsButForWhatIsKnownToBeNone(t *testing.T) {
	t.Parallel()
	r, err := Text(`PATH=/a:/b TOKEN=t NAME=x npx x`)
	if err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]bool{"PATH": false, "TOKEN": true, "NAME": true} {
		if got := r.Servers[0].Env[name].Secret(); got != secret {
			t.Errorf("%s: secret %v, want %v", name, got, secret)
		}
	}
}

func TestWhatCantBeRead(t *testing.T) {
	t.Parallel()
	for text, words := range map[string]string{
		"":                                    "nothing to read",
		"\uFEFF \r\n":                         "nothing to read",
		strings.Repeat("x", MaxBytes+1):       "longer than 1 MiB",
		`{"mcpServers": {"a": {"command" "`:   "look at line 1, column",
		`{"mcpServers": {}}`:                  "no MCP server",
		`{"fontSize": 12}`:                    "no MCP server",
		`[1, 2]`:                              "none of the 2 entries",
		strings.Repeat("[", 20_000):           "nested too much",
		"[mcp_servers.a]\ncommand = \n":       "look at line 2",
		`npx x | tee log`:                     "| needs a shell",
		`npx x > log`:                         "a redirection needs a shell",
		`npx "x`:                              "a quote isn't closed",
		`node -e process.exit(3)`:             "such as ( or &, stands outside of quotes",
		`npx $(cat secret-token)`:             "$(…) needs a shell",
		`A=b`:                                 "names no program",
		`{"a":{"type":"ws","url":"wss://x"}}`: "WebSocket",
		`cursor://x/mcp/install?config=!!!`:   "the link holds no configuration",
	} {
		_, err := Text(text)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%.40q: got %v, want %q in it", text, err, words)
			continue
		}
		if model.CodeOf(err) == model.CodeInternal || strings.Contains(err.Error(), "secret-token") {
			t.Errorf("%.40q: got %s %v", text, model.CodeOf(err), err)
		}
	}
}

func TestAFileIsADocumentOnly(t *testing.T) {
	t.Parallel()
	if r, err := Document(`{"mcpServers":{"a":{"command":"x"}}}`); err != nil || len(r.Servers) != 1 {
		t.Errorf("got %v, %v", r, err)
	}
	for _, text := range []string{"root:x:0:0:root:/root:/bin/sh", "npx x", "https://a.example"} {
		if _, err := Document(text); err == nil || strings.Contains(err.Error(), "root") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"https://x.example/mcp", "A=b npx 'x", `{"mcpServers":{"a":{"command":["x"],"env":[{"name":"a"}]}}}`,
		"[[server]]\nname=1", "claude mcp add -e", `"a": {"url": "${input:}"}`, "vscode:mcp/install?%7B", "${a:-${b}}", `C:\x "`, "cd a && cd b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Text(text)
		if err == nil && len(r.Servers) == 0 {
			t.Error("neither a server nor an error")
		}
		for _, s := range r.Servers {
			if s.Name == "" {
				s.Name = "x"
			}
			if err := s.Validate(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
