package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func languageModel(name string) model.LanguageModel {
	return model.LanguageModel{Name: name, Provider: model.ProviderOpenAI, BaseURL: "http://127.0.0.1:11434/v1", Model: "llama",
		APIKey: model.Value{Text: planted}, ContextTokens: 8192, Images: true, PriceInput: 0.15, PriceOutput: 0.6,
		CreatedAt: start, UpdatedAt: start}
}

func insertModels(t *testing.T, s *store.Store, models ...model.LanguageModel) {
	t.Helper()
	for _, m := range models {
		if err := s.InsertLanguageModel(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
}

func TestALanguageModelComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	want, script := languageModel("b"), model.LanguageModel{Name: "a", Provider: model.ProviderScripted, Script: "turn\nsay hi",
		APIKey: model.Value{Text: "${KEY}"}, CreatedAt: start, UpdatedAt: start}
	insertModels(t, s, want, script)
	wantCode(t, s.InsertLanguageModel(t.Context(), languageModel("a")), model.CodeConflict)
	want.Default = true // the first one
	if got, err := s.LanguageModels(t.Context()); err != nil || !reflect.DeepEqual(got, []model.LanguageModel{script, want}) {
		t.Errorf("LanguageModels:\n got %+v, %v\nwant %+v", got, err, []model.LanguageModel{script, want})
	}
	for _, name := range []string{"b", ""} {
		if got, err := s.LanguageModel(t.Context(), name); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("LanguageModel(%q): %+v, %v, want %+v", name, got, err, want)
		}
	}
	want.Name, want.Model, want.APIKey, want.UpdatedAt = "c", "other", model.Value{}, start.Add(time.Minute)
	if err := s.ReplaceLanguageModel(t.Context(), "b", want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.LanguageModel(t.Context(), "c"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("after it was replaced: %+v, %v, want %+v", got, err, want)
	}
	_, err := s.LanguageModel(t.Context(), "b")
	wantCode(t, err, model.CodeNotFound)
	wantCode(t, s.ReplaceLanguageModel(t.Context(), "b", want), model.CodeNotFound)
	want.Name = "a"
	wantCode(t, s.ReplaceLanguageModel(t.Context(), "c", want), model.CodeConflict)
	wantCode(t, s.DeleteLanguageModel(t.Context(), "b"), model.CodeNotFound)
}

func TestOneLanguageModelIsTheDefault(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, err := s.LanguageModel(t.Context(), "")
	wantCode(t, err, model.CodeNotFound)
	defaults := func(what, want string) {
		t.Helper()
		all, err := s.LanguageModels(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range all {
			if m.Default {
				got = append(got, m.Name)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: the default is %v, want %s", what, got, want)
		}
	}
	a, b, c := languageModel("a"), languageModel("b"), languageModel("c")
	b.CreatedAt = start.Add(-time.Hour)
	insertModels(t, s, a, b)
	defaults("the first one", "a")
	c.Default = true
	insertModels(t, s, c)
	defaults("a new one that says so", "c")
	c.Default = false
	if err := s.ReplaceLanguageModel(t.Context(), "c", c); err != nil {
		t.Fatal(err)
	}
	defaults("nobody else says so", "c")
	a.Default = true
	if err := s.ReplaceLanguageModel(t.Context(), "a", a); err != nil {
		t.Fatal(err)
	}
	defaults("another says so", "a")
	if err := s.DeleteLanguageModel(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	defaults("it was deleted", "b")
}

func TestAChatFollowsItsModelToAnotherName(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	insertModels(t, s, languageModel("a"))
	c, _ := newChat(t, s, "", start)
	c.Model = "a"
	if err := s.UpdateChat(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.ReplaceLanguageModel(t.Context(), "a", languageModel("b")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Chat(t.Context(), c.ID); err != nil || got.Model != "b" {
		t.Errorf("the chat's model: %q, %v, want b", got.Model, err)
	}
}

func TestAModelsKeyIsSealedAndChangesWithTheKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	s, _ := openKeyed(t, path, "x")
	insertModels(t, s, languageModel("a"))
	if err := s.ReplaceLanguageModel(t.Context(), "a", languageModel("b")); err != nil {
		t.Fatal(err)
	}
	if err := s.Rekey(t.Context(), keyed("y")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.LanguageModel(t.Context(), "b"); err != nil || got.APIKey.Text != planted {
		t.Errorf("after a change of the key: %+v, %v", got, err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(copied); err != nil || bytes.Contains(data, []byte(planted)) {
		t.Errorf("the key lies in the file in clear, or %v", err)
	}
	s, state := openKeyed(t, copied, "z")
	if !state.Sealed {
		t.Error("a database with a model's key says that nothing is sealed")
	}
	if names, err := s.UnreadableSecrets(t.Context()); err != nil || !reflect.DeepEqual(names, []string{`the key of language model "b"`}) {
		t.Errorf("UnreadableSecrets: %q, %v", names, err)
	}
	unreadable, err := s.LanguageModel(t.Context(), "b")
	if err != nil || !unreadable.APIKey.Unreadable || unreadable.APIKey.Text != "" {
		t.Fatalf("under another key: %+v, %v", unreadable, err)
	}
	unreadable.Name = "c"
	wantCode(t, s.ReplaceLanguageModel(t.Context(), "b", unreadable), model.CodeConflict)
	unreadable.Name, unreadable.Model = "b", "other"
	if err := s.ReplaceLanguageModel(t.Context(), "b", unreadable); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = openKeyed(t, copied, "y")
	if got, err := s.LanguageModel(t.Context(), "b"); err != nil || got.APIKey.Text != planted || got.Model != "other" {
		t.Errorf("under the right key again: %+v, %v", got, err)
	}
}
