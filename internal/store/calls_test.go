package store_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

var start = time.Date(2026, 11, 30, 5, 44, 12, 345e6, time.UTC)

func newCall() model.Call {
	return model.Call{ID: uuid.Must(uuid.NewV7()).String(), Server: "demo", Tool: "echo",
		Arguments: json.RawMessage(`{"n":9007199254740993}`), State: model.CallRunning,
		Asker: model.Asker{Kind: "person", Label: "you"}, SessionID: "s1", StartedAt: start}
}

func insert(t *testing.T, s *store.Store, calls ...model.Call) {
	t.Helper()
	for _, c := range calls {
		if err := s.InsertCall(t.Context(), c); err != nil {
			t.Fatalf("InsertCall: %v", err)
		}
	}
}

func wantCode(t *testing.T, err error, want model.Code) {
	t.Helper()
	if err == nil || model.CodeOf(err) != want {
		t.Errorf("error %v with code %q, want code %q", err, model.CodeOf(err), want)
	}
}

func TestCallComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	exact := json.RawMessage(`{ "big": 12345678901234567890123, "huge":1e400, "neg":-0.0, "text":"\u00fc<&>" }`)
	media := model.Media{File: "ab.png", URL: "/api/mcp-media/ab.png", MIMEType: "image/png", Size: 412}
	tests := map[string]func(*model.Call){
		"JSON": func(c *model.Call) {
			c.Result = model.Result{Type: model.ResultJSON, Text: string(exact), Structured: exact}
		},
		"text":       func(c *model.Call) { c.Result = model.Result{Type: model.ResultString, Text: "a\x00b ü🔑\n"} },
		"empty text": func(c *model.Call) { c.Result = model.Result{Type: model.ResultString} },
		"text that equals the structured content": func(c *model.Call) {
			c.Result = model.Result{Type: model.ResultString, Text: "7", Structured: json.RawMessage("7")}
		},
		"blocks": func(c *model.Call) {
			c.Result = model.Result{Type: model.ResultString, Text: "x", IsError: true, Content: []model.Content{
				{Kind: model.ContentText, Text: "<b>&\u2028", Annotations: json.RawMessage(`{"priority":0.30}`)},
				{Kind: model.ContentImage, Media: &media},
				{Kind: model.ContentUnknown, Raw: json.RawMessage(`{"n":1e400,"s":"<&>"}`)}}}
		},
		"a block that is the whole text": func(c *model.Call) {
			c.Result = model.Result{Type: model.ResultString, Text: "all of it", Content: []model.Content{
				{Kind: model.ContentText, Text: "all of it"}, {Kind: model.ContentText}}}
		},
		"progress": func(c *model.Call) { c.Progress = &model.Progress{Progress: "0.10", Total: "9007199254740993"} },
		"error": func(c *model.Call) {
			c.State = model.CallFailed
			c.Error = &model.Error{Code: model.CodeTimeout, Message: "No sign of life for 120 s."}
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			want := newCall()
			insert(t, s, want)
			got, err := s.Call(t.Context(), want.ID)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("open call:\n got %+v, %v\nwant %+v", got, err, want)
			}
			want.State, want.EndedAt, want.Waited = model.CallDone, start.Add(1500*time.Millisecond), time.Second
			change(&want)
			if err := s.FinishCall(t.Context(), want); err != nil {
				t.Fatalf("FinishCall: %v", err)
			}
			got, err = s.Call(t.Context(), want.ID)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("ended call:\n got %+v, %v\nwant %+v", got, err, want)
			}
		})
	}
}

func TestTheFirstEndOfACallStays(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	insert(t, s, call)
	call.State = model.CallCancelled
	if err := s.FinishCall(t.Context(), call); err != nil {
		t.Fatalf("FinishCall: %v", err)
	}
	call.State = model.CallDone
	wantCode(t, s.FinishCall(t.Context(), call), model.CodeConflict)
	if got, _ := s.Call(t.Context(), call.ID); got.State != model.CallCancelled {
		t.Errorf("state %q, want %q", got.State, model.CallCancelled)
	}
	call.ID = "nobody"
	wantCode(t, s.FinishCall(t.Context(), call), model.CodeNotFound)
}

func TestACallIsInsertedOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	insert(t, s, call)
	wantCode(t, s.InsertCall(t.Context(), call), model.CodeConflict)
}

func TestPagesNeitherMissNorRepeatACall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var want []string
	for i := range 23 {
		call := newCall()
		if i%2 == 1 {
			call.Server = "other"
		}
		insert(t, s, call)
		want = append([]string{call.ID}, want...)
	}
	var got []string
	filter := store.CallFilter{Limit: 5}
	for {
		page, next, err := s.ListCalls(t.Context(), filter)
		if err != nil {
			t.Fatalf("ListCalls: %v", err)
		}
		for _, c := range page {
			got = append(got, c.ID)
		}
		if next == "" {
			break
		}
		filter.Cursor = next
		insert(t, s, newCall()) // one that comes in meanwhile moves nothing
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("pages hold\n%v, want\n%v", got, want)
	}
}

func TestFiltersChooseCalls(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	a, b := newCall(), newCall()
	b.Server, b.Tool, b.State, b.SessionID = "other", "sum", model.CallDone, "s2"
	insert(t, s, a, b)
	b.Result.IsError = true
	if err := s.FinishCall(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		filter store.CallFilter
		want   []string
	}{
		"all, newest first": {store.CallFilter{}, []string{b.ID, a.ID}},
		"server":            {store.CallFilter{Server: "demo"}, []string{a.ID}},
		"tool":              {store.CallFilter{Tool: "sum"}, []string{b.ID}},
		"state":             {store.CallFilter{State: model.CallRunning}, []string{a.ID}},
		"the tool's error":  {store.CallFilter{IsError: new(true)}, []string{b.ID}},
		"no tool's error":   {store.CallFilter{IsError: new(false)}, []string{a.ID}},
		"session":           {store.CallFilter{SessionID: "s2"}, []string{b.ID}},
		"two at once":       {store.CallFilter{SessionID: "s2", Server: "demo"}, nil},
		"brief":             {store.CallFilter{Brief: true}, []string{b.ID, a.ID}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			calls, next, err := s.ListCalls(t.Context(), test.filter)
			var got []string
			for _, c := range calls {
				got = append(got, c.ID)
			}
			if err != nil || next != "" || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, %q, %v, want %v", got, next, err, test.want)
			}
		})
	}
}

func TestABriefListLeavesBodiesOut(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	call := newCall()
	insert(t, s, call)
	call.State = model.CallDone
	call.Result = model.Result{Type: model.ResultJSON, Text: "[1]", Structured: json.RawMessage("[1]"),
		Content: []model.Content{{Kind: model.ContentText, Text: "1"}}, IsError: true}
	if err := s.FinishCall(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	calls, _, err := s.ListCalls(t.Context(), store.CallFilter{Brief: true})
	want := model.Result{Type: model.ResultJSON, IsError: true}
	if err != nil || len(calls) != 1 || !reflect.DeepEqual(calls[0].Result, want) {
		t.Errorf("got %+v, %v, want result %+v", calls, err, want)
	}
}

func TestAStrangeCursorIsRefused(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, cursor := range []string{"!", "bm9uc2Vuc2U", "MTo"} {
		_, _, err := s.ListCalls(t.Context(), store.CallFilter{Cursor: cursor})
		wantCode(t, err, model.CodeInvalid)
	}
}
