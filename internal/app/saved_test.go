package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

// What a server offered is there after a start, though the server is not.
func TestToolsOutliveARestartWithoutTheirServer(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	k := apptest.Start(t, nil)
	server := map[string]any{"name": "mine", "transport": "stdio", "command": program, "args": []string{"server", "demo"},
		"env": map[string]string{"SECRET": "hidden-value"}}
	if status := k.Do("POST", "/api/servers?verify=true", server, nil); status != 201 {
		t.Fatalf("added: %d", status)
	}
	state := func(k *apptest.Kontor) (s wire.Server) {
		k.Do("GET", "/api/servers/mine", nil, &s)
		return s
	}
	k.Until("the server", func() bool { return state(k).Status.State == model.ServerReady })
	before := state(k).Status
	if before.Saved || before.ListedAt == nil {
		t.Errorf("connected: %+v", before)
	}
	if err := k.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}

	again := apptest.Start(t, func(c *config.Config) { c.Data = k.Config.Data })
	var tools struct{ Items []wire.Tool }
	again.Do("GET", "/api/tools", nil, &tools)
	if len(tools.Items) != before.Tools || before.Tools == 0 || !tools.Items[0].Saved {
		t.Fatalf("%d tools at the start, want the %d from before", len(tools.Items), before.Tools)
	}
	var call wire.Call
	again.Do("POST", "/api/tools/call", map[string]any{"name": tools.Items[0].Name, "wait_ms": 20000}, &call)
	if call.State != model.CallFailed || call.Error == nil || call.Error.Code != model.CodeServerUnavailable {
		t.Errorf("a call: %s, %+v", call.State, call.Error)
	}
	st := state(again).Status
	if st.State != model.ServerFailed || !st.Saved || st.Tools != before.Tools || st.ServerName != before.ServerName || st.Era != before.Era {
		t.Errorf("unreachable: %+v", st)
	}
}
