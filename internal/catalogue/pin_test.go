package catalogue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

// pinned keeps pins in memory, as a database would.
type pinned struct {
	rows map[[2]string]model.ToolPin
	// saves counts the writes; fail refuses them.
	saves int
	fail  error
}

func (p *pinned) ToolPins(context.Context) ([]model.ToolPin, error) {
	return slices.Collect(maps.Values(p.rows)), nil
}

func (p *pinned) SaveToolPins(_ context.Context, server string, keep []model.ToolPin, drop []string) error {
	p.saves++
	if p.fail != nil {
		return p.fail
	}
	if p.rows == nil {
		p.rows = map[[2]string]model.ToolPin{}
	}
	for _, tool := range drop {
		delete(p.rows, [2]string{server, tool})
	}
	for _, pin := range keep {
		p.rows[[2]string{server, pin.Tool}] = pin
	}
	return nil
}

// day is a moment as it comes back from disk.
func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

func described(text string) []json.RawMessage {
	return raws(fmt.Sprintf(`{"name":"x","description":%q,"inputSchema":{"type":"object"}}`, text))
}

func (r *rig) tool(t *testing.T, name string) model.Tool {
	t.Helper()
	tool, err := r.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func TestJudgeComparesWithWhatThePersonKnows(t *testing.T) {
	t.Parallel()
	one, two, three := json.RawMessage(`{"title":"1"}`), json.RawMessage(`{"title":"2"}`), json.RawMessage(`{"title":"3"}`)
	for _, c := range []struct {
		name    string
		known   *model.ToolPin
		now     json.RawMessage
		want    model.ToolPin
		changed bool
	}{
		{"never seen", nil, one, model.ToolPin{Definition: one, PinnedAt: day(9)}, true},
		{"the same", &model.ToolPin{Definition: one, PinnedAt: day(1)}, one, model.ToolPin{Definition: one, PinnedAt: day(1)}, false},
		{"another", &model.ToolPin{Definition: one, PinnedAt: day(1)}, two,
			model.ToolPin{Definition: one, Changed: two, ChangedAt: day(9), PinnedAt: day(1)}, true},
		{"the same change", &model.ToolPin{Definition: one, Changed: two, ChangedAt: day(2)}, two,
			model.ToolPin{Definition: one, Changed: two, ChangedAt: day(2)}, false},
		{"a further change", &model.ToolPin{Definition: one, Changed: two, ChangedAt: day(2)}, three,
			model.ToolPin{Definition: one, Changed: three, ChangedAt: day(9)}, true},
		{"back again", &model.ToolPin{Definition: one, Changed: two, ChangedAt: day(2)}, one,
			model.ToolPin{Definition: one, ChangedAt: day(9)}, true},
	} {
		if got, changed := judge(c.known, c.now, day(9)); changed != c.changed || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v, %v", c.name, got, changed, c.want, c.changed)
		}
	}
}

func TestTheOrderOfMembersIsNoChangeAndThatOfElementsIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":{"x":1,"y":[1,2]},"b":2}`, `{ "b": 2, "a": {"y":[1, 2],"x":1} }`, true},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		{`{"a":"<"}`, `{"a":"\u003c"}`, true},
		{`{"a":null}`, `{}`, false},
	} {
		if got := sameDefinition(json.RawMessage(c.a), json.RawMessage(c.b)); got != c.same {
			t.Errorf("%s and %s: same is %v", c.a, c.b, got)
		}
	}
}

