package whole

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/test/kontor"
)

// Everything that Kontor is trusted with, given in every way that there is, to
// servers that repeat it wherever they can: on stderr, on stdout, in errors, in the
// bodies of refusals.
func TestASecretGoesToItsServerAndNowhereElse(t *testing.T) {
	t.Parallel()
	p := planted{
		"env":                 `env-4f1c/"quoted"+&<x>=9`,
		"header":              `header-77ab/"q"+&<x>=2`,
		"bearer":              `bearer-0c3d.~+/ey=`,
		"a sealed secret":     `sealed-5e2f/"q"+&<x>=7`,
		"Kontor's own env":    `inherited-91aa/"q"+&<x>`,
		"args":                `argument-33cd/"q"+&<x>`,
		"url":                 `address-66fe-path-part`,
		"cwd":                 `folder-12cc-missing`,
		"an answer":           `answer-8b8b/"q"+&<x>=4`,
		"the password":        `correct-horse-battery-4471`,
		"KONTOR_API_TOKEN":    kontor.Token,
		"a missing program":   `program-58d0-missing`,
		"a server not to run": `disabled-20ef/"q"+&<x>`,
	}
	remote := newRemote(t) // ends after Kontor, which holds a stream of it open
	k := kontor.Start(t, kontor.Options{Env: []string{"INHERITED=" + p["Kontor's own env"], "KONTOR_LOG_LEVEL=debug"}})
	events := k.Listen()
	plantSecrets(t, k, p)
	received := filepath.Join(t.TempDir(), "received")
	addTrusting(t, k, p, received, remote.URL)
	watchAll(t, k, events)
	token := k.Command("token", "create", "phone")
	p["a token"] = token

	gotItsSecrets(t, p, read(t, received), remote)
	exercise(t, k, p)

	searchAnswers(t, k, p)
	p.search(t, "the socket", []byte(events.Text()))
	p.searchFolder(t, k.Data) // with a write-ahead log
	k.Stop()
	p.searchFolder(t, k.Data) // folded together
	p.search(t, "stderr of Kontor", []byte(k.Stderr()))
	p.search(t, "stdout of Kontor", []byte(k.Stdout()))
}

func plantSecrets(t *testing.T, k *kontor.Kontor, p planted) {
	t.Helper()
	for name, source := range map[string]string{
		"SEALED": "a sealed secret", "ARGUMENT": "args", "ADDRESS": "url", "FOLDER": "cwd", "PROGRAM": "a missing program",
	} {
		k.Send(http.StatusNoContent, http.MethodPut, "/api/secrets/"+name, map[string]string{"value": p[source]}, nil)
	}
	k.Send(http.StatusNoContent, http.MethodPut, "/api/access/password", map[string]string{"password": p["the password"]}, nil)
}

// addTrusting adds servers that get the secrets, and some that can't start because
// of one.
func addTrusting(t *testing.T, k *kontor.Kontor, p planted, received, remote string) {
	t.Helper()
	env := map[string]any{
		fakeVar: plain("leaky"), "API_KEY": p["env"], "SEALED": "${SEALED}", "INHERITED": "${INHERITED}",
	}
	remoteSecrets := func(path string) kontor.Config {
		return kontor.Config{
			"url":     remote + path,
			"headers": map[string]any{"X-Api-Key": p["header"]}, "bearer_token": p["bearer"],
		}
	}
	k.Add("leaky", fake(t, "leaky", received, "${ARGUMENT}").With("env", env))
	k.Add("remote", remoteSecrets("/mcp"))
	k.Add("refusing", remoteSecrets("/refuse/${ADDRESS}"))
	k.Add("moving", remoteSecrets("/move/${ADDRESS}"))
	k.Add("nowhere", fake(t, "leaky", received, "x").With("cwd", "/no/${FOLDER}/here"))
	k.Add("missing", kontor.Config{"command": "kontor-test-no-such-program", "args": []string{"${PROGRAM}"}})
	k.Add("idle", fake(t, "leaky").With("env", map[string]any{"KEY": p["a server not to run"]}).With("enabled", false))
	k.Add("demo", kontor.Demo())
	for _, name := range []string{"leaky", "remote", "demo"} {
		k.AwaitState(name, "ready")
	}
	for _, name := range []string{"refusing", "moving", "nowhere", "missing"} {
		k.AwaitServer(name, "refused", func(s kontor.Server) bool { return s.Status.LastError != nil })
	}
	refused := k.Refused(http.StatusUnprocessableEntity, http.MethodPost, "/api/servers?verify=true",
		remoteSecrets("/refuse/${ADDRESS}").With("name", "tried"))
	text, _ := json.Marshal(refused)
	p.search(t, "the refusal of a server that was tried", text)
}

func watchAll(t *testing.T, k *kontor.Kontor, events *kontor.Events) {
	t.Helper()
	for name := range k.Servers() {
		if err := events.Watch(name); err != nil {
			t.Fatal(err)
		}
	}
}

