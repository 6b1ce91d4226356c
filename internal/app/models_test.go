package app_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

const plantedKey = "planted-model-key-0123456789"

// talker is an OpenAI-compatible endpoint. It has one model, which says hello to
// the right key, and refuses another by repeating it, as some do.
func talker(t *testing.T) (address string, heard *atomic.Int32) {
	t.Helper()
	heard = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard.Add(1)
		if key := r.Header.Get("Authorization"); key != "Bearer "+plantedKey {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"wrong key %s","code":"invalid_api_key"}}`, key)
			return
		}
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"data":[{"id":"m","context_length":8192}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello!\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", heard
}

func TestAModelsKeyIsNeverReadable(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	address, heard := talker(t)
	n := listen(t, k)
	var bodies strings.Builder
	do := func(method, path string, body any, want int) {
		t.Helper()
		status, text := raw(t, k, method, path, body)
		bodies.WriteString(text)
		if status != want {
			t.Fatalf("%s %s: %d, want %d: %s", method, path, status, want, text)
		}
	}
	config := func(change map[string]any) map[string]any {
		c := map[string]any{"name": "local", "provider": "openai", "base_url": address, "model": "m"}
		for name, v := range change {
			c[name] = v
		}
		return c
	}
	do("POST", "/api/models", config(map[string]any{"api_key": plantedKey}), 201)
	do("POST", "/api/models", config(map[string]any{"api_key": plantedKey}), 409)
	do("POST", "/api/models", config(map[string]any{"name": "a/b", "api_key": plantedKey}), 422)
	do("PUT", "/api/models/local", config(map[string]any{"name": "renamed", "images": true}), 200)
	do("PUT", "/api/models/renamed", config(map[string]any{"name": "renamed", "api_key": map[string]bool{"set": true}}), 200)
	do("GET", "/api/models", nil, 200)
	do("POST", "/api/models/test?name=renamed", config(nil), 200)
	if !strings.Contains(bodies.String(), `"said":"Hello!"`) {
		t.Errorf("a trial with the stored key: %s", bodies.String())
	}
	// The key stays with the address that it was entered for.
	before := heard.Load()
	elsewhere, overheard := talker(t)
	do("PUT", "/api/models/renamed", config(map[string]any{"name": "renamed", "base_url": elsewhere}), 422)
	do("POST", "/api/models/test?name=renamed", config(map[string]any{"base_url": elsewhere}), 422)
	do("POST", "/api/models/test", config(map[string]any{"api_key": plantedKey + "-wrong"}), 200)
	at := func(address string) map[string]any { return map[string]any{"provider": "openai", "base_url": address} }
	do("POST", "/api/models/offered?name=renamed", at(elsewhere), 422)
	do("POST", "/api/models/offered?name=renamed", at(address), 200)
	if !strings.Contains(bodies.String(), `{"id":"m","context_tokens":8192}`) {
		t.Errorf("a list with the stored key: %s", bodies.String())
	}
	do("POST", "/api/models/offered", at(address), 200)
	if overheard.Load() != 0 || heard.Load() != before+3 {
		t.Errorf("asked %d and %d times", overheard.Load(), heard.Load()-before)
	}
	if status := k.Do("POST", "/api/sessions", map[string]any{}, nil); status != 201 {
		t.Fatal(status)
	}
	var list wire.List[wire.LanguageModel]
	if k.Do("GET", "/api/models", nil, &list); len(list.Items) != 1 || !list.Items[0].Default || !list.Items[0].APIKey.Keep {
		t.Errorf("the models: %+v", list.Items)
	}
	do("DELETE", "/api/models/renamed", nil, 204)
	do("DELETE", "/api/models/renamed", nil, 404)
	for _, e := range n.until(func(e event) bool { return e.Type == "session_changed" }) {
		bodies.WriteString(e.raw)
	}
	if strings.Contains(bodies.String(), "planted") {
		t.Errorf("the key can be read: %s", bodies.String())
	}
	if err := k.Stop(); err != nil {
		t.Fatal(err)
	}
	nothingPlanted(t, k.Config.Data)
}

// nothingPlanted looks for the key in every file of a folder.
func nothingPlanted(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("planted")) {
			t.Errorf("the key lies in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAModelThatRefusesFailsTheTurnInWords(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, nil)
	address, _ := talker(t)
	k.Do("POST", "/api/models", map[string]any{"name": "local", "provider": "openai", "base_url": address, "model": "m", "api_key": plantedKey + "-wrong"}, nil)
	var s wire.SessionDetail
	k.Do("POST", "/api/sessions", map[string]any{}, &s)
	n := listen(t, k)
	send(t, k, s.ID, map[string]any{"text": "hello"})
	all := n.until(ended)
	if end := all[len(all)-1]; end.State != "failed" || !strings.Contains(end.raw, "key_refused") || strings.Contains(end.raw, "planted") {
		t.Errorf("got %s", end.raw)
	}
	last := messages(k, s.ID, "").Items[0]
	if last.Error == nil || last.Error.Code != "key_refused" || last.Error.Fix == "" && !strings.Contains(last.Error.Message, "key") {
		t.Errorf("the last message: %+v", last)
	}
	if status := k.Do("PUT", "/api/models/local", map[string]any{"name": "local", "provider": "openai", "base_url": address, "model": "m", "api_key": plantedKey}, nil); status != 200 {
		t.Fatal(status)
	}
	if status := k.Do("POST", "/api/sessions/"+s.ID+"/retry", nil, nil); status != 200 {
		t.Fatal(status)
	}
	n.until(ended)
	if last := messages(k, s.ID, "").Items[0]; len(last.Parts) != 1 || last.Parts[0].Text != "Hello!" || last.Finish != "stop" || last.Role != model.RoleAssistant {
		t.Errorf("after the retry: %+v", last)
	}
}
