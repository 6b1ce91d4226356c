package store_test

import (
	"encoding/json"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func newItem() model.Item {
	return model.Item{ID: uuid.Must(uuid.NewV7()).String(), Kind: model.ItemElicitation, Server: "demo", Tool: "ask",
		CallIDs: []string{"c1", "c2"}, SessionID: "s1", Asker: model.Asker{Kind: "agent", Label: "main"},
		Mode: model.ElicitForm, Message: "How many?", Schema: json.RawMessage(`{"maximum": 1e400}`),
		CreatedAt: start, Deadline: start.Add(5 * time.Minute)}
}

func TestItemComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	want := newItem()
	if err := s.InsertItem(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.InsertItem(t.Context(), want), model.CodeConflict)
	if got, err := s.OpenItems(t.Context()); err != nil || !reflect.DeepEqual(got, []model.Item{want}) {
		t.Errorf("OpenItems:\n got %+v, %v\nwant %+v", got, err, want)
	}
	want.Resolution = &model.Resolution{Action: model.ActionAccept, By: "you", At: start.Add(time.Second)}
	if won, err := s.ResolveItem(t.Context(), want.ID, *want.Resolution); err != nil || !won {
		t.Errorf("ResolveItem: %t, %v", won, err)
	}
	if got, err := s.Item(t.Context(), want.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Item:\n got %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := s.OpenItems(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("OpenItems: %+v, %v, want none", got, err)
	}
	_, err := s.ResolveItem(t.Context(), "nothing", *want.Resolution)
	wantCode(t, err, model.CodeNotFound)
}

func TestOneResolutionOfManyWins(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	item := newItem()
	if err := s.InsertItem(t.Context(), item); err != nil {
		t.Fatal(err)
	}
	var wins atomic.Int32
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			won, err := s.ResolveItem(t.Context(), item.ID, model.Resolution{Action: model.ActionDecline, By: "you", At: start})
			if err != nil {
				t.Errorf("ResolveItem: %v", err)
			}
			if won {
				wins.Add(1)
			}
		})
	}
	group.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d resolutions won, want 1", wins.Load())
	}
}

func TestARestartCancelsWhatNobodyWaitsForAnyMore(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	addTurn(t, s, "s1")
	waits, ended := newCall(), newCall()
	waits.State = model.CallWaitingApproval
	insert(t, s, waits, ended)
	item := func(kind model.ItemKind, session, call string) string {
		i := newItem()
		i.Kind, i.SessionID, i.CallID = kind, session, call
		if err := s.InsertItem(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		return i.ID
	}
	stays := map[string]bool{
		item(model.ItemElicitation, "s1", waits.ID): false,
		item(model.ItemSignIn, "", ""):              false,
		item(model.ItemApproval, "s1", waits.ID):    true,
		item(model.ItemApproval, "s1", ended.ID):    false,
		item(model.ItemApproval, "s1", "no row"):    false,
		item(model.ItemQuestion, "s1", "u1"):        true,
		item(model.ItemQuestion, "gone", "u1"):      false,
		item(model.ItemNotification, "", ""):        true,
	}
	if n, err := s.SettleOpenItems(t.Context(), start); err != nil || n != 5 {
		t.Errorf("SettleOpenItems: %d, %v, want 5", n, err)
	}
	for id, want := range stays {
		got, err := s.Item(t.Context(), id)
		if err != nil || (got.Resolution == nil) != want {
			t.Errorf("%s: %+v, %v, want open %v", got.Kind, got.Resolution, err, want)
		}
		if r := (model.Resolution{Action: model.ActionCancel, By: "restart", At: start}); !want && *got.Resolution != r {
			t.Errorf("%s ended as %+v, want %+v", got.Kind, *got.Resolution, r)
		}
	}
	if open, err := s.OpenItems(t.Context()); err != nil || len(open) != 3 {
		t.Errorf("%d are open, %v, want 3", len(open), err)
	}
}

// What an approval shows and how it was answered is there after a restart.
func TestApprovalsAndQuestionsKeepWhatTheyShowAndTheirAnswer(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	approval, question := newItem(), newItem()
	approval.Kind, approval.CallID = model.ItemApproval, "c1"
	approval.Approval = &model.Approval{Name: "mcp__demo__ask", Arguments: json.RawMessage(`{"n":1e400,"html":"<b>&"}`),
		Annotations: json.RawMessage(`{"readOnlyHint":true}`), Notes: []string{"n was text"}, OnceOnly: true,
		Change: &model.DefinitionChange{Old: json.RawMessage(`{"a":1.0}`), New: json.RawMessage(`{"a":2}`), At: start}}
	question.Kind, question.CallID, question.Question = model.ItemQuestion, "c1", &model.Question{Suggestions: []string{"yes"}}
	approval.Resolution = &model.Resolution{Action: model.ActionAccept, By: "you", At: start, Scope: model.ScopeAlways, ForArguments: true}
	question.Resolution = &model.Resolution{Action: model.ActionAccept, By: "you", At: start, Text: "no"}
	for _, want := range []model.Item{approval, question} {
		older := want
		older.ID, older.Resolution = "0"+want.ID, nil
		for _, i := range []model.Item{older, want} {
			if err := s.InsertItem(t.Context(), i); err != nil {
				t.Fatal(err)
			}
		}
		if won, err := s.ResolveItem(t.Context(), want.ID, *want.Resolution); err != nil || !won {
			t.Errorf("ResolveItem: %t, %v", won, err)
		}
		if got, err := s.ItemOf(t.Context(), want.Kind, "c1"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ItemOf:\n got %+v, %v\nwant %+v", got, err, want)
		}
	}
	_, err := s.ItemOf(t.Context(), model.ItemApproval, "")
	wantCode(t, err, model.CodeNotFound)
}

// addTurn adds a chat with a turn on its way.
func addTurn(t *testing.T, s *store.Store, session string) {
	t.Helper()
	chat := model.ChatSession{ID: session, TurnID: "t1", CreatedAt: start, UpdatedAt: start}
	root := model.Frame{ID: "root of " + session, SessionID: session, State: model.FrameOpen, CreatedAt: start}
	if err := s.InsertChat(t.Context(), chat, root); err != nil {
		t.Fatal(err)
	}
}
