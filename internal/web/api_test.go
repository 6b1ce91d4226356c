package web_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/web"
)

func TestNumbersPassAToolCallExactly(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{tool: func(arguments json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"content":[],"structuredContent":` + string(arguments) + `}`), nil
	}})
	const exact = `{"big":7960607143101464577,"huge":1e400,"tail":1.10,"deep":[{"n":-0.0}]}`
	a := s.request("POST", "/api/tools/call", `{"name":"mcp__fake__t","wait_ms":10000,"arguments":`+exact+`}`)
	if a.StatusCode != 200 {
		t.Fatalf("got %d %s", a.StatusCode, a.body)
	}
	for _, member := range []string{"arguments", "result", "structured"} {
		if !strings.Contains(a.body, `"`+member+`":`+exact) {
			t.Errorf("%s isn't exact in %s", member, a.body)
		}
	}
	var call struct{ ID string }
	if err := json.Unmarshal([]byte(strings.ReplaceAll(a.body, "1e400", "1")), &call); err != nil {
		t.Fatal(err)
	}
	if again := s.request("GET", "/api/calls/"+call.ID, ""); again.body != a.body {
		t.Errorf("read again: got %s, want %s", again.body, a.body)
	}
	if list := s.request("GET", "/api/calls?server=fake&state=done", ""); !strings.Contains(list.body, call.ID) || !strings.Contains(list.body, `"cut":true`) {
		t.Errorf("the list: %s", list.body)
	}
}

func TestACallIsAnsweredWhenItSettlesOrWhenTheWaitIsOver(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := start(t, siteOptions{tool: func(json.RawMessage) (json.RawMessage, error) {
		<-release
		return json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`), nil
	}})
	a := s.request("POST", "/api/tools/call", `{"name":"mcp__fake__t","arguments":null,"wait_ms":1}`)
	if a.StatusCode != 200 || !strings.Contains(a.body, `"state":"running"`) {
		t.Errorf("when the wait is over: got %d %s", a.StatusCode, a.body)
	}
	close(release)
	a = s.request("POST", "/api/tools/call", `{"name":"mcp__fake__t","wait_ms":10000}`)
	if !strings.Contains(a.body, `"state":"done"`) || !strings.Contains(a.body, `"result":"done"`) {
		t.Errorf("when it has settled: got %s", a.body)
	}
}

func TestAToolCallThatCantBeMadeIsAProblem(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{tool: func(json.RawMessage) (json.RawMessage, error) { return nil, errors.New("never") }})
	for _, c := range []struct {
		name, body, code string
		status           int
	}{
		{"an unknown tool", `{"name":"mcp__fake__nope"}`, "not_found", 404},
		{"no JSON", `{"name":"mcp__fake__t","arguments":{"password":"s3cr3t-value"}`, "invalid", 422},
		{"an argument of another kind", `{"name":"mcp__fake__t","arguments":["s3cr3t-value"]}`, "invalid", 422},
		{"a name of another kind", `{"name":{"s3cr3t-value":1}}`, "invalid", 422},
		{"a wait too long", `{"name":"mcp__fake__t","wait_ms":600001}`, "invalid", 422},
		{"nothing", ``, "bad_request", 400},
		{"too much", `{"name":"mcp__fake__t","arguments":{"a":"` + strings.Repeat("x", 16<<20) + `"}}`, "too_large", 413},
	} {
		a := s.request("POST", "/api/tools/call", c.body)
		p := a.problem(t)
		if a.StatusCode != c.status || string(p.Code) != c.code {
			t.Errorf("%s: got %d %s (%s), want %d %s", c.name, a.StatusCode, p.Code, p.Detail, c.status, c.code)
		}
		if strings.Contains(a.body, "s3cr3t") {
			t.Errorf("%s: the answer repeats what was sent: %s", c.name, a.body)
		}
	}
}

// What is refused may be a secret in the wrong place: no answer repeats it.
func TestNoProblemRepeatsWhatWasSent(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/api/servers", `{"name":"a","transport":"stdio","command":"x","env":{"A":{"valeu":"s3cr3t-value"}}}`},
		{"POST", "/api/servers", `{"name":"a","start_timeout_ms":"s3cr3t-value"}`},
		{"POST", "/api/servers", `{"name":"a","url":"https://u:s3cr3t-value@h/"}`},
		{"POST", "/api/servers", `{"s3cr3t-value`},
		{"PUT", "/api/secrets/A", `{"value":["s3cr3t-value"]}`},
		{"PUT", "/api/secrets/A", `{"valeu":"s3cr3t-value"}`},
		{"PUT", "/api/secrets/KONTOR_X", `{"value":"s3cr3t-value"}`},
		{"PUT", "/api/access/password", `{"password":"s3cr3t"}`},
		{"PUT", "/api/access/password", `{"password":7,"current":"s3cr3t-value"}`},
		{"POST", "/api/tokens", `{"name":"a","scope":"s3cr3t-value"}`},
		{"PATCH", "/api/settings", `{"theme":"s3cr3t-value"}`},
		{"POST", "/api/complete", `{"server":"x","ref":{"type":"s3cr3t-value"},"argument":{"name":"a","value":"s3cr3t-value"}}`},
		{"GET", "/api/calls?limit=s3cr3t-value", ""},
		{"GET", "/api/tools?cursor=s3cr3t-value", ""},
	} {
		a := s.request(c.method, c.path, c.body)
		if a.StatusCode < 400 || a.StatusCode >= 500 {
			t.Errorf("%s %s %s: got %d %s", c.method, c.path, c.body, a.StatusCode, a.body)
			continue
		}
		a.problem(t)
		if strings.Contains(a.body, "s3cr3t") {
			t.Errorf("%s %s: the answer repeats what was sent: %s", c.method, c.path, a.body)
		}
	}
}

