package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
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

func TestGrantsGoWithTheirFrameAndTheirServer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	s := storetest.Open(t, path)
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
