package inbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/model"
)

// asked is what came of an item.
type asked struct {
	answer model.Answer
	err    error
}

// ask asks in the background and returns the item's id.
func (d *desk) ask(ctx context.Context, item model.Item) (id string, done chan asked) {
	done = make(chan asked, 1)
	go func() {
		a, err := d.Ask(ctx, item)
		done <- asked{a, err}
	}()
	return <-d.added, done
}

func (d *desk) wait(ctx context.Context, id string) chan asked {
	done := make(chan asked, 1)
	go func() {
		a, err := d.Wait(ctx, id)
		done <- asked{a, err}
	}()
	return done
}

func TestAStopLeavesOpenWhatLasts(t *testing.T) {
	t.Parallel()
	for kind, lasts := range map[model.ItemKind]bool{
		model.ItemApproval: true, model.ItemQuestion: true, model.ItemElicitation: false, model.ItemSignIn: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk()
			ctx, stop := context.WithCancelCause(t.Context())
			id, done := d.ask(ctx, model.Item{Kind: kind, Schema: json.RawMessage(`{}`)})
			stop(model.ErrStopping)
			if got := <-done; !errors.Is(got.err, model.ErrStopping) {
				t.Errorf("%s: %+v", kind, got)
			}
			if open := d.items[id].Resolution == nil; open != lasts {
				t.Errorf("%s: open %v, want %v", kind, open, lasts)
			}
		})
	}
}

func TestALastingItemIsWaitedForAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		ctx, stop := context.WithCancelCause(t.Context())
		id, _ := d.ask(ctx, model.Item{Kind: model.ItemApproval, SessionID: "chat"})
		other, _ := d.ask(ctx, model.Item{Kind: model.ItemElicitation, Schema: json.RawMessage(`{}`)})
		stop(model.ErrStopping)
		synctest.Wait()
		d.items[other] = model.Item{ID: other, Kind: model.ItemElicitation} // left open by a kill
		d.restart()
		if err := d.Restore(t.Context()); err != nil {
			t.Fatal(err)
		}
		if open := d.Open(); len(open) != 1 || open[0].ID != id {
			t.Fatalf("open: %+v", open)
		}
		first, second := d.wait(t.Context(), id), d.wait(t.Context(), id)
		want := model.Answer{Action: model.ActionAccept, Scope: model.ScopeSession, By: "you"}
		if err := d.Resolve(t.Context(), id, want, "you"); err != nil {
			t.Fatal(err)
		}
		for _, done := range []chan asked{first, second, d.wait(t.Context(), id)} {
			if got := <-done; got.err != nil || got.answer.Action != want.Action || got.answer.Scope != want.Scope || got.answer.By != "you" {
				t.Errorf("got %+v", got)
			}
		}
		for _, gone := range []string{other, "none"} {
			if _, err := d.Wait(t.Context(), gone); model.CodeOf(err) != model.CodeNotFound || err == nil {
				t.Errorf("%s: %v", gone, err)
			}
		}
	})
}

// An answer that isn't on disk would be lost by a crash: the person is told, and asked
// on.
func TestAnAnswerToALastingItemCountsOnceItIsRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		id, done := d.ask(t.Context(), model.Item{Kind: model.ItemApproval})
		d.full = true
		if err := d.Resolve(t.Context(), id, model.Answer{Action: model.ActionAccept}, "you"); err == nil {
			t.Error("it was taken")
		}
		synctest.Wait()
		if len(d.Open()) != 1 || len(done) != 0 {
			t.Errorf("%d are open, %d answers", len(d.Open()), len(done))
		}
		d.full = false
		if err := d.Resolve(t.Context(), id, model.Answer{Action: model.ActionDecline, Note: " no "}, "you"); err != nil {
			t.Error(err)
		}
		if got := <-done; got.answer.Action != model.ActionDecline || got.answer.Note != "no" {
			t.Errorf("got %+v", got)
		}
	})
}

func TestWhoAsksMayLeaveALastingItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		ctx, leave := context.WithCancelCause(t.Context())
		id, done := d.ask(ctx, model.Item{Kind: model.ItemApproval})
		d.full = true // its end counts even where it can't be recorded
		leave(errors.New("stopped"))
		if got := <-done; got.err == nil || got.err.Error() != "stopped" {
			t.Errorf("got %+v", got)
		}
		if len(d.Open()) != 0 {
			t.Errorf("%s is open", id)
		}
	})
}

