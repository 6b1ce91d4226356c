package store_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestAMessageComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, root := newChat(t, s, "", start)
	want := model.ChatMessage{ID: newID(), SessionID: root.SessionID, FrameID: root.ID, TurnID: "t1", Root: true, Role: model.RoleAssistant,
		Parts: []model.ChatPart{
			{Kind: model.PartReasoning, Text: "hm", Signature: "sealed", Redacted: true},
			{Kind: model.PartText, Text: "a\x00b <&> \u2028 ü🔑\n"},
			{Kind: model.PartToolUse, UseID: "u1", Name: "mcp__demo__echo", CallID: "c1",
				Arguments: json.RawMessage(`{ "n" : 1e400, "big":12345678901234567890123, "s":"\u00fc<&>" }`)},
			{Kind: model.PartToolResult, UseID: "u1", IsError: true, Cut: &model.Cut{Total: 9, Shown: 4}, Notes: []string{"mended"},
				Media: []model.Media{{File: "ab.png", URL: "/api/mcp-media/ab.png", MIMEType: "image/png", Size: 412}}},
		},
		Model: "fast", Usage: model.ChatUsage{Input: 3, CacheRead: 2, Output: 1}, Finish: "failed",
		Error: &model.Error{Code: "overloaded", Message: "Busy.", Fix: "Wait."}, CreatedAt: start}
	if err := s.InsertMessage(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.InsertMessage(t.Context(), want), model.CodeConflict)
	got, err := s.Transcript(t.Context(), root.ID, "")
	if err != nil || !reflect.DeepEqual(got, []model.ChatMessage{want}) {
		t.Errorf("Transcript:\n got %+v, %v\nwant %+v", got, err, want)
	}
	want.ID, want.SessionID = newID(), "nobody"
	wantCode(t, s.InsertMessage(t.Context(), want), model.CodeNotFound)
}

func TestMessagesComeInPagesOfOneFrame(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, root := newChat(t, s, "", start)
	child := model.Frame{ID: newID(), SessionID: root.SessionID, ParentID: root.ID, Depth: 1, State: model.FrameOpen, CreatedAt: start}
	if err := s.InsertFrame(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 5 {
		want = append([]string{say(t, s, root, model.RoleUser, fmt.Sprint(i)).ID}, want...)
		say(t, s, child, model.RoleUser, "in the child")
	}
	var got []string
	for f := (model.MessageFilter{SessionID: root.SessionID, Limit: 2}); ; {
		page, next, err := s.ListMessages(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page {
			got = append(got, m.ID)
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if page, _, err := s.ListMessages(t.Context(), model.MessageFilter{SessionID: root.SessionID, FrameID: child.ID}); err != nil || len(page) != 5 || page[0].Root {
		t.Errorf("the child's: %+v, %v", page, err)
	}
	for _, f := range []model.MessageFilter{
		{SessionID: "nobody"}, {SessionID: root.SessionID, FrameID: "nobody"}, {SessionID: "nobody", FrameID: child.ID},
	} {
		_, _, err := s.ListMessages(t.Context(), f)
		wantCode(t, err, model.CodeNotFound)
	}
}

func TestReplacedMessagesAreNeitherShownNorFound(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	c, root := newChat(t, s, "", start)
	kept, from := say(t, s, root, model.RoleUser, "first"), say(t, s, root, model.RoleUser, "second")
	say(t, s, root, model.RoleAssistant, "third")
	if err := s.ReplaceFrom(t.Context(), c.ID, from.ID, start); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.ReplaceFrom(t.Context(), c.ID, from.ID, start), model.CodeNotFound)
	wantCode(t, s.ReplaceFrom(t.Context(), "another", kept.ID, start), model.CodeNotFound)
	after := say(t, s, root, model.RoleUser, "fourth")
	want := []model.ChatMessage{kept, after}
	if got, err := s.Transcript(t.Context(), root.ID, ""); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Transcript:\n got %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := s.Transcript(t.Context(), root.ID, after.ID); err != nil || !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("Transcript from the last: %+v, %v", got, err)
	}
	for query, n := range map[string]int{"first": 1, "second": 0, "third": 0, "fourth": 1} {
		if got, _, err := s.ListChats(t.Context(), model.ChatFilter{Query: query}); err != nil || len(got) != n {
			t.Errorf("%s: %d chats, %v, want %d", query, len(got), err, n)
		}
	}
}
