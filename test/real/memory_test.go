//go:build real

package real

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestServerMemory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	k := kontor.Start(t, kontor.Options{})
	s := k.AddReady("memory", node(t, memory).With("env", map[string]any{"MEMORY_FILE_PATH": map[string]any{"value": file, "plain": true}}))
	if s.Status.Era != "legacy" || s.Status.ServerName != "memory-server" {
		t.Errorf("got %+v", s.Status)
	}
	const (
		ada   = `{"name":"Ada","entityType":"person","observations":["wrote the first program"]}`
		desk  = `{"name":"Desk","entityType":"thing","observations":[]}`
		owns  = `{"from":"Ada","to":"Desk","relationType":"owns"}`
		found = `{"entities":[` + ada + `],"relations":[` + owns + `]}`
	)
	everyTool(t, k, "memory", []run{
		{tool: "read_graph", json: `{"entities":[],"relations":[]}`},
		{tool: "create_entities", arguments: `{"entities": [{"name": "Ada", "entityType": "person", "observations": []}, ` + desk + `]}`,
			json: `{"entities":[{"name":"Ada","entityType":"person","observations":[]},` + desk + `]}`},
		{tool: "create_relations", arguments: `{"relations": [` + owns + `]}`, json: `{"relations":[` + owns + `]}`},
		{tool: "add_observations", arguments: `{"observations": [{"entityName": "Ada", "contents": ["wrote the first program"]}]}`,
			json: `{"results":[{"entityName":"Ada","addedObservations":["wrote the first program"]}]}`},
		{tool: "search_nodes", arguments: `{"query": "program"}`, json: found},
		{tool: "open_nodes", arguments: `{"names": ["Ada"]}`, json: found},
		{tool: "delete_observations", arguments: `{"deletions": [{"entityName": "Ada", "observations": ["wrote the first program"]}]}`,
			json: `{"success":true,"message":"Observations deleted successfully"}`},
		{tool: "delete_relations", arguments: `{"relations": [` + owns + `]}`, json: `{"success":true,"message":"Relations deleted successfully"}`},
		{tool: "delete_entities", arguments: `{"entityNames": ["Ada"]}`, json: `{"success":true,"message":"Entities deleted successfully"}`},
		{tool: "read_graph", json: `{"entities":[` + desk + `],"relations":[]}`},
	}, nil)
	t.Run("resource", func(t *testing.T) {
		got := readResource(t, k, "memory", "memory://knowledge-graph")
		if len(got) != 1 || got[0].MIMEType != "application/json" || !strings.Contains(got[0].Text, `"name": "Desk"`) {
			t.Errorf("got %+v", got)
		}
	})
	if stored, err := os.ReadFile(file); err != nil || !strings.Contains(string(stored), `"Desk"`) {
		t.Errorf("the memory's file holds %s, %v", stored, err)
	}
}
