package servers

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/model"
)

// doctored is what a test of a configuration must come to.
type doctored struct {
	stages string // see shown
	code   model.Code
	// Each holds these words.
	message, evidence, fix string
}

func (want doctored) check(t *testing.T, r Report) {
	t.Helper()
	if got := shown(r); got != want.stages {
		t.Errorf("stages: got %q, want %q", got, want.stages)
	}
	var failed Stage
	for _, st := range r.Stages {
		if !st.OK && st.Code != CodeNotReached {
			failed = st
		}
	}
	if failed.Code != want.code {
		t.Errorf("code: got %q, want %q (%s)", failed.Code, want.code, failed.Message)
	}
	for what, pair := range map[string][2]string{
		"message": {failed.Message, want.message}, "evidence": {failed.Evidence, want.evidence}, "fix": {failed.Fix, want.fix},
	} {
		if !strings.Contains(pair[0], pair[1]) {
			t.Errorf("%s: %q is not in %q", what, pair[1], pair[0])
		}
	}
	if want.code != "" && (failed.Fix == "" || failed.Message == "") {
		t.Errorf("a failure without cause or fix: %+v", failed)
	}
}

func TestDoctorOfPrograms(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dies := func(words string) func(*model.Server) {
		return func(s *model.Server) {
			s.Env[childVariable] = model.Value{Text: "dies", Plain: true}
			s.Env["LAST_WORDS"] = model.Value{Text: words, Plain: true}
		}
	}
	const failsToStart = "parse variables spawn!"
	cases := map[string]struct {
		change func(s *model.Server)
		want   doctored
	}{
		"works":   {func(*model.Server) {}, doctored{stages: "parse variables spawn era handshake lists"}},
		"invalid": {func(s *model.Server) { s.Command = "" }, doctored{stages: "parse!", code: model.CodeInvalid, message: "command is missing", fix: "Correct"}},
		"missing variable": {func(s *model.Server) { s.Args = []string{"${NOPE}"} },
			doctored{stages: "parse variables!", code: model.CodeMissingVariable, fix: "Settings → Secrets"}},
		"not on the PATH": {func(s *model.Server) {
			s.Command, s.Env = "npx-of-nowhere", map[string]model.Value{"PATH": {Text: "/nowhere/bin", Plain: true}}
		}, doctored{failsToStart, codeCommandNotFound, `"npx-of-nowhere" not found in PATH "/nowhere/bin"`, "PATH: /nowhere/bin", "give its whole path"}},
		"elsewhere": {func(s *model.Server) {
			s.Command, s.Env = "sh", map[string]model.Value{"PATH": {Text: "/nowhere/bin", Plain: true}}
		}, doctored{failsToStart, codeCommandNotFound, "not found", "PATH:", "Add PATH to the environment: "}},
		"may not be executed": {func(s *model.Server) { s.Command = file("plain", "#!/bin/sh\n", 0o600) },
			doctored{failsToStart, codeNotExecutable, "may not be executed", "", "chmod"}},
		"another machine's": {func(s *model.Server) { s.Command = file("foreign", "\x00\x01no program", 0o700) },
			doctored{failsToStart, codeWrongPlatform, "can't execute", "", "kind of machine"}},
		"no interpreter": {func(s *model.Server) { s.Command = file("script", "#!/nowhere/node\n", 0o700) },
			doctored{failsToStart, codeNoInterpreter, "first line", "", "Install the program"}},
		"no folder": {func(s *model.Server) { s.Cwd = "/nowhere" }, doctored{failsToStart, codeFolderNotFound, `"/nowhere"`, "", "Make the folder"}},

		"exits": {dies("config.yaml: no such file\ntoken=abc123-and-more"),
			doctored{failsToStart, codeExited, "exited with code 7", "config.yaml: no such file\ntoken=•••", "Its last lines"}},
		"older Node":      {dies("npm error code EBADENGINE\nnpm error engine Not compatible"), doctored{failsToStart, codeNeedsNode, "code 7", "Not compatible\nPATH: ", "newer Node"}},
		"older Python":    {dies("× No solution found when resolving dependencies:\n╰─▶ paperless-mcp needs Python >=3.13,\n    but the interpreter is 3.11.2"), doctored{failsToStart, codeNeedsPython, "code 7", "interpreter is 3.11.2", "newer Python"}},
		"no package":      {dies("npm error code E404\nnpm error 404 Not Found"), doctored{failsToStart, codePackageNotFound, "", "E404", "how the package is spelt"}},
		"offline":         {dies("npm error request failed, reason: getaddrinfo ENOTFOUND the.registry"), doctored{failsToStart, codeNoRegistry, "", "ENOTFOUND", "online"}},
		"module missing":  {dies("Error: Cannot find module '/srv/dist/index.js'"), doctored{failsToStart, codeNeedsPackage, "", "Cannot find module", "npx or uvx"}},
		"port in use":     {dies("Error: listen EADDRINUSE: address already in use 127.0.0.1:3000"), doctored{failsToStart, codePortInUse, "", "3000", "another port"}},
		"setting missing": {dies("GITHUB_TOKEN environment variable is required"), doctored{failsToStart, codeMissingSetting, "", "GITHUB_TOKEN", "environment"}},
		"wrong arguments": {dies("error: unknown option '--sdtio'\nusage: x [--stdio]"), doctored{failsToStart, codeWrongArguments, "", "--sdtio", "arguments"}},
		"no right":        {dies("Error: EACCES: permission denied, open '/etc/x'"), doctored{failsToStart, codePermission, "", "/etc/x", "right"}},
		"ends at once": {func(s *model.Server) { s.Command, s.Args, s.Env = "/bin/sh", []string{"-c", ":"}, nil },
			doctored{failsToStart, codeExited, "code 0", "", "such as stdio"}},

		"silent": {func(s *model.Server) {
			s.Command, s.Args, s.Env, s.StartTimeout = "/bin/sh", []string{"-c", "echo waiting >&2; cat >/dev/null"}, nil, 2*time.Second
		}, doctored{"parse variables spawn era!", model.CodeTimeout, "within 2 s", "waiting", "more time"}},
		"writes a banner": {func(s *model.Server) {
			s.Command, s.Args, s.Env, s.StartTimeout = "/bin/sh", []string{"-c", "echo Welcome; cat >/dev/null"}, nil, 2*time.Second
		}, doctored{"parse variables spawn era!", codeStdoutNoise, "no MCP", "stdout: Welcome", "banner"}},
		"serves HTTP": {func(s *model.Server) {
			s.Command, s.Args, s.Env, s.StartTimeout = "/bin/sh", []string{"-c", "echo 'Server listening on http://localhost:3001/mcp' >&2; cat >/dev/null"}, nil, 2*time.Second
		}, doctored{"parse variables spawn era!", codeServesHTTP, "listens at an address", "3001", "its address instead"}},
		"another version": {func(s *model.Server) {
			s.Command, s.Args, s.Env = "/bin/sh", []string{"-c", `read l; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["1999-01-01"]}}}'; cat >/dev/null`}, nil
		}, doctored{"parse variables spawn era handshake!", codeNoCommonVersion, "1999-01-01", "", "Update"}},
	}
	r := real(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := child(t, "", "demo")
			tc.change(&s)
			tc.want.check(t, r.Test(t.Context(), s))
		})
	}
}

