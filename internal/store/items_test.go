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

func TestARestartCancelsQuestionsOfServers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	question, approval := newItem(), newItem()
	approval.Kind = model.ItemApproval
	for _, item := range []model.Item{question, approval} {
		if err := s.InsertItem(t.Context(), item); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.SettleOpenItems(t.Context(), start); err != nil || n != 1 {
		t.Errorf("SettleOpenItems: %d, %v, want 1", n, err)
	}
	got, err := s.Item(t.Context(), question.ID)
	if want := (model.Resolution{Action: model.ActionCancel, By: "restart", At: start}); err != nil || got.Resolution == nil || *got.Resolution != want {
		t.Errorf("the question: %+v, %v, want %+v", got.Resolution, err, want)
	}
	if open, err := s.OpenItems(t.Context()); err != nil || len(open) != 1 || open[0].ID != approval.ID {
		t.Errorf("open: %+v, %v, want the approval", open, err)
	}
}
