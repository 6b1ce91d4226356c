package store_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

// wantOAuth is the record of server docs, or its error.
func wantOAuth(t *testing.T, s *store.Store, want string, revision int64) {
	t.Helper()
	data, r, err := s.OAuthRecord(t.Context(), "docs")
	if err != nil || string(data) != want || r != revision {
		t.Errorf("record %q, revision %d, %v, want %q, %d", data, r, err, want, revision)
	}
}

func withDocs(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.New(t)
	if err := s.InsertServer(t.Context(), model.Server{Name: "docs", Transport: model.TransportHTTP, URL: "https://docs.example/mcp"}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASignInIsSwappedByRevision(t *testing.T) {
	t.Parallel()
	s := withDocs(t)
	swap := func(revision int64, data []byte, want int64, code model.Code) {
		t.Helper()
		got, err := s.SwapOAuthRecord(t.Context(), "docs", revision, data)
		if got != want || err == nil && code != "" || err != nil && model.CodeOf(err) != code {
			t.Errorf("swap of %d for %q: %d, %v, want %d, %q", revision, data, got, err, want, code)
		}
	}
	_, _, err := s.OAuthRecord(t.Context(), "docs")
	wantCode(t, err, model.CodeNotFound)
	swap(1, []byte("a"), 0, model.CodeConflict)
	swap(0, []byte("a"), 1, "")
	swap(0, []byte("b"), 0, model.CodeConflict)
	swap(1, []byte("b"), 2, "")
	swap(1, []byte("c"), 0, model.CodeConflict)
	wantOAuth(t, s, "b", 2)
	swap(1, nil, 0, model.CodeConflict)
	swap(2, nil, 3, "")
	_, _, err = s.OAuthRecord(t.Context(), "docs")
	wantCode(t, err, model.CodeNotFound)
	_, err = s.SwapOAuthRecord(t.Context(), "nobody", 0, []byte("a"))
	wantCode(t, err, model.CodeNotFound)
}

func TestOneOfManySwapsWins(t *testing.T) {
	t.Parallel()
	s := withDocs(t)
	var won atomic.Int32
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := s.SwapOAuthRecord(t.Context(), "docs", 0, []byte("mine")); err == nil {
				won.Add(1)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 {
		t.Errorf("%d won, want 1", won.Load())
	}
	wantOAuth(t, s, "mine", 1)
}

func TestASignInGoesWithItsServerAndLiesSealed(t *testing.T) {
	t.Parallel()
	s := withDocs(t)
	const canary = "canary-of-a-refresh-token"
	if _, err := s.SwapOAuthRecord(t.Context(), "docs", 0, []byte(canary)); err != nil {
		t.Fatal(err)
	}
	if err := s.PutOAuthClient(t.Context(), "https://as.example", "http://127.0.0.1/cb", []byte(canary)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{s.Path(), s.Path() + "-wal"} {
		raw, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), canary) {
			t.Errorf("%s holds it in clear", file)
		}
	}
	if err := s.DeleteServer(t.Context(), "docs"); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.OAuthRecord(t.Context(), "docs")
	wantCode(t, err, model.CodeNotFound)
	if data, err := s.OAuthClient(t.Context(), "https://as.example", "http://127.0.0.1/cb"); err != nil || string(data) != canary {
		t.Errorf("client %q, %v", data, err)
	}
	_, err = s.OAuthClient(t.Context(), "https://as.example", "http://127.0.0.1/other")
	wantCode(t, err, model.CodeNotFound)
	if err := s.DeleteOAuthClient(t.Context(), "https://as.example", "http://127.0.0.1/cb"); err != nil {
		t.Fatal(err)
	}
	_, err = s.OAuthClient(t.Context(), "https://as.example", "http://127.0.0.1/cb")
	wantCode(t, err, model.CodeNotFound)
}

func TestSignInSettingsComeBackWithTheirSecrets(t *testing.T) {
	t.Parallel()
	s := withDocs(t)
	want := model.Server{Name: "docs", Transport: model.TransportHTTP, URL: "https://docs.example/mcp", OAuth: model.OAuth{
		Grant: model.GrantEnterprise, ClientID: "me", ClientSecret: model.Value{Text: "hidden-client-secret"},
		PrivateKey: model.Value{Text: "${KEY}"}, IDPIDToken: model.Value{Text: "hidden-id-token"}, DPoP: true,
		Scopes: []string{"a", "b"}, RedirectURI: "http://localhost:9/cb", AllowWithoutS256: true,
	}}
	if err := s.UpdateServer(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	got, err := s.Server(t.Context(), "docs")
	if err != nil || !reflect.DeepEqual(got.OAuth, want.OAuth) {
		t.Errorf("got %+v, %v, want %+v", got.OAuth, err, want.OAuth)
	}
	raw, err := os.ReadFile(s.Path() + "-wal")
	if err != nil || strings.Contains(string(raw), "hidden-") {
		t.Errorf("a secret lies in clear, or nothing was written: %v", err)
	}
}
