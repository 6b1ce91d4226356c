package web_test

import (
	"encoding/json"
	"strings"
	"testing"
)

type ruleBody struct {
	ID       string `json:"id"`
	Position int    `json:"position"`
	Note     string `json:"note"`
}

func (s *site) rules() (notes string, ids []string) {
	s.t.Helper()
	var list struct{ Items []ruleBody }
	a := s.request("GET", "/api/policies", "")
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.StatusCode != 200 {
		s.t.Fatalf("got %d %s", a.StatusCode, a.body)
	}
	for _, r := range list.Items {
		notes += r.Note
		ids = append(ids, r.ID)
	}
	return notes, ids
}

func TestRulesByTheAPI(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, body := range []string{
		`{"server":"fake","tool":"t","action":"ask","note":"a","argument":{"path":"/n","pattern":"1*"}}`,
		`{"action":"deny","note":"b"}`,
		`{"action":"allow","note":"c","position":0}`,
	} {
		if a := s.request("POST", "/api/policies", body); a.StatusCode != 201 {
			t.Errorf("%s: got %d %s", body, a.StatusCode, a.body)
		}
	}
	notes, ids := s.rules()
	if notes != "cab" {
		t.Errorf("the rules are %s", notes)
	}
	for body, status := range map[string]int{
		`{"action":"perhaps"}`:                                       422,
		`{"action":"ask","asker":"agents"}`:                          422,
		`{"action":"ask","argument":{"path":"n","pattern":"1"}}`:     422,
		`{"action":"ask","argument":{"path":"/n~","pattern":"1"}}`:   422,
		`{"action":"ask","tool":"` + strings.Repeat("x", 201) + `"}`: 422,
	} {
		if a := s.request("POST", "/api/policies", body); a.StatusCode != status {
			t.Errorf("%s: got %d %s", body, a.StatusCode, a.body)
		}
	}
	if a := s.request("PUT", "/api/policies/"+ids[1], `{"action":"allow","note":"A"}`); a.StatusCode != 200 || !strings.Contains(a.body, `"position":1`) {
		t.Errorf("replaced: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("PUT", "/api/policies/none", `{"action":"allow"}`); a.StatusCode != 404 {
		t.Errorf("replaced none: got %d %s", a.StatusCode, a.body)
	}
	order, _ := json.Marshal(map[string]any{"ids": []string{ids[2], ids[1], ids[0]}})
	if a := s.request("PUT", "/api/policies/order", string(order)); a.StatusCode != 200 {
		t.Errorf("ordered: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("PUT", "/api/policies/order", `{"ids":[]}`); a.StatusCode != 409 {
		t.Errorf("an old order: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("DELETE", "/api/policies/"+ids[0], ""); a.StatusCode != 204 {
		t.Errorf("deleted: got %d %s", a.StatusCode, a.body)
	}
	if notes, _ := s.rules(); notes != "bA" {
		t.Errorf("the rules are %s", notes)
	}
}

func TestACallIsThoughtThrough(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, body := range []string{
		`{"server":"fake","tool":"t","action":"deny","note":"no 13","argument":{"path":"/n","pattern":"13"}}`,
		`{"server":"fake","action":"allow","agent":"main"}`,
	} {
		s.request("POST", "/api/policies", body)
	}
	for body, want := range map[string]string{
		`{"name":"mcp__fake__t","arguments":{"n":13}}`:                  `"action":"deny"`,
		`{"name":"mcp__fake__t","arguments":{"n":13},"asker":"person"}`: `"action":"deny"`,
		`{"name":"mcp__fake__t","arguments":{"n":12},"asker":"person"}`: `"action":"allow"`,
		`{"name":"mcp__fake__t","arguments":{"n":12},"agent":"main"}`:   `"reason":"Rule 2 allows it."`,
		`{"name":"mcp__fake__t"}`:                                       `"reason":"No rule allows it."`,
		`{"name":"mcp__new__tool"}`:                                     `"action":"ask"`,
		`{"name":"mcp__fake__t","arguments":{"n":13},"agent":"main"}`:   `"note":"no 13"`,
		`{"name":"mcp__fake__t","arguments":[1]}`:                       `"status":422`,
		`{"name":"t"}`: `"status":422`,
		`{"name":"mcp__config__register_mcp","agent":"main","arguments":{"command":"x"}}`: `"action":"ask"`,
	} {
		if a := s.request("POST", "/api/policies/simulate", body); !strings.Contains(a.body, want) {
			t.Errorf("%s: %s is not in %d %s", body, want, a.StatusCode, a.body)
		}
	}
	if a := s.request("GET", "/api/policies/audit", ""); !strings.Contains(a.body, `"items":[]`) {
		t.Errorf("thinking it through was written down: %s", a.body)
	}
}

func TestADenialHoldsForThePersonAndIsAudited(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	s.request("POST", "/api/policies", `{"server":"fake","action":"deny","note":"never"}`)
	a := s.request("POST", "/api/tools/call", `{"name":"mcp__fake__t","arguments":{"n":1.0},"wait_ms":10000}`)
	if a.StatusCode != 200 && a.StatusCode != 201 || !strings.Contains(a.body, `"state":"failed"`) || !strings.Contains(a.body, `"code":"denied"`) {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
	a = s.request("GET", "/api/policies/audit?limit=1", "")
	for _, want := range []string{`"outcome":"denied"`, `"decision":"deny"`, `"arguments":{"n":1.0}`, `"next":null`, `"scope":""`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s is not in %s", want, a.body)
		}
	}
	if a := s.request("GET", "/api/policies/audit?cursor=x", ""); a.StatusCode != 422 {
		t.Errorf("a wrong cursor: got %d %s", a.StatusCode, a.body)
	}
}
