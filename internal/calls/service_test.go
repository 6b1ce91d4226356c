package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestRunCommitsTheRowBeforeItSends(t *testing.T) {
	t.Parallel()
	var r *rig
	var before model.Call
	var sent client.ToolCall
	r = newRig(t, answering(func(_ context.Context, call client.ToolCall) (json.RawMessage, error) {
		sent = call
		before, _ = r.store.Call(context.Background(), call.CallID)
		return json.RawMessage(text), nil
	}))
	got, err := r.Run(context.Background(), Request{Name: "mcp__s__run", Arguments: json.RawMessage(` {"n":1.0} `), SessionID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if before.State != model.CallRunning {
		t.Errorf("row while sending = %q, want running", before.State)
	}
	if sent.Name != "run" || string(sent.Arguments) != `{"n":1.0}` {
		t.Errorf("sent %s %s", sent.Name, sent.Arguments)
	}
	after, _ := r.store.Call(context.Background(), got.ID)
	for _, c := range []model.Call{got, after} {
		if c.State != model.CallDone || c.Result.Text != "hi" || c.SessionID != "x" || c.EndedAt.IsZero() {
			t.Errorf("call = %+v", c)
		}
	}
	if got, want := states(r.told()), []string{"started running", "ended done"}; !slices.Equal(got, want) {
		t.Errorf("news = %q, want %q", got, want)
	}
}

func TestRunRefusesWithoutARow(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("hunter2", 3)
	cases := map[string]struct {
		request Request
		want    model.Code
	}{
		"unknown tool":           {Request{Name: "mcp__s__nope"}, model.CodeNotFound},
		"unknown server":         {Request{Server: "x", Tool: "run"}, model.CodeNotFound},
		"no tool's name":         {Request{Name: "run"}, model.CodeNotFound},
		"arguments are a list":   {Request{Name: "mcp__s__run", Arguments: json.RawMessage(`["` + secret + `"]`)}, model.CodeInvalid},
		"arguments are null":     {Request{Name: "mcp__s__run", Arguments: json.RawMessage(`null`)}, model.CodeInvalid},
		"arguments aren't JSON":  {Request{Name: "mcp__s__run", Arguments: json.RawMessage(`{"` + secret)}, model.CodeInvalid},
		"arguments are too long": {Request{Name: "mcp__s__run", Arguments: json.RawMessage(`{"a":"` + strings.Repeat("x", maxArguments) + `"}`)}, model.CodeTooLarge},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, answering(untilCancelled))
			_, err := r.Run(context.Background(), tc.request)
			if model.CodeOf(err) != tc.want || err == nil {
				t.Errorf("err = %v, want %s", err, tc.want)
			}
			if strings.Contains(fmt.Sprint(err), secret) {
				t.Errorf("the error repeats the arguments: %v", err)
			}
			if len(r.store.rows) > 0 {
				t.Error("there is a row")
			}
		})
	}
}

func TestRunSendsNothingWithoutARow(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(context.Context, string) (Conn, error) {
		t.Error("connected without a row")
		return nil, errors.New("no")
	})
	r.store.insert = func(model.Call) error { return errors.New("disk full") }
	if _, err := r.Run(context.Background(), runTool); model.CodeOf(err) != model.CodeStorage {
		t.Errorf("err = %v, want storage", err)
	}
}

func TestCancelReachesTheServer(t *testing.T) {
	t.Parallel()
	reached := make(chan error, 1)
	r := newRig(t, answering(func(ctx context.Context, call client.ToolCall) (json.RawMessage, error) {
		raw, err := untilCancelled(ctx, call)
		reached <- err
		return raw, err
	}))
	call, err := r.Start(context.Background(), runTool)
	if err != nil || call.State != model.CallRunning {
		t.Fatalf("started %s, %v", call.State, err)
	}
	got, err := r.Cancel(context.Background(), call.ID, "you")
	if err != nil || got.State != model.CallCancelled || got.Error.Message != "cancelled by you" {
		t.Errorf("got %s, %+v, %v", got.State, got.Error, err)
	}
	if err := <-reached; model.CodeOf(err) != model.CodeCancelled {
		t.Errorf("the server saw %v", err)
	}
	again, err := r.Cancel(context.Background(), call.ID, "someone else")
	if err != nil || again.Error.Message != "cancelled by you" {
		t.Errorf("a second cancel: %+v, %v", again.Error, err)
	}
}

