package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestAFullDiskLosesNothingStored(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "kontor.db"),
		Unlock: func(KeyState) (Sealer, error) { return noKey{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	insert := func(id string, size int) error {
		return s.InsertCall(t.Context(), model.Call{ID: id, State: model.CallRunning,
			Arguments: []byte(`"` + strings.Repeat("x", size) + `"`)})
	}
	for i := range 20 {
		if err := insert(fmt.Sprint("before", i), 100); err != nil {
			t.Fatal(err)
		}
	}
	var pages int
	if err := s.read.GetContext(t.Context(), &pages, `PRAGMA page_count`); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		err := s.queue.do(t.Context(), func(ctx context.Context, tx *transaction) error {
			_, err := tx.ExecContext(ctx, fmt.Sprint("PRAGMA max_page_count = ", n))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 8)

	// Those that fit and those that don't come together: each gets its own answer.
	var group sync.WaitGroup
	for i := range 10 {
		group.Go(func() {
			err := insert(fmt.Sprint("large", i), 1<<20)
			if model.CodeOf(err) != model.CodeStorage || !strings.Contains(fmt.Sprint(err), "disk is full") {
				t.Errorf("a row that doesn't fit: %v", err)
			}
		})
		group.Go(func() {
			if err := insert(fmt.Sprint("small", i), 10); err != nil {
				t.Errorf("a row that fits: %v", err)
			}
		})
	}
	group.Wait()
	var ids []string
	if err := s.read.SelectContext(t.Context(), &ids, `SELECT id FROM tool_calls`); err != nil {
		t.Fatal(err)
	}
	if len(ids) != 30 || strings.Contains(strings.Join(ids, " "), "large") {
		t.Errorf("stored %v, want the 20 from before and the 10 small ones", ids)
	}
	limit(1 << 20)
	if err := insert("after", 1<<20); err != nil {
		t.Errorf("with space again: %v", err)
	}
}
