package store_test

import (
	"reflect"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestGrantsGoWithTheirFrameAndTheirServer(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, root := newChat(t, s, "", start)
	child := model.Frame{ID: newID(), SessionID: root.SessionID, ParentID: root.ID, Depth: 1, State: model.FrameOpen, CreatedAt: start}
	if err := s.InsertFrame(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"demo", "a"} {
		if err := s.InsertServer(t.Context(), stdioServer(name)); err != nil {
			t.Fatal(err)
		}
	}
	grants := func(what string, f model.Frame, want ...string) {
		t.Helper()
		if got, err := s.Grants(t.Context(), f); err != nil || !reflect.DeepEqual(got, append([]string{}, want...)) {
			t.Errorf("%s: %v, %v, want %v", what, got, err, want)
		}
	}
	for f, groups := range map[*model.Frame][]string{&root: {"demo", "gone", "a", "demo", model.GroupConfig}, &child: {"a"}} {
		if err := s.SetGrants(t.Context(), *f, groups); err != nil {
			t.Fatal(err)
		}
	}
	grants("a chat", root, "demo", "a", model.GroupConfig)
	grants("a sub-agent", child, "a")
	if err := s.DeleteServer(t.Context(), "demo"); err != nil {
		t.Fatal(err)
	}
	grants("after a server went", root, "a", model.GroupConfig)
	child.State = model.FrameDone
	if err := s.UpdateFrame(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	grants("a sub-agent that has ended", child)
	if err := s.DeleteChat(t.Context(), root.SessionID); err != nil {
		t.Fatal(err)
	}
	grants("a deleted chat", root)
	wantCode(t, s.SetGrants(t.Context(), root, []string{"a"}), model.CodeNotFound)
	for _, table := range []string{"session_frames", "chat_messages"} {
		if n := countRows(t, s, table); n != 0 {
			t.Errorf("%d rows in %s after the chat was deleted", n, table)
		}
	}
}