func TestDoctorOfAddresses(t *testing.T) {
	t.Parallel()
	answer := func(status int, contentType, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	get := func(*http.Request) *mcp.Server { return server }
	works := mcp.NewStreamableHTTPHandler(get, nil)
	noStream := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodGet {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		works.ServeHTTP(w, req)
	})
	const answers, refuses = "parse variables tcp era!", "parse variables tcp era authorization!"
	cases := map[string]struct {
		handler http.Handler
		change  func(*model.Server)
		want    doctored
	}{
		"works":          {works, nil, doctored{stages: "parse variables tcp era authorization handshake lists stream"}},
		"no stream":      {noStream, nil, doctored{"parse variables tcp era authorization handshake lists stream!", codeStreamFailed, "HTTP 502", "", "tools work"}},
		"a web page":     {answer(200, "text/html", "<title>Sign in</title>"), nil, doctored{answers, codeHTML, "a web page", "HTTP 200 OK, text/html\n<title>Sign in</title>", "often ends with /mcp"}},
		"a sign-in page": {answer(302, "text/html", "", "Location", "/login"), nil, doctored{answers, codeHTML, "redirects to", "HTTP 302", "MCP endpoint"}},
		"moved":          {answer(301, "text/html", "", "Location", "https://new.example/mcp"), nil, doctored{answers, codeRedirected, "https://new.example/mcp", "HTTP 301", "final address"}},
		"no such path":   {http.NotFoundHandler(), nil, doctored{answers, codeWrongPath, "HTTP 404", "404 page not found", "/sse"}},
		"sign-in":        {answer(401, "text/plain", "who?"), nil, doctored{refuses, model.CodeNeedsSignIn, "sign-in", "HTTP 401 Unauthorized", "sign in"}},
		"forbidden":      {answer(403, "text/plain", "host not allowed"), nil, doctored{refuses, codeForbidden, "403", "host not allowed", "token"}},
		"more rights": {answer(403, "text/plain", "", "WWW-Authenticate", `Bearer error="insufficient_scope"`), nil,
			doctored{refuses, model.CodeInsufficientScope, "more rights", "", "more rights"}},
		"busy":      {answer(429, "text/plain", ""), nil, doctored{answers, codeRateLimited, "429", "", "Wait"}},
		"down":      {answer(503, "text/plain", "no backend"), nil, doctored{answers, codeServerDown, "503", "no backend", "later"}},
		"broken":    {answer(500, "text/plain", "boom"), nil, doctored{answers, codeHTTPStatus, "500", "boom", "own log"}},
		"no MCP":    {answer(200, "image/png", "PNG"), nil, doctored{answers, model.CodeProtocol, "", "image/png", "MCP server"}},
		"wants TLS": {answer(400, "text/plain", "Client sent an HTTP request to an HTTPS server.\n"), nil, doctored{answers, codeTLSExpected, "TLS", "", "https://"}},
		"its own error": {answer(200, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"not you"}}`), nil,
			doctored{"parse variables tcp era authorization handshake!", model.CodeServerError, "not you", "", "log"}},
		"silent": {http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body) // only then is the client's leaving seen
			<-req.Context().Done()
		}), func(s *model.Server) { s.StartTimeout = time.Second }, doctored{answers, model.CodeTimeout, "within 1 s", "", "more time"}},
		"a secret in its answer": {answer(500, "text/plain", "bad token s3cret-of-mine"), func(s *model.Server) { s.BearerToken.Text = "s3cret-of-mine" },
			doctored{answers, codeHTTPStatus, "", "bad token •••", ""}},
	}
	r := real(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := httptest.NewServer(tc.handler)
			t.Cleanup(peer.Close)
			s := remote("", peer.URL+"/mcp")
			if tc.change != nil {
				tc.change(&s)
			}
			tc.want.check(t, r.Test(t.Context(), s))
		})
	}
}

func TestATestLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	r := real(t)
	s := child(t, "a", "dies")
	s.Env["LAST_WORDS"] = model.Value{Text: "bye", Plain: true}
	r.Test(t.Context(), s)
	if len(r.List()) > 0 || r.redactor.knows("abc123-and-more") {
		t.Error("the server or its secrets are kept")
	}
}

func TestElsewhere(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, v := range []string{"v18", "v22"} {
		folder := filepath.Join(home, ".nvm/versions/node", v, "bin")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "npx"), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	places := usualPlaces(home)[:10]
	if got, want := findIn(places, "npx"), filepath.Join(home, ".nvm/versions/node/v22/bin/npx"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := findIn(places, "uvx"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestEveryCodeIsExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/guide/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range append(slices.Collect(maps.Keys(fixes)), codeCommandNotFound, codeRedirected, CodeNotReached) {
		if !strings.Contains(string(text), fmt.Sprintf("\n| `%s` |", code)) {
			t.Errorf("%s is not in docs/guide/errors.md", code)
		}
	}
}