// gotItsSecrets makes sure that there was something to leak.
func gotItsSecrets(t *testing.T, p planted, received []byte, remote *remote) {
	t.Helper()
	var got struct{ Env, Args []string }
	if err := json.Unmarshal(received, &got); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(append(got.Env, got.Args...), "\n")
	for _, source := range []string{"env", "a sealed secret", "Kontor's own env", "args"} {
		if !strings.Contains(all, p[source]) {
			t.Errorf("the stdio server didn't get the secret from %s", source)
		}
	}
	seen := remote.text()
	for _, source := range []string{"header", "bearer", "url"} {
		if !strings.Contains(seen, p[source]) {
			t.Errorf("the HTTP server didn't get the secret from %s: %s", source, seen)
		}
	}
}

// exercise makes the servers repeat the secrets, and gives one to ask_secret.
func exercise(t *testing.T, k *kontor.Kontor, p planted) {
	t.Helper()
	if got := k.Call("mcp__leaky__refuse", `{}`); got.State != "failed" || got.Error == nil || !strings.Contains(got.Error.Message, "wrong key") {
		t.Errorf("got %s with %+v, want the server's error", got.State, got.Error)
	}
	for _, mark := range []string{"format", "write_only", "name"} {
		call := k.StartCall("mcp__demo__ask_secret", `{"marked_by": "`+mark+`"}`)
		question := k.Question(call.ID)
		page(t, k, "/inbox/"+question.ID)
		field := "value"
		if mark == "name" {
			field = "api_token"
		}
		content, _ := json.Marshal(map[string]string{field: p["an answer"]})
		wrong, _ := json.Marshal(map[string]any{field: p["an answer"], "surplus": map[string]string{"x": p["an answer"]}, "n": []string{p["an answer"]}})
		refusal, err := k.As(kontor.Token).Do(http.MethodPost, kontor.ResolvePath(question.ID), kontor.AnswerBody("accept", `[`+string(wrong)+`]`))
		if err != nil || refusal.Status != http.StatusUnprocessableEntity {
			t.Errorf("a list for an object: status %d, %v, want 422", refusal.Status, err)
		}
		p.search(t, "the refusal of an answer", refusal.Body)
		k.Answer(question.ID, "accept", string(content))
		got := k.AwaitCall(call.ID, "settled", kontor.Call.Settled)
		var result struct{ Length int }
		if err := json.Unmarshal(got.Result, &result); err != nil || result.Length != len(p["an answer"]) {
			t.Errorf("the server got an answer of %d characters, %v, want %d: %s %+v", result.Length, err, len(p["an answer"]), got.Result, got.Error)
		}
	}
	k.Call("mcp__leaky__die", `{}`)
	k.AwaitServer("leaky", "in trouble after it died", func(s kontor.Server) bool { return s.Status.LastError != nil })
	k.AwaitState("leaky", "ready")
}

// page reads a page as a browser does.
func page(t *testing.T, k *kontor.Kontor, path string) []byte {
	t.Helper()
	got, err := k.As(kontor.Token).With(map[string]string{"Accept": "text/html"}).Do(http.MethodGet, path, nil)
	if err != nil || got.Status != http.StatusOK {
		t.Fatalf("GET %s: status %d, %v: %s", path, got.Status, err, got.Body)
	}
	return got.Body
}

// searchAnswers reads everything that can be read.
func searchAnswers(t *testing.T, k *kontor.Kontor, p planted) {
	t.Helper()
	paths := []string{
		"/api/servers", "/api/tools", "/api/calls", "/api/resources", "/api/prompts", "/api/inbox", "/api/secrets",
		"/api/access", "/api/access/sessions", "/api/tokens", "/api/settings", "/api/about", "/api/openapi.json", "/api/docs",
	}
	for name := range k.Servers() {
		paths = append(paths, "/api/servers/"+name, "/api/servers/"+name+"/logs?tail=500")
	}
	var calls struct{ Items []kontor.Call }
	k.Get("/api/calls", &calls)
	for _, c := range calls.Items {
		paths = append(paths, "/api/calls/"+c.ID)
	}
	for _, path := range paths {
		p.search(t, "GET "+path, k.Get(path, nil))
	}
	p.search(t, "the shell", page(t, k, "/"))
	if log := k.Get("/api/servers/leaky/logs?tail=500", nil); !bytes.Contains(log, []byte("leaky: the key is [redacted]")) {
		t.Errorf("the log doesn't show that something was masked: %s", log)
	}
}

// remote is an MCP server over HTTP that remembers what it was sent, and repeats it
// when it refuses.
type remote struct {
	*httptest.Server
	mu   sync.Mutex
	seen strings.Builder
}

func newRemote(t *testing.T) *remote {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "remote"}, nil)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	r := &remote{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent := req.URL.Path + " " + req.Header.Get("Authorization") + " " + req.Header.Get("X-Api-Key")
		r.mu.Lock()
		r.seen.WriteString(sent + "\n")
		r.mu.Unlock()
		switch {
		case strings.HasPrefix(req.URL.Path, "/refuse/"):
			http.Error(w, "not with "+strings.Join(repeated(sent), " or "), http.StatusNotFound)
		case strings.HasPrefix(req.URL.Path, "/move/"):
			w.Header().Set("Location", "https://elsewhere.example"+req.URL.Path)
			w.WriteHeader(http.StatusFound)
		default:
			handler.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *remote) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen.String()
}
