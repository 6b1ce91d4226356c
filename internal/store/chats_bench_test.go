package store_test

import (
	"fmt"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

// longChat has 10,000 messages of half a KiB, one of which says "needle in Zürich".
func longChat(b *testing.B) (*store.Store, model.Frame) {
	b.Helper()
	s := storetest.New(b)
	_, root := newChat(b, s, "Long", start)
	filler := strings.Repeat("Some words of an ordinary answer. ", 15)
	for i := range 10_000 {
		text := fmt.Sprintf("%d: %s", i, filler)
		if i == 5000 {
			text += "needle in Zürich"
		}
		say(b, s, root, model.RoleAssistant, text)
	}
	return s, root
}

func BenchmarkLongChat(b *testing.B) {
	s, root := longChat(b)
	b.Run("newest page", func(b *testing.B) {
		for b.Loop() {
			page, _, err := s.ListMessages(b.Context(), model.MessageFilter{SessionID: root.SessionID})
			if err != nil || len(page) != store.DefaultLimit {
				b.Fatal(len(page), err)
			}
		}
	})
	b.Run("transcript", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Transcript(b.Context(), root.ID, ""); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, query := range map[string]string{"rare word": "zurich", "short word": "ür", "in every message": "ordinary", "nowhere": "haystack"} {
		b.Run("search/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.ListChats(b.Context(), model.ChatFilter{Query: query}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
