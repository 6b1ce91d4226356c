package store_test

import (
	"reflect"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	a := model.Token{ID: "1", Name: "editor", Scope: model.ScopeGateway, Prefix: "kt_abc", Hash: []byte{1, 2}, CreatedAt: start}
	b := model.Token{ID: "2", Name: "script", Scope: model.ScopeFull, Hash: []byte{3}, CreatedAt: start, ExpiresAt: start.Add(time.Hour)}
	for _, token := range []model.Token{a, b} {
		if err := s.InsertToken(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, s.InsertToken(t.Context(), a), model.CodeConflict)
	if err := s.InsertToken(t.Context(), model.Token{ID: "3", Scope: "everything", Hash: []byte{4}}); err == nil {
		t.Error("a token with an unknown scope was stored")
	}
	if err := s.TouchToken(t.Context(), "1", start.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	a.LastUsedAt = start.Add(time.Minute)
	if got, err := s.TokenByHash(t.Context(), a.Hash); err != nil || !reflect.DeepEqual(got, a) {
		t.Errorf("TokenByHash: %+v, %v, want %+v", got, err, a)
	}
	if got, err := s.ListTokens(t.Context()); err != nil || !reflect.DeepEqual(got, []model.Token{b, a}) {
		t.Errorf("ListTokens: %+v, %v", got, err)
	}
	if err := s.RevokeToken(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	_, err := s.TokenByHash(t.Context(), a.Hash)
	wantCode(t, err, model.CodeNotFound)
	wantCode(t, s.RevokeToken(t.Context(), "1"), model.CodeNotFound)
	if err := s.TouchToken(t.Context(), "1", start); err != nil {
		t.Errorf("a use that crosses the revocation: %v", err)
	}
}

func TestWebSessions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	a := model.WebSession{ID: "1", Hash: []byte{1}, UserAgent: "Firefox", CreatedAt: start, LastSeenAt: start, ExpiresAt: start.Add(time.Hour)}
	b := model.WebSession{ID: "2", Hash: []byte{2}, CreatedAt: start, LastSeenAt: start.Add(time.Second), ExpiresAt: start.Add(3 * time.Hour)}
	for _, session := range []model.WebSession{a, b} {
		if err := s.InsertWebSession(t.Context(), session); err != nil {
			t.Fatal(err)
		}
	}
	a.LastSeenAt, a.ExpiresAt = start.Add(time.Minute), start.Add(2*time.Hour)
	if err := s.TouchWebSession(t.Context(), "1", a.LastSeenAt, a.ExpiresAt); err != nil {
		t.Fatal(err)
	}
	if got, err := s.WebSessionByHash(t.Context(), a.Hash); err != nil || !reflect.DeepEqual(got, a) {
		t.Errorf("WebSessionByHash: %+v, %v, want %+v", got, err, a)
	}
	if got, err := s.ListWebSessions(t.Context()); err != nil || !reflect.DeepEqual(got, []model.WebSession{a, b}) {
		t.Errorf("ListWebSessions: %+v, %v", got, err)
	}
	if n, err := s.DeleteExpiredWebSessions(t.Context(), a.ExpiresAt); err != nil || n != 1 {
		t.Errorf("DeleteExpiredWebSessions: %d, %v, want 1", n, err)
	}
	_, err := s.WebSessionByHash(t.Context(), a.Hash)
	wantCode(t, err, model.CodeNotFound)
	if err := s.DeleteWebSession(t.Context(), "2"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.DeleteWebSession(t.Context(), "2"), model.CodeNotFound)
}