func TestAServerFromAddToDelete(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	const config = `{"name":"mine","transport":"stdio","command":"/nonexistent","enabled":false,"env":{"KEY":"hidden-value","REF":"${REF}"},"unknown":1,"status":{"state":"ready"}}`
	a := s.request("POST", "/api/servers", config)
	if a.StatusCode != 201 || strings.Contains(a.body, "hidden-value") || !strings.Contains(a.body, `"KEY":{"set":true}`) {
		t.Fatalf("add: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("POST", "/api/servers", config); a.problem(t).Code != "conflict" {
		t.Errorf("add again: got %s", a.body)
	}
	// What was read can be written back as it is, with one change.
	changed := strings.Replace(a.body, `"description":""`, `"description":"changed"`, 1)
	if a := s.request("PUT", "/api/servers/mine", changed); a.StatusCode != 200 || !strings.Contains(a.body, `"description":"changed"`) || !strings.Contains(a.body, `"KEY":{"set":true}`) {
		t.Errorf("replace: got %d %s", a.StatusCode, a.body)
	}
	kept, err := s.store.Server(t.Context(), "mine")
	if err != nil || kept.Env["KEY"].Text != "hidden-value" || kept.Env["REF"].Text != "${REF}" {
		t.Errorf("stored: got %+v %v", kept.Env, err)
	}
	if a := s.request("PUT", "/api/servers/mine", `{"command":"/nonexistent","enabled":false,"env":{"KEY":null}}`); a.StatusCode != 200 || strings.Contains(a.body, "KEY") {
		t.Errorf("clear: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("GET", "/api/servers/mine/logs", ""); a.StatusCode != 200 {
		t.Errorf("logs: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("DELETE", "/api/servers/mine", ""); a.StatusCode != 204 {
		t.Errorf("delete: got %d %s", a.StatusCode, a.body)
	}
	for _, path := range []string{"/api/servers/mine", "/api/servers/other/logs"} {
		if a := s.request("GET", path, ""); a.problem(t).Code != "not_found" {
			t.Errorf("%s: got %s", path, a.body)
		}
	}
}

func TestAServerThatCantStartIsRefusedWhenAsked(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	a := s.request("POST", "/api/servers?verify=true", `{"name":"mine","transport":"stdio","command":"/nonexistent/program"}`)
	p := a.problem(t)
	if a.StatusCode != 422 || p.Code != "invalid" || failedStage(p.Stages).Code != "command_not_found" {
		t.Errorf("got %d %s, want 422 with the stage that failed", a.StatusCode, a.body)
	}
	if a := s.request("GET", "/api/servers/mine", ""); a.StatusCode != 404 {
		t.Errorf("it was saved: %s", a.body)
	}
}

func TestSecretsAreWrittenAndNeverRead(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if a := s.request("PUT", "/api/secrets/MY_KEY", `{"value":"hidden-value"}`); a.StatusCode != 204 || a.body != "" {
		t.Errorf("put: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("GET", "/api/secrets", ""); a.body != `{"items":[{"name":"MY_KEY"}],"next":null}`+"\n" {
		t.Errorf("list: got %s", a.body)
	}
	if a := s.request("DELETE", "/api/secrets/MY_KEY", ""); a.StatusCode != 204 {
		t.Errorf("delete: got %d", a.StatusCode)
	}
}

func TestAccessThroughTheAPI(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	b, other := s.browser(), s.browser()
	sent := func(b browser, method, path, body string) answer {
		return b.send(method, path, body, "Content-Type", "application/json", "Origin", s.URL)
	}
	if a := sent(b, "PUT", "/api/access/password", `{"password":"correct horse"}`); a.StatusCode != 204 {
		t.Fatalf("set a password: got %d %s", a.StatusCode, a.body)
	}
	if a := sent(other, "GET", "/api/inbox", ""); a.StatusCode != 401 {
		t.Errorf("another browser after that: got %d, want 401", a.StatusCode)
	}
	if a := sent(b, "PUT", "/api/access/password", `{"password":"another horse"}`); a.StatusCode != 403 {
		t.Errorf("without the current one: got %d, want 403", a.StatusCode)
	}
	if a := sent(b, "GET", "/api/access", ""); !strings.Contains(a.body, `"password_set":true`) {
		t.Errorf("access: got %s", a.body)
	}
	a := sent(b, "POST", "/api/tokens", `{"name":"editor","scope":"gateway","expires_in_days":7}`)
	var created struct {
		Value string
		Token struct{ ID string }
	}
	if err := json.Unmarshal([]byte(a.body), &created); err != nil || a.StatusCode != 201 || !strings.HasPrefix(created.Value, "kt_") {
		t.Fatalf("create a token: got %d %s", a.StatusCode, a.body)
	}
	if a := sent(b, "GET", "/api/tokens", ""); strings.Contains(a.body, created.Value) || !strings.Contains(a.body, created.Token.ID) {
		t.Errorf("tokens: got %s", a.body)
	}
	if a := sent(b, "DELETE", "/api/tokens/"+created.Token.ID, ""); a.StatusCode != 204 {
		t.Errorf("revoke: got %d %s", a.StatusCode, a.body)
	}
	if a := sent(b, "GET", "/api/access/sessions", ""); strings.Count(a.body, `"id"`) != 1 || !strings.Contains(a.body, `"current":true`) {
		t.Errorf("sessions: got %s", a.body)
	}
	if a := sent(b, "POST", "/api/access/log-out", ""); a.StatusCode != 204 || !strings.Contains(a.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("log out: got %d %v", a.StatusCode, a.Header)
	}
	if a := sent(b, "GET", "/api/inbox", ""); a.StatusCode != 401 {
		t.Errorf("after that: got %d, want 401", a.StatusCode)
	}
}

func TestAPublicAddressKeepsItsPassword(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{change: func(o *web.Options) { o.ListenAddr = "0.0.0.0:8787" }})
	s.request("PUT", "/api/access/password", `{"password":"correct horse"}`)
	// KONTOR_API_TOKEN guards it too, so this one may go.
	if a := s.request("POST", "/api/access/password/remove", `{"current":"correct horse"}`); a.StatusCode != 204 {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if a := s.request("PATCH", "/api/settings", `{"theme":"dark","base_url":"https://k.example"}`); !strings.Contains(a.body, `"theme":"dark"`) {
		t.Errorf("got %s", a.body)
	}
	if a := s.request("GET", "/api/about", "", "Host", "k.example"); a.StatusCode != 200 {
		t.Errorf("the new base URL's host: got %d", a.StatusCode)
	}
	if a := s.request("GET", "/", "", "Accept", "text/html"); !strings.Contains(a.body, `data-theme="dark"`) {
		t.Errorf("the shell: got %s", a.body)
	}
	for _, bad := range []string{"ftp://x", "https://u@h", "https://h/path", "nonsense"} {
		if a := s.request("PATCH", "/api/settings", `{"base_url":"`+bad+`"}`); a.StatusCode != 422 {
			t.Errorf("base URL %s: got %d", bad, a.StatusCode)
		}
	}
}

func TestAWrongPasswordIsSlowedDownWithRetryAfter(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if err := s.access.SetPassword(t.Context(), "correct horse", ""); err != nil {
		t.Fatal(err)
	}
	b := s.stranger()
	// How long a try takes depends on the machine, and the wait doubles with each.
	tries := 1
	for ; b.post("/login", "password=wrong").StatusCode == 403; tries++ {
		if tries > 12 {
			t.Fatal("twelve wrong passwords in a row are not slowed down")
		}
	}
	if tries <= 5 {
		t.Errorf("slowed down at try %d, want five free ones", tries)
	}
	if a := b.post("/login", "password=correct+horse"); a.StatusCode != 429 || a.Header.Get("Retry-After") == "" {
		t.Errorf("the right one while waiting: got %d %v", a.StatusCode, a.Header)
	}
	// The owner gets in all the same.
	if a := b.get(strings.TrimPrefix(s.link(), s.URL)); a.StatusCode != 303 {
		t.Errorf("a link: got %d", a.StatusCode)
	}
}

func TestTheDocumentInGitIsFresh(t *testing.T) {
	t.Parallel()
	want, err := web.Document()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../web/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("web/openapi.json is stale: run make gen")
	}
	s := start(t, siteOptions{})
	if a := s.request("GET", "/api/openapi.json", ""); a.body != string(want) {
		t.Error("the served document differs from the printed one")
	}
}

func TestABodyOfAnotherTypeIsToldWhatToSend(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "text/json;;"} {
		a := s.request("POST", "/api/tools/call", `{"name":"x"}`, "Content-Type", kind)
		if p := a.problem(t); p.Status != 415 || !strings.Contains(p.Detail, "Content-Type: application/json") {
			t.Errorf("%s: %+v", kind, p)
		}
	}
	for _, kind := range []string{"application/json; charset=utf-8", ""} {
		if a := s.request("POST", "/api/tools/call", `{"name":"x"}`, "Content-Type", kind); a.StatusCode == 415 {
			t.Errorf("%q: %s", kind, a.body)
		}
	}
}
