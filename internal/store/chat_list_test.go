package store_test

import (
	"reflect"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestChatsAreFoundByTitleAndByWhatWasSaid(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	a, rootA := newChat(t, s, "Übersicht", start.Add(time.Minute))
	b, rootB := newChat(t, s, "", start)
	say(t, s, rootA, model.RoleUser, `Wie wird das Wetter in Zürich? 100% "sicher"`)
	say(t, s, rootB, model.RoleAssistant, "天気は晴れです")
	say(t, s, rootB, model.RoleTool, "a result isn't searched")
	b.Title = "Renamed"
	if err := s.UpdateChat(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		"": {a.ID, b.ID}, "  ": {a.ID, b.ID}, "übersicht": {a.ID}, "UBERSICHT": {a.ID}, "zurich wetter": {a.ID}, "ett": {a.ID},
		"0%": {a.ID}, "_": nil, `"sicher"`: {a.ID}, `"`: {a.ID}, "NOT (a*": nil, "晴れです": {b.ID}, "天気": {b.ID}, "ren": {b.ID}, "result": nil,
		"wetter sunny": nil, "in wie": {a.ID},
	} {
		got, _, err := s.ListChats(t.Context(), model.ChatFilter{Query: query})
		var ids []string
		for _, c := range got {
			ids = append(ids, c.ID)
		}
		if err != nil || !reflect.DeepEqual(ids, want) {
			t.Errorf("%q: %v, %v, want %v", query, ids, err, want)
		}
	}
	if err := s.DeleteChat(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	if n := countRows(t, s, "chat_search"); n != 2 {
		t.Errorf("%d rows in the index, want the 2 of the other chat", n)
	}
}

func TestChatsComeInPages(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var want []string
	for i := range 5 {
		c, _ := newChat(t, s, "", start.Add(time.Duration(i/2)*time.Second)) // two at a time
		want = append([]string{c.ID}, want...)
	}
	var got []string
	for f := (model.ChatFilter{Limit: 2}); ; {
		page, next, err := s.ListChats(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page {
			got = append(got, c.ID)
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	_, _, err := s.ListChats(t.Context(), model.ChatFilter{Cursor: "nonsense"})
	wantCode(t, err, model.CodeInvalid)
}