func TestRunEndsWithItsAsker(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(context.Background())
	r := newRig(t, answering(func(running context.Context, call client.ToolCall) (json.RawMessage, error) {
		leave()
		return untilCancelled(running, call)
	}))
	if got, err := r.Run(ctx, runTool); err != nil || got.State != model.CallCancelled {
		t.Errorf("got %s, %v", got.State, err)
	}
}

func TestWaitReturnsTheCallAsItIsWhenTheWaitIsOver(t *testing.T) {
	t.Parallel()
	r := newRig(t, answering(untilCancelled))
	call, err := r.Start(context.Background(), runTool)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := r.Wait(ctx, call.ID); err != nil || got.State != model.CallRunning {
		t.Errorf("got %s, %v", got.State, err)
	}
	if _, err := r.Wait(ctx, "nope"); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("err = %v", err)
	}
}

func TestEndIsRecordedOnceTheDiskTakesIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, answering(func(context.Context, client.ToolCall) (json.RawMessage, error) { return json.RawMessage(text), nil }))
		full := 3
		r.store.finish = func(model.Call) error {
			if full--; full >= 0 {
				return errors.New("disk full")
			}
			return nil
		}
		call, err := r.Run(context.Background(), runTool)
		if err != nil || call.State != model.CallDone || !call.Unstored {
			t.Fatalf("got %s, unstored %v, %v", call.State, call.Unstored, err)
		}
		for _, when := range []string{"at first", "later"} {
			if got, err := r.Get(context.Background(), call.ID); err != nil || got.State != model.CallDone || got.Result.Text != "hi" {
				t.Errorf("%s: got %s, %v", when, got.State, err)
			}
			time.Sleep(time.Minute)
		}
		if row, _ := r.store.Call(context.Background(), call.ID); row.State != model.CallDone || row.Unstored {
			t.Errorf("row = %s, unstored %v", row.State, row.Unstored)
		}
	})
}

func TestListKnowsTheOpenStates(t *testing.T) {
	t.Parallel()
	r := newRig(t, answering(untilCancelled))
	var ids []string
	for range 2 {
		c, err := r.Start(context.Background(), runTool)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	_, _, end := r.o.Open.Begin(context.Background(), ids[:1])
	defer end()
	list := func(f Filter) string {
		items, _, err := r.List(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range items {
			out = append(out, fmt.Sprint(slices.Index(ids, c.ID), c.State))
		}
		return strings.Join(out, " ")
	}
	for want, f := range map[string]Filter{
		"1running 0waiting_input": {Server: "s"},
		"0waiting_input":          {State: model.CallWaitingInput},
		"1running":                {State: model.CallRunning},
		"":                        {State: model.CallDone},
	} {
		if got := list(f); got != want {
			t.Errorf("%+v: got %q, want %q", f, got, want)
		}
	}
}

func TestCloseCancelsAndRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t, answering(untilCancelled))
	call, err := r.Start(context.Background(), runTool)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	row, _ := r.store.Call(context.Background(), call.ID)
	if row.State != model.CallCancelled || row.Error.Message != "cancelled because Kontor was stopped" {
		t.Errorf("row = %s, %+v", row.State, row.Error)
	}
	if _, err := r.Start(context.Background(), runTool); model.CodeOf(err) != model.CodeServerUnavailable {
		t.Errorf("a call after the end: %v", err)
	}
}
