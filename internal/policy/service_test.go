package policy

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

// rig is a service over a real store.
type rig struct {
	*Service
	store *store.Store
	news  int
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{store: storetest.New(t)}
	r.Service = r.again(t)
	return r
}

// again is the service as after a restart.
func (r *rig) again(t *testing.T) *Service {
	t.Helper()
	return New(t.Context(), Options{Store: r.store, Publish: func(model.Event) { r.news++ }, Log: slog.New(slog.DiscardHandler)})
}

func (r *rig) add(t *testing.T, rules ...model.Rule) {
	t.Helper()
	for _, rule := range rules {
		rule.Position = -1
		if _, err := r.Add(t.Context(), rule); err != nil {
			t.Fatal(err)
		}
	}
}

// order is the notes of the rules, as they are now and after a restart.
func (r *rig) order(t *testing.T) string {
	t.Helper()
	var out []string
	for _, s := range []*Service{r.Service, r.again(t)} {
		rules, err := s.Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for i, rule := range rules {
			if rule.Position != i {
				t.Errorf("rule %d says that it is at %d", i, rule.Position)
			}
			notes = append(notes, rule.Note)
		}
		out = append(out, strings.Join(notes, " "))
	}
	if out[0] != out[1] {
		t.Errorf("the rules are %q, and %q after a restart", out[0], out[1])
	}
	return out[0]
}

func TestRulesHaveAnOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add(t, model.Rule{Action: model.PolicyAllow, Note: "a"}, model.Rule{Action: model.PolicyAsk, Note: "b"}, model.Rule{Action: model.PolicyDeny, Note: "c"})
	first, err := r.Add(t.Context(), model.Rule{Action: model.PolicyAsk, Note: "d", Position: 0})
	if err != nil || first.ID == "" || first.CreatedAt.IsZero() {
		t.Fatalf("%+v, %v", first, err)
	}
	if got := r.order(t); got != "d a b c" {
		t.Errorf("after adding: %q", got)
	}
	moved, err := r.Replace(t.Context(), model.Rule{ID: first.ID, Action: model.PolicyAllow, Note: "e", Position: 2})
	if err != nil || moved.Position != 2 || !moved.CreatedAt.Equal(first.CreatedAt) {
		t.Errorf("%+v, %v", moved, err)
	}
	if got := r.order(t); got != "a b e c" {
		t.Errorf("after moving: %q", got)
	}
	if kept, err := r.Replace(t.Context(), model.Rule{ID: first.ID, Action: model.PolicyAllow, Note: "f", Position: -1}); err != nil || kept.Position != 2 {
		t.Errorf("%+v, %v", kept, err)
	}
	rules, _ := r.Rules(t.Context())
	ids := []string{rules[3].ID, rules[2].ID, rules[1].ID, rules[0].ID}
	if _, err := r.Order(t.Context(), ids); err != nil || r.order(t) != "c f b a" {
		t.Errorf("after ordering: %q, %v", r.order(t), err)
	}
	if err := r.Delete(t.Context(), first.ID); err != nil || r.order(t) != "c b a" {
		t.Errorf("after deleting: %q, %v", r.order(t), err)
	}
	if r.news != 8 {
		t.Errorf("%d changes were news, want 8", r.news)
	}
}

func TestWrongChangesChangeNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add(t, model.Rule{Action: model.PolicyAllow, Note: "a"}, model.Rule{Action: model.PolicyAsk, Note: "b"})
	rules, _ := r.Rules(t.Context())
	argument := func(path string) model.Rule {
		return model.Rule{Action: model.PolicyAsk, Argument: &model.ArgumentPattern{Path: path}}
	}
	add := func(rule model.Rule) error { _, err := r.Add(t.Context(), rule); return err }
	order := func(ids ...string) error { _, err := r.Order(t.Context(), ids); return err }
	_, unknown := r.Replace(t.Context(), model.Rule{ID: "x", Action: model.PolicyAsk})
	for name, tc := range map[string]struct {
		err  error
		want model.Code
	}{
		"no action":           {add(model.Rule{}), model.CodeInvalid},
		"an asker of no kind": {add(model.Rule{Action: model.PolicyAsk, Asker: "agents"}), model.CodeInvalid},
		"a relative path":     {add(argument("path")), model.CodeInvalid},
		"a bad escape":        {add(argument("/a~2")), model.CodeInvalid},
		"an escape cut off":   {add(argument("/a~")), model.CodeInvalid},
		"a huge pattern":      {add(model.Rule{Action: model.PolicyAsk, Argument: &model.ArgumentPattern{Pattern: strings.Repeat("x", maxPattern+1)}}), model.CodeTooLarge},
		"delete none":         {r.Delete(t.Context(), "x"), model.CodeNotFound},
		"replace none":        {unknown, model.CodeNotFound},
		"order too few":       {order(rules[0].ID), model.CodeConflict},
		"order one twice":     {order(rules[0].ID, rules[0].ID), model.CodeConflict},
		"order an unknown":    {order(rules[0].ID, rules[1].ID, "x"), model.CodeConflict},
	} {
		if tc.err == nil || model.CodeOf(tc.err) != tc.want {
			t.Errorf("%s: %v, want %s", name, tc.err, tc.want)
		}
	}
	if got := r.order(t); got != "a b" {
		t.Errorf("the rules are %q", got)
	}
	for _, path := range []string{"", "/", "/a/0/b", "/a~0b~1c"} {
		if err := validPointer(path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// broken is a store whose rules can't be read.
type broken struct {
	*store.Store
	fail bool
}

func (b *broken) Rules(ctx context.Context) ([]model.Rule, error) {
	if b.fail {
		return nil, errors.New("disk on fire")
	}
	return b.Store.Rules(ctx)
}

func TestRulesThatCantBeReadAskAndAreNotWrittenOver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.add(t, model.Rule{Action: model.PolicyDeny, Note: "a"})
	disk := &broken{r.store, true}
	s := New(t.Context(), Options{Store: disk, Publish: func(model.Event) {}, Log: slog.New(slog.DiscardHandler)})
	p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: "agent"}}
	if d := s.Decide(t.Context(), p); d.Action != model.PolicyAsk || !strings.Contains(d.Reason, "disk on fire") {
		t.Errorf("it is %s: %s", d.Action, d.Reason)
	}
	if _, err := s.Add(t.Context(), model.Rule{Action: model.PolicyAllow}); err == nil {
		t.Error("a rule was added")
	}
	if err := s.Widen(t.Context(), p, model.ScopeAlways, false); err == nil {
		t.Error("an approval became a rule")
	}
	disk.fail = false
	if rules, err := s.Rules(t.Context()); err != nil || len(rules) != 1 {
		t.Errorf("%d rules, %v", len(rules), err)
	}
	if d := s.Decide(t.Context(), p); d.Action != model.PolicyDeny {
		t.Errorf("once they can be read it is %s", d.Action)
	}
}

func TestAPersonsOwnRunCostsNothingWithoutADenial(t *testing.T) {
	r := newRig(t)
	r.add(t, model.Rule{Action: model.PolicyAsk}, model.Rule{Action: model.PolicyAllow})
	p := model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: "person"}, SessionID: "chat"}
	if n := testing.AllocsPerRun(100, func() { r.Decide(context.Background(), p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