func TestAChangedDefinitionIsShownUntilItIsAccepted(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	now := day(1)
	r.now = func() time.Time { return now }
	r.Replace("a", model.ListTools, described("one"))
	if x := r.tool(t, "mcp__a__x"); x.Change != nil || !x.ChangedAt.IsZero() || !x.ListedAt.Equal(now) || x.Saved {
		t.Errorf("seen first: %+v", x)
	}
	now = day(2)
	r.Replace("a", model.ListTools, described("two"))
	now = day(3)
	r.Replace("a", model.ListTools, described("two"))
	x := r.tool(t, "mcp__a__x")
	want := &model.DefinitionChange{Old: json.RawMessage(`{"description":"one","inputSchema":{"type":"object"}}`),
		New: json.RawMessage(`{"description":"two","inputSchema":{"type":"object"}}`), At: day(2)}
	if !reflect.DeepEqual(x.Change, want) || !x.ChangedAt.Equal(day(2)) {
		t.Errorf("changed: %+v, want %+v", x.Change, want)
	}
	if r.pins.saves != 2 {
		t.Errorf("%d writes, want one for each definition", r.pins.saves)
	}

	// After a restart, with the saved list.
	r = newRigWith(r.pins, "a")
	r.Restore("a", model.ListTools, described("two"), day(3))
	if x := r.tool(t, "mcp__a__x"); !reflect.DeepEqual(x.Change, want) || !x.Saved || !x.ListedAt.Equal(day(3)) {
		t.Errorf("after a restart: %+v, change %+v", x, x.Change)
	}

	if _, err := r.Accept(t.Context(), "a", "x", day(1)); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("accepting what was shown before: %v", err)
	}
	if len(r.news) > 0 {
		t.Errorf("news = %q", r.news)
	}
	x, err := r.Accept(t.Context(), "a", "x", day(2))
	if err != nil || x.Change != nil || !x.ChangedAt.Equal(day(2)) || len(r.news) != 1 {
		t.Errorf("accepted: %+v, %v; news %q", x, err, r.news)
	}
	r = newRigWith(r.pins, "a")
	r.Replace("a", model.ListTools, described("two"))
	if x := r.tool(t, "mcp__a__x"); x.Change != nil || !x.ChangedAt.Equal(day(2)) {
		t.Errorf("after another restart: %+v", x)
	}
}

func TestWhatCantBeStoredIsNotAccepted(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	r.Replace("a", model.ListTools, described("one"))
	r.Replace("a", model.ListTools, described("two"))
	r.pins.fail = errors.New("disk full")
	at := r.tool(t, "mcp__a__x").ChangedAt
	if _, err := r.Accept(t.Context(), "a", "x", at); !errors.Is(err, r.pins.fail) || r.tool(t, "mcp__a__x").Change == nil {
		t.Errorf("err = %v", err)
	}
	if _, err := r.Accept(t.Context(), "a", "nope", at); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("a tool that isn't there: %v", err)
	}
}

func TestAToolThatWasGoneIsKnownAgain(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	r.Replace("a", model.ListTools, described("one"))
	r.Replace("a", model.ListTools, nil)
	r.Replace("a", model.ListTools, described("two"))
	if r.tool(t, "mcp__a__x").Change == nil {
		t.Error("the new definition is taken for the first one")
	}
	r.Remove("a")
	r.Configure(model.Server{Name: "a", Enabled: true})
	r.Replace("a", model.ListTools, described("three"))
	if r.tool(t, "mcp__a__x").Change != nil {
		t.Error("a deleted server's tools are still known")
	}
}

func TestNewNamesDontDriveOutTheOldPins(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	now := day(1)
	r.now = func() time.Time { return now }
	r.Replace("a", model.ListTools, described("one"))
	for round := range 4 {
		now = now.Add(time.Hour)
		var junk []string
		for i := range maxTools {
			junk = append(junk, fmt.Sprintf("junk-%d-%d", round, i))
		}
		r.Replace("a", model.ListTools, named(junk...))
		if n := len(r.pins.rows); n > maxPins {
			t.Fatalf("%d pins are kept, the limit is %d", n, maxPins)
		}
	}
	r.Replace("a", model.ListTools, described("two"))
	if r.tool(t, "mcp__a__x").Change == nil {
		t.Error("the definition that was known first is forgotten")
	}
}

func TestASavedListIsNoNewsAndNeitherIsItsConfirmation(t *testing.T) {
	t.Parallel()
	r := newRig("a")
	for _, kind := range model.ListKinds() {
		if kept, _ := r.Restore("a", kind, raws(`{"name":"x","uri":"u","uriTemplate":"t"}`), day(1)); kept != 1 {
			t.Errorf("%s: kept %d", kind, kept)
		}
		r.Replace("a", kind, raws(`{"name":"x","uri":"u","uriTemplate":"t"}`))
	}
	if len(r.news) > 0 || !r.Listed("a") || r.tool(t, "mcp__a__x").Saved {
		t.Errorf("news = %q", r.news)
	}
	r.Replace("a", model.ListTools, named("y"))
	if len(r.news) != 1 {
		t.Errorf("news of a change = %q", r.news)
	}
}
