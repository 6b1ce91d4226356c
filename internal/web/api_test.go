package web_test

import (
	"os"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/web"
)

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

// A token that was stored for one host is sent to another only when that is said.
func TestStoredSecretsDontFollowAnAddressUnsaid(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	s.request("POST", "/api/servers", `{"name":"mine","url":"http://127.0.0.1:1/mcp","bearer_token":"t0ken","enabled":false}`)
	const moved = `{"name":"mine","url":"http://localhost:1/mcp","bearer_token":{"set":true},"enabled":false}`
	for _, to := range []struct{ method, path string }{{"PUT", "/api/servers/mine"}, {"POST", "/api/servers/test"}} {
		a := s.request(to.method, to.path, moved)
		if p := a.problem(t); a.StatusCode != 422 || p.Code != "secrets_move" || len(p.Errors) != 1 || p.Errors[0].Location != "body.bearer_token" {
			t.Errorf("%s: got %d %s", to.path, a.StatusCode, a.body)
		}
		if a := s.request(to.method, to.path+"?send_stored=true", moved); strings.Contains(a.body, "secrets_move") {
			t.Errorf("%s, allowed: got %d %s", to.path, a.StatusCode, a.body)
		}
		if kept, err := s.store.Server(t.Context(), "mine"); err != nil || kept.BearerToken.Text != "t0ken" {
			t.Errorf("stored: %+v %v", kept, err)
		}
		s.request("PUT", "/api/servers/mine?send_stored=true", `{"url":"http://127.0.0.1:1/mcp","enabled":false}`)
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
