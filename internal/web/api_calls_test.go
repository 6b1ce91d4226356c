package web_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
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
	for query, want := range map[string]bool{"is_error=false": true, "is_error=true": false} {
		if list := s.request("GET", "/api/calls?"+query, ""); list.StatusCode != 200 || strings.Contains(list.body, call.ID) != want {
			t.Errorf("%s: got %d %s, want the call in it: %v", query, list.StatusCode, list.body, want)
		}
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
