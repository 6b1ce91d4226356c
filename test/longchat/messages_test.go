package main

import (
	"path/filepath"
	"slices"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestTheChatIsThereInItsOrder(t *testing.T) {
	t.Parallel()
	const count = 300
	path := filepath.Join(t.TempDir(), "kontor.db")
	id, err := write(t.Context(), path, count)
	if err != nil {
		t.Fatal(err)
	}
	got, next, err := storetest.Open(t, path).ListMessages(t.Context(), model.MessageFilter{SessionID: id, Limit: store.MaxLimit})
	if err != nil || len(got) != count || next != "" {
		t.Fatalf("%d messages, next %q, %v, want %d", len(got), next, err, count)
	}
	slices.Reverse(got)
	for i, want := range messages(count) {
		if got[i].Role != want.Role || got[i].Parts[0].Text != want.Parts[0].Text {
			t.Fatalf("message %d: got %s %q, want %s %q", i, got[i].Role, got[i].Parts[0].Text, want.Role, want.Parts[0].Text)
		}
	}
}
