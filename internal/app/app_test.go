package app_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

func TestMain(m *testing.M) {
	code := apptest.Main(m)
	http.DefaultClient.CloseIdleConnections()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			code = 1
		}
	}
	os.Exit(code)
}

func withDemo(c *config.Config) { c.Demo = true }

func ready(k *apptest.Kontor) func() bool {
	return func() bool {
		var s wire.Server
		return k.Do("GET", "/api/servers/demo", nil, &s) == 200 && s.Status.State == model.ServerReady
	}
}

func TestADemoToolRunsFromTheAPIAndAQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, withDemo)
	k.Until("the demo server", ready(k))
	var call wire.Call
	k.Do("POST", "/api/tools/call", map[string]any{"name": "mcp__demo__confirm", "arguments": map[string]any{}}, &call)
	if call.State != model.CallRunning {
		t.Fatalf("got %+v, want a running call", call)
	}
	var in wire.Inbox
	k.Until("its question", func() bool {
		in = wire.Inbox{}
		k.Do("GET", "/api/inbox", nil, &in)
		return in.Total == 1
	})
	question := in.Elicitations[0]
	if question.CallID == nil || *question.CallID != call.ID || question.Server != "demo" {
		t.Errorf("got %+v, want a question of call %s", question, call.ID)
	}
	if status := k.Do("POST", "/api/inbox/elicitations/"+question.ID+"/resolve", map[string]any{"action": "accept", "content": map[string]any{}}, nil); status != 200 {
		t.Fatalf("resolve: got %d", status)
	}
	k.Until("the end of the call", func() bool {
		k.Do("GET", "/api/calls/"+call.ID, nil, &call)
		return call.State == model.CallDone
	})
}

func TestStoppingCancelsWhatRunsAndLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, withDemo)
	k.Until("the demo server", ready(k))
	var call wire.Call
	k.Do("POST", "/api/tools/call", map[string]any{"name": "mcp__demo__slow", "arguments": map[string]any{"steps": 60, "delay_ms": 1000}}, &call)
	if call.State != model.CallRunning {
		t.Fatalf("got %+v, want a running call", call)
	}
	begun := time.Now()
	if err := k.Stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("stopping took %v", took)
	}
	again := apptest.Start(t, func(c *config.Config) { c.Data = k.Config.Data })
	again.Do("GET", "/api/calls/"+call.ID, nil, &call)
	if call.State != model.CallCancelled {
		t.Errorf("after a restart: got %s, want cancelled", call.State)
	}
}

func TestOneKontorPerFolder(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	_, err := app.New(t.Context(), app.Options{Config: config.Config{Data: k.Config.Data, Listen: "127.0.0.1:0"}})
	if model.CodeOf(err) != model.CodeConflict {
		t.Errorf("a second one: got %v, want a conflict", err)
	}
	if status := k.Do("GET", "/readyz", nil, nil); status != 200 {
		t.Errorf("the first one afterwards: got %d", status)
	}
}

func TestAPublicAddressNeedsAPasswordOrAToken(t *testing.T) {
	t.Parallel()
	c := config.Config{Data: t.TempDir(), Listen: "0.0.0.0:0"}
	_, err := app.New(t.Context(), app.Options{Config: c})
	if model.CodeOf(err) != model.CodeDenied || !strings.Contains(err.Error(), "kontor password") {
		t.Fatalf("got %v, want a refusal with the way out", err)
	}
	admin, done, err := app.OpenAdmin(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := admin.SetPassword(t.Context(), "correct horse"); err != nil {
		t.Fatal(err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), app.Options{Config: c})
	if err != nil {
		t.Fatalf("with a password: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Run(ended); err != nil {
		t.Errorf("stop: %v", err)
	}
}

func TestTheCommandLineTalksToTheRunningOne(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	info, err := os.Stat(k.Config.Socket())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("socket: got %v %v, want mode 0600", info, err)
	}
	running, ok := app.Reach(t.Context(), k.Config)
	if !ok {
		t.Fatal("nobody is reached")
	}
	link, err := running.Link(t.Context())
	if err != nil || !strings.HasPrefix(link, k.URL+"/login?code=") {
		t.Errorf("link: got %q %v", link, err)
	}
	ctx := t.Context()
	created, err := running.CreateToken(ctx, app.TokenRequest{Name: "cli", Scope: model.ScopeRead})
	if err != nil || !strings.HasPrefix(created.Value, "kt_") {
		t.Fatalf("token: got %+v %v", created, err)
	}
	if _, err := running.CreateToken(ctx, app.TokenRequest{Name: "cli", Scope: "all"}); model.CodeOf(err) != model.CodeInvalid {
		t.Errorf("a wrong scope: got %v, want invalid", err)
	}
	if tokens, err := running.Tokens(ctx); err != nil || len(tokens) != 1 {
		t.Errorf("tokens: got %v %v", tokens, err)
	}
	if err := running.RevokeToken(ctx, created.Token.ID); err != nil {
		t.Errorf("revoke: %v", err)
	}
	k.Do("PUT", "/api/secrets/KEPT", map[string]string{"value": "hidden-value"}, nil)
	if err := running.RotateKey(ctx); err != nil {
		t.Errorf("rotate: %v", err)
	}
	backup := filepath.Join(t.TempDir(), "copy.db")
	if err := running.Backup(ctx, backup); err != nil {
		t.Errorf("backup: %v", err)
	}
	if _, err := app.Restore(ctx, k.Config, backup); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("restore while it runs: got %v, want a conflict", err)
	}
	if err := k.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, ok := app.Reach(ctx, k.Config); ok {
		t.Error("a stopped one is reached")
	}
	if aside, err := app.Restore(ctx, k.Config, backup); err != nil || aside == "" {
		t.Errorf("restore: got %q %v", aside, err)
	}
	again := apptest.Start(t, func(c *config.Config) { c.Data = k.Config.Data })
	var about wire.About
	if again.Do("GET", "/api/about", nil, &about); about.Key.State != "ok" {
		t.Errorf("the key after rotating and restoring: got %+v", about.Key)
	}
}

func TestAMissingKeyIsSaidAndNothingIsMadeOverIt(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	k.Do("PUT", "/api/secrets/KEPT", map[string]string{"value": "hidden-value"}, nil)
	if err := k.Stop(); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(k.Config.Data, "key")
	if err := os.Rename(key, key+".away"); err != nil {
		t.Fatal(err)
	}
	again := apptest.Start(t, func(c *config.Config) { c.Data = k.Config.Data })
	var about wire.About
	again.Do("GET", "/api/about", nil, &about)
	if about.Key.State != "unusable" || about.Key.Message == "" || len(about.Key.Unreadable) != 1 {
		t.Errorf("got %+v", about.Key)
	}
	if _, err := os.Stat(key); !os.IsNotExist(err) {
		t.Error("a new key was made over sealed rows")
	}
}
