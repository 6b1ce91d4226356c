package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

// keyed is a sealer whose bytes only the same letter opens.
type keyed string

func (k keyed) Seal(plain []byte, context string) ([]byte, error) {
	sealed, err := storetest.Plain{}.Seal(plain, context)
	return append([]byte(k), sealed...), err
}

func (k keyed) Open(sealed []byte, context string) ([]byte, error) {
	rest, ok := bytes.CutPrefix(sealed, []byte(k))
	if !ok {
		return nil, errors.New("another key")
	}
	return storetest.Plain{}.Open(rest, context)
}

func (k keyed) CheckValue() string { return string(k) }

func openKeyed(t *testing.T, path string, key keyed) (*store.Store, store.KeyState) {
	t.Helper()
	var state store.KeyState
	s, err := store.Open(t.Context(), store.Options{Path: path,
		Unlock: func(k store.KeyState) (store.Sealer, error) { state = k; return key, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // some tests close it themselves
	return s, state
}

const planted = "planted-canary-value"

func stdioServer(name string) model.Server {
	return model.Server{Name: name, FriendlyName: "Demo", Transport: model.TransportStdio, Command: "demo",
		Args: []string{"--k=$$5", "${X}"}, Cwd: "/srv",
		Env: map[string]model.Value{"KEY": {Text: planted}, "REF": {Text: "${VAR}"}, "OPEN": {Text: "shown", Plain: true},
			"NONE": {}},
		Enabled: true, EnabledTools: []string{"a"}, DisabledTools: []string{"b"},
		StartTimeout: 3 * time.Second, CallMax: time.Hour, MaxMessage: 1 << 20, SSEIdleTimeout: time.Second,
		Reconnect: model.Reconnect{Initial: time.Second, Max: time.Minute, MaxAttempts: 5}, CreatedAt: start, UpdatedAt: start}
}

func httpServer(name string) model.Server {
	return model.Server{Name: name, Transport: model.TransportHTTP, URL: "https://mcp.example.com/${PATH_PART}",
		Headers:     map[string]model.Value{"X-Key": {Text: planted}},
		BearerToken: model.Value{Text: planted}, Trusted: true, ShareImages: true, CreatedAt: start, UpdatedAt: start}
}

func TestServerComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	b, a := stdioServer("b"), httpServer("a")
	for _, m := range []model.Server{b, a} {
		if err := s.InsertServer(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.ListServers(t.Context())
	if err != nil || !reflect.DeepEqual(all, []model.Server{a, b}) {
		t.Errorf("ListServers:\n got %+v, %v\nwant %+v", all, err, []model.Server{a, b})
	}
	wantCode(t, s.InsertServer(t.Context(), stdioServer("a")), model.CodeConflict)

	b.Command, b.Env, b.UpdatedAt = "other", map[string]model.Value{"NEW": {Text: planted + "2"}}, start.Add(time.Minute)
	if err := s.UpdateServer(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Server(t.Context(), "b"); err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("Server:\n got %+v, %v\nwant %+v", got, err, b)
	}
	if err := s.DeleteServer(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	_, err = s.Server(t.Context(), "b")
	wantCode(t, err, model.CodeNotFound)
	wantCode(t, s.DeleteServer(t.Context(), "b"), model.CodeNotFound)
	wantCode(t, s.UpdateServer(t.Context(), b), model.CodeNotFound)
	// Its secrets went with it: one of the same name starts without.
	if err := s.InsertServer(t.Context(), stdioServer("b")); err != nil {
		t.Error(err)
	}
}

func TestNoSecretLiesInTheFileInClear(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := storetest.Open(t, filepath.Join(dir, "kontor.db"))
	for _, m := range []model.Server{stdioServer("a"), httpServer("b")} {
		if err := s.InsertServer(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutSecret(t.Context(), "TOKEN", planted); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "copy.db")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 3 {
		t.Fatalf("files %v, %v", entries, err)
	}
	searched := false
	for _, e := range entries {
		content := read(t, filepath.Join(dir, e.Name()))
		if bytes.Contains(content, []byte(planted)) {
			t.Errorf("%s holds the secret", e.Name())
		}
		searched = searched || bytes.Contains(content, []byte("shown"))
	}
	if !searched {
		t.Error("the search finds not even what is there in clear")
	}
}

func TestAWrongKeyHarmsNothingThatItCantRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	s, state := openKeyed(t, path, "A")
	if state != (store.KeyState{}) {
		t.Errorf("a new database knows %+v", state)
	}
	want := stdioServer("a")
	if err := s.InsertServer(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if err := s.PutSecret(t.Context(), "TOKEN", planted); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s, state = openKeyed(t, path, "B")
	if state != (store.KeyState{Check: "A", Sealed: true}) {
		t.Errorf("the database knows %+v", state)
	}
	got, err := s.Server(t.Context(), "a")
	if err != nil || got.Env["KEY"] != (model.Value{Unreadable: true}) || got.Env["OPEN"] != want.Env["OPEN"] {
		t.Errorf("Server: %+v, %v", got.Env, err)
	}
	if _, err := s.Secret(t.Context(), "TOKEN"); err == nil {
		t.Error("a secret was read with the wrong key")
	}
	names, err := s.UnreadableSecrets(t.Context())
	if words := []string{`secret "TOKEN"`, `env "KEY" of server "a"`}; err != nil || !slices.Equal(names, words) {
		t.Errorf("UnreadableSecrets: %q, %v, want %q", names, err, words)
	}
	wantCode(t, s.Rekey(t.Context(), keyed("C")), model.CodeConflict)
	got.FriendlyName = "changed meanwhile"
	if err := s.UpdateServer(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s, state = openKeyed(t, path, "A")
	if state.Check != "A" {
		t.Errorf("the wrong key became the database's: %+v", state)
	}
	want.FriendlyName = got.FriendlyName
	if got, err := s.Server(t.Context(), "a"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with the right key again:\n got %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := s.Secret(t.Context(), "TOKEN"); err != nil || got != planted {
		t.Errorf("with the right key again: secret %q, %v", got, err)
	}
}

func TestRekeySealsEverythingAnew(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	s, _ := openKeyed(t, path, "A")
	want := httpServer("a")
	if err := s.InsertServer(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { // reads and writes of secrets go on meanwhile
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := s.PutSecret(t.Context(), "TOKEN", planted); err != nil {
				t.Errorf("PutSecret: %v", err)
			}
			if got, err := s.Secret(t.Context(), "TOKEN"); err != nil || got != planted {
				t.Errorf("Secret: %q, %v", got, err)
			}
		}
	}()
	for _, key := range []keyed{"B", "C", "D"} {
		if err := s.Rekey(t.Context(), key); err != nil {
			t.Errorf("Rekey: %v", err)
		}
	}
	close(stop)
	<-done
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, state := openKeyed(t, path, "D")
	if state.Check != "D" {
		t.Errorf("check value %q, want D", state.Check)
	}
	if got, err := s.Server(t.Context(), "a"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if names, err := s.UnreadableSecrets(t.Context()); err != nil || names != nil {
		t.Errorf("unreadable %q, %v", names, err)
	}
}

func TestSecretsAreNamedAndDeleted(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, name := range []string{"B", "A", "A"} {
		if err := s.PutSecret(t.Context(), name, planted+name); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := s.SecretNames(t.Context()); err != nil || !slices.Equal(names, []string{"A", "B"}) {
		t.Errorf("names %q, %v", names, err)
	}
	if got, err := s.Secret(t.Context(), "B"); err != nil || got != planted+"B" {
		t.Errorf("Secret: %q, %v", got, err)
	}
	if err := s.DeleteSecret(t.Context(), "B"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Secret(t.Context(), "B")
	wantCode(t, err, model.CodeNotFound)
	wantCode(t, s.DeleteSecret(t.Context(), "B"), model.CodeNotFound)
}
