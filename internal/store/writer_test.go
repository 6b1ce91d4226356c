package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestDurableWritesAloneAreFullySynced(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "kontor.db"),
		Unlock: func(KeyState) (Sealer, error) { return noKey{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	level := -1
	look := func(ctx context.Context, tx *transaction) error {
		return tx.GetContext(ctx, &level, `PRAGMA synchronous`)
	}
	const normal, full = 1, 2 // https://www.sqlite.org/pragma.html#pragma_synchronous
	for _, step := range []struct {
		do   func(context.Context, func(context.Context, *transaction) error) error
		want int
	}{{s.queue.do, normal}, {s.queue.doDurably, full}, {s.queue.doAlone, normal}} {
		if err := step.do(t.Context(), look); err != nil || level != step.want {
			t.Errorf("synchronous = %d, %v, want %d", level, err, step.want)
		}
	}
}

func TestSeveralStatementsAreUndoneAsAWhole(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "kontor.db"),
		Unlock: func(KeyState) (Sealer, error) { return noKey{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	broken := errors.New("second thoughts")
	err = s.queue.doAlone(t.Context(), func(ctx context.Context, tx *transaction) error {
		if _, err := tx.ExecContext(ctx, putSetting, "half", raw(`1`), orNow(time.Time{})); err != nil {
			t.Errorf("insert: %v", err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if _, err := s.Setting(t.Context(), "half"); err == nil {
		t.Error("half of it stayed")
	}
}