func TestWhichAnswersFitWhichItem(t *testing.T) {
	t.Parallel()
	approval := model.Item{Kind: model.ItemApproval, Tool: "run", SessionID: "chat", Approval: &model.Approval{Arguments: json.RawMessage(`{}`)}}
	change := func(f func(*model.Item)) model.Item {
		item := approval
		item.Approval = new(*approval.Approval)
		f(&item)
		return item
	}
	once := change(func(i *model.Item) { i.Approval.OnceOnly = true })
	outside := change(func(i *model.Item) { i.SessionID = "" })
	star := change(func(i *model.Item) { i.Tool = "*" })
	huge := change(func(i *model.Item) {
		i.Approval.Arguments = json.RawMessage(`{"a":"` + strings.Repeat("x", 40<<10) + `"}`)
	})
	question := model.Item{Kind: model.ItemQuestion}
	accept := func(scope model.ApprovalScope) model.Answer {
		return model.Answer{Action: model.ActionAccept, Scope: scope}
	}
	exactly := model.Answer{Action: model.ActionAccept, Scope: model.ScopeAlways, ForArguments: true}
	for name, tc := range map[string]struct {
		item   model.Item
		answer model.Answer
		want   model.Code
	}{
		"once":                      {approval, accept(""), ""},
		"this chat":                 {approval, accept(model.ScopeSession), ""},
		"always":                    {approval, accept(model.ScopeAlways), ""},
		"always, these arguments":   {approval, exactly, ""},
		"a scope that is none":      {approval, accept("week"), model.CodeInvalid},
		"cancel":                    {approval, model.Answer{Action: model.ActionCancel}, model.CodeInvalid},
		"no action":                 {approval, model.Answer{}, model.CodeInvalid},
		"a long note":               {approval, model.Answer{Action: model.ActionDecline, Note: strings.Repeat("x", 20<<10)}, model.CodeTooLarge},
		"once only, once":           {once, accept(model.ScopeOnce), ""},
		"once only, this chat":      {once, accept(model.ScopeSession), model.CodeInvalid},
		"once only, always":         {once, accept(model.ScopeAlways), model.CodeInvalid},
		"no chat, this chat":        {outside, accept(model.ScopeSession), model.CodeInvalid},
		"no chat, always":           {outside, accept(model.ScopeAlways), ""},
		"a tool named *, always":    {star, accept(model.ScopeAlways), model.CodeInvalid},
		"a tool named *, this chat": {star, accept(model.ScopeSession), ""},
		"huge arguments, always":    {huge, accept(model.ScopeAlways), ""},
		"huge arguments, for them":  {huge, exactly, model.CodeInvalid},
		"an answer":                 {question, model.Answer{Action: model.ActionAccept, Text: "x"}, ""},
		"no answer":                 {question, accept(""), model.CodeInvalid},
		"a long answer":             {question, model.Answer{Action: model.ActionAccept, Text: strings.Repeat("x", 70<<10)}, model.CodeTooLarge},
		"a decline":                 {question, model.Answer{Action: model.ActionDecline}, ""},
		"cancel a question":         {question, model.Answer{Action: model.ActionCancel}, model.CodeInvalid},
		"whatever reads news":       {model.Item{Kind: model.ItemNotification}, model.Answer{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk()
			item, err := d.Post(t.Context(), tc.item)
			if err != nil {
				t.Fatal(err)
			}
			err = d.Resolve(t.Context(), item.ID, tc.answer, "you")
			if (err == nil) != (tc.want == "") || err != nil && model.CodeOf(err) != tc.want {
				t.Errorf("%v, want %q", err, tc.want)
			}
			if open := len(d.Open()) == 1; open != (tc.want != "") {
				t.Errorf("open: %v", open)
			}
		})
	}
}

func TestTooLateIsSaidInTheWordsOfItsKind(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		kind model.ItemKind
		with model.Answer
		want string
	}{
		{model.ItemApproval, model.Answer{Action: model.ActionAccept}, "this was already approved by you"},
		{model.ItemApproval, model.Answer{Action: model.ActionDecline}, "this was already rejected by you"},
		{model.ItemQuestion, model.Answer{Action: model.ActionAccept, Text: "x"}, "this was already answered by you"},
		{model.ItemNotification, model.Answer{}, "this was already dismissed by you"},
	} {
		d := newDesk()
		item, _ := d.Post(t.Context(), model.Item{Kind: tc.kind})
		_ = d.Resolve(t.Context(), item.ID, tc.with, "you")
		err := d.Resolve(t.Context(), item.ID, tc.with, "you")
		var gone *inbox.GoneError
		if !errors.As(err, &gone) || err.Error() != tc.want {
			t.Errorf("%s: %v, want %q", tc.kind, err, tc.want)
		}
	}
}
