package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestWritesFromManySidesAllCommit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	const writers, each = 16, 8
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range each {
				call := newCall()
				if err := s.InsertCall(t.Context(), call); err != nil {
					t.Errorf("InsertCall: %v", err)
				}
				// Committed: a reader on another connection sees it.
				if _, err := s.Call(t.Context(), call.ID); err != nil {
					t.Errorf("Call: %v", err)
				}
				call.State = model.CallDone
				if err := s.FinishCall(t.Context(), call); err != nil {
					t.Errorf("FinishCall: %v", err)
				}
				if _, _, err := s.ListCalls(t.Context(), store.CallFilter{Server: "demo", Limit: 5}); err != nil {
					t.Errorf("ListCalls: %v", err)
				}
				if err := s.SetSetting(t.Context(), "k", json.RawMessage(`1`)); err != nil {
					t.Errorf("SetSetting: %v", err)
				}
			}
		})
	}
	group.Wait()
	total, filter := 0, store.CallFilter{State: model.CallDone, Limit: store.MaxLimit}
	for {
		page, next, err := s.ListCalls(t.Context(), filter)
		if err != nil {
			t.Fatal(err)
		}
		total += len(page)
		if filter.Cursor = next; next == "" {
			break
		}
	}
	if total != writers*each {
		t.Errorf("%d calls, want %d", total, writers*each)
	}
}

func TestAWriteWithAnEndedContextIsNotStored(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	call := newCall()
	if err := s.InsertCall(ctx, call); err != context.Canceled {
		t.Errorf("InsertCall: %v, want %v", err, context.Canceled)
	}
	_, err := s.Call(t.Context(), call.ID)
	wantCode(t, err, model.CodeNotFound)
}

// BenchmarkCall makes the two writes of a call: alone each is a transaction, in a
// crowd they share.
func BenchmarkCall(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s := storetest.New(b)
			work := make(chan model.Call, 1024)
			go func() {
				defer close(work)
				for range b.N {
					work <- newCall()
				}
			}()
			var group sync.WaitGroup
			b.ResetTimer()
			for range writers {
				group.Go(func() {
					for call := range work {
						insert, finish := s.InsertCall(b.Context(), call), s.FinishCall(b.Context(), done(call))
						if insert != nil || finish != nil {
							b.Errorf("InsertCall: %v, FinishCall: %v", insert, finish)
						}
					}
				})
			}
			group.Wait()
		})
	}
}

// done is the call with an answer of one text.
func done(c model.Call) model.Call {
	text := strings.Repeat("A line of text that a tool gives back.\n", 2)
	c.State = model.CallDone
	c.Result = model.Result{Type: model.ResultString, Text: text, Content: []model.Content{{Kind: model.ContentText, Text: text}}}
	return c
}

func BenchmarkTokenByHash(b *testing.B) {
	s := storetest.New(b)
	token := model.Token{ID: "1", Scope: model.ScopeFull, Hash: make([]byte, 32)}
	if err := s.InsertToken(b.Context(), token); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.TokenByHash(b.Context(), token.Hash); err != nil {
			b.Fatal(err)
		}
	}
}
