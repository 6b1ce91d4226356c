package servers

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestDueAreTheLapsedListsThatNobodyHearsOf(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	past, future := lapse{time.Minute, now}, lapse{time.Minute, now.Add(time.Second)}
	again := lapse{time.Minute, now.Add(time.Minute)}
	for _, c := range []struct {
		name   string
		lapses map[model.ListKind]lapse
		hears  string
		want   []model.ListKind
		left   map[model.ListKind]lapse
	}{
		{"none", map[model.ListKind]lapse{}, "", nil, map[model.ListKind]lapse{}},
		{"later", map[model.ListKind]lapse{model.ListTools: future}, "", nil, map[model.ListKind]lapse{model.ListTools: future}},
		{"now", map[model.ListKind]lapse{model.ListTools: past, model.ListPrompts: future}, "", []model.ListKind{model.ListTools},
			map[model.ListKind]lapse{model.ListTools: again, model.ListPrompts: future}},
		{"heard of", map[model.ListKind]lapse{model.ListTools: past, model.ListTemplates: past}, "resources", []model.ListKind{model.ListTools},
			map[model.ListKind]lapse{model.ListTools: again, model.ListTemplates: again}},
	} {
		got := due(c.lapses, now, func(capability string) bool { return capability == c.hears })
		if !slices.Equal(got, c.want) || !reflect.DeepEqual(c.lapses, c.left) {
			t.Errorf("%s: got %v and %v, want %v and %v", c.name, got, c.lapses, c.want, c.left)
		}
	}
}

func TestALapsedListIsReadAgainWithinBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ttl   time.Duration
		hears bool
		reads int64 // in 26 hours, after the first
	}{
		{0, false, 26 * 3600 / 30},
		{time.Hour, false, 26},
		{time.Hour, true, 0},
		{1000 * time.Hour, false, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var reads atomic.Int64
			newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
				f := newFakeClient()
				f.hears = func(string) bool { return c.hears }
				f.lists = func(_ context.Context, kind model.ListKind) (client.List, error) {
					l := toolList("a")
					if kind == model.ListTools {
						reads.Add(1)
						l.TTL = &c.ttl
					}
					return l, nil
				}
				return f, nil
			}, config("a"))
			time.Sleep(26*time.Hour + time.Minute)
			synctest.Wait()
			// Each reading comes a moment after the list has lapsed.
			if got := reads.Load() - 1; got > c.reads || got < c.reads-c.reads/50 {
				t.Errorf("ttl %s, heard of %v: %d readings, want about %d", c.ttl, c.hears, got, c.reads)
			}
		})
	}
}
