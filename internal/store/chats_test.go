package store_test

import (
	"database/sql"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// newChat stores a chat, which moved last at the given time.
func newChat(t testing.TB, s *store.Store, title string, moved time.Time) (model.ChatSession, model.Frame) {
	t.Helper()
	c := model.ChatSession{ID: newID(), Title: title, Agent: "main", CreatedAt: start, UpdatedAt: moved}
	root := model.Frame{ID: newID(), SessionID: c.ID, Agent: "main", State: model.FrameOpen, CreatedAt: start}
	if err := s.InsertChat(t.Context(), c, root); err != nil {
		t.Fatal(err)
	}
	return c, root
}

// say stores a message of one text.
func say(t testing.TB, s *store.Store, f model.Frame, role model.ChatRole, text string) model.ChatMessage {
	t.Helper()
	m := model.ChatMessage{ID: newID(), SessionID: f.SessionID, FrameID: f.ID, Root: f.ParentID == "", Role: role,
		Parts: []model.ChatPart{{Kind: model.PartText, Text: text}}, CreatedAt: start}
	if err := s.InsertMessage(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestChatComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	c, root := newChat(t, s, "", start)
	wantCode(t, s.InsertChat(t.Context(), c, root), model.CodeConflict)
	if got, err := s.Chat(t.Context(), c.ID); err != nil || got != c {
		t.Errorf("Chat: %+v, %v, want %+v", got, err, c)
	}
	c = model.ChatSession{ID: c.ID, Title: "Weather", Named: true, Agent: "tic", Model: "fast", TurnID: "t1", ContextUsed: 812,
		ElidedBefore: "m1", SummaryID: "m2", CreatedAt: start, UpdatedAt: start.Add(time.Minute)}
	if err := s.UpdateChat(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got, err := s.OpenTurns(t.Context()); err != nil || !reflect.DeepEqual(got, []model.ChatSession{c}) {
		t.Errorf("OpenTurns: %+v, %v, want %+v", got, err, c)
	}
	if err := s.DeleteChat(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	_, err := s.Chat(t.Context(), c.ID)
	wantCode(t, err, model.CodeNotFound)
	wantCode(t, s.UpdateChat(t.Context(), c), model.CodeNotFound)
	wantCode(t, s.DeleteChat(t.Context(), c.ID), model.CodeNotFound)
}

func TestAFrameComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, root := newChat(t, s, "", start)
	child := model.Frame{ID: newID(), SessionID: root.SessionID, ParentID: root.ID, UseID: "use", Agent: "researcher", Task: "look",
		Depth: 1, State: model.FrameOpen, CreatedAt: start}
	if err := s.InsertFrame(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	child.State, child.EndedAt = model.FrameDone, start.Add(time.Second)
	if err := s.UpdateFrame(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Frames(t.Context(), root.SessionID); err != nil || !reflect.DeepEqual(got, []model.Frame{root, child}) {
		t.Errorf("Frames:\n got %+v, %v\nwant %+v", got, err, []model.Frame{root, child})
	}
	wantCode(t, s.UpdateFrame(t.Context(), model.Frame{ID: "nobody", State: model.FrameDone}), model.CodeNotFound)
	child.ID, child.SessionID = newID(), "nobody"
	wantCode(t, s.InsertFrame(t.Context(), child), model.CodeNotFound)
}

func countRows(t *testing.T, s *store.Store, table string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestALongChatIsDeletedWhole(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, root := newChat(t, s, "Long", start)
	other, otherRoot := newChat(t, s, "Other", start)
	kept := say(t, s, otherRoot, model.RoleUser, "kept")
	for range 501 {
		say(t, s, root, model.RoleUser, "x")
	}
	if err := s.DeleteChat(t.Context(), root.SessionID); err != nil {
		t.Fatal(err)
	}
	if n := countRows(t, s, "chat_messages"); n != 1 {
		t.Errorf("%d messages are left, want the other chat's", n)
	}
	if got, err := s.Transcript(t.Context(), otherRoot.ID, ""); err != nil || len(got) != 1 || got[0].ID != kept.ID {
		t.Errorf("of chat %s: %+v, %v", other.ID, got, err)
	}
}

func TestApprovalsForAChatGoWithIt(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chat, _ := newChat(t, s, "Gone", start)
	for _, id := range []string{chat.ID, "another"} {
		if err := s.PutSessionGrant(t.Context(), model.SessionGrant{SessionID: id, Server: "demo", Tool: "notify"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeleteChat(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	if n := countRows(t, s, "policy_grants"); n != 1 {
		t.Errorf("%d approvals are left, want the other chat's", n)
	}
}
