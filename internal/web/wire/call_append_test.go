package wire_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

func call() model.Call {
	return model.Call{
		ID: "1", Server: "s", Tool: "t", Arguments: json.RawMessage(`{ "n": 7960607143101464577 }`),
		State: model.CallDone, Asker: model.Asker{Kind: "person"},
		Result: model.Result{
			Type: model.ResultJSON, Text: `{"x":1e400,"n":7960607143101464577}`,
			Structured: json.RawMessage(`{"x":1e400,"n":7960607143101464577}`),
			Content: []model.Content{
				{Kind: model.ContentText, Text: "<b>&\u2028\x01\"", Annotations: json.RawMessage(`{"priority":1.0}`)},
				{Kind: model.ContentImage, MIMEType: "image/png", Media: &model.Media{File: "a.png", URL: "/api/mcp-media/a.png", MIMEType: "image/png", Size: 3}},
				{Kind: model.ContentUnknown, Raw: json.RawMessage(`{"type":"new"}`), URI: "u", Name: "n", Problem: "p"},
			},
		},
		Progress:  &model.Progress{Progress: "0.50", Total: "1", Message: "half"},
		StartedAt: time.Date(2026, 11, 30, 1, 2, 3, 4_000_000, time.FixedZone("", 3600)),
		EndedAt:   time.Date(2026, 11, 30, 1, 2, 4, 0, time.UTC),
	}
}

func TestACallIsWrittenExactly(t *testing.T) {
	t.Parallel()
	text := wire.AppendCall(nil, call())
	if !json.Valid(text) {
		t.Fatalf("no JSON: %s", text)
	}
	for _, want := range []string{
		`"arguments":{ "n": 7960607143101464577 }`, `"result":{"x":1e400,"n":7960607143101464577}`,
		`"structured":{"x":1e400,`, `"progress":0.50`, `"priority":1.0`,
		`"started_at":"2026-11-30T00:02:03.004Z"`, `"ended_at":"2026-11-30T01:02:04.000Z"`, `<b>&`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

// Members that the shape doesn't have, or lacks, would make the document a lie.
func TestACallHasTheMembersOfItsShape(t *testing.T) {
	t.Parallel()
	c := call()
	c.Error = model.Errorf(model.CodeTimeout, "too slow")
	c.Unstored = true
	c.Waited = time.Second
	for _, big := range []bool{false, true} {
		if big {
			c.Arguments = json.RawMessage(`"` + strings.Repeat("x", wire.EventCut) + `"`)
		}
		d := json.NewDecoder(strings.NewReader(string(wire.AppendCallEvent(nil, c))))
		d.DisallowUnknownFields()
		var shape wire.Call
		if err := d.Decode(&shape); err != nil {
			t.Errorf("big %v: %v", big, err)
		}
		if shape.Cut != big {
			t.Errorf("cut: got %v, want %v", shape.Cut, big)
		}
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(wire.AppendCall(nil, c), &got); err != nil {
		t.Fatal(err)
	}
	for i := range reflect.TypeFor[wire.Call]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[wire.Call]().Field(i).Tag.Get("json"), ",")
		if _, ok := got[name]; !ok && name != "cut" {
			t.Errorf("member %s is missing", name)
		}
	}
}

func TestABlockIsWrittenAsItsShape(t *testing.T) {
	t.Parallel()
	var got wire.Call
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(wire.AppendCall(nil, call())), "1e400", "1")), &got); err != nil {
		t.Fatal(err)
	}
	if want := call().Result.Content; !reflect.DeepEqual(got.Content, want) {
		t.Errorf("content: got %+v, want %+v", got.Content, want)
	}
}

func TestAnOpenCallHasNoResult(t *testing.T) {
	t.Parallel()
	c := model.Call{ID: "1", Server: "s", Tool: "t", State: model.CallRunning}
	text := string(wire.AppendCall(nil, c))
	for _, want := range []string{`"result":null`, `"structured":null`, `"content":[]`, `"media":[]`, `"ended_at":null`, `"arguments":null`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

func TestAListLeavesResultsOutAndSaysSo(t *testing.T) {
	t.Parallel()
	text := string(wire.AppendCalls(nil, []model.Call{call(), call()}, "next"))
	if !json.Valid([]byte(text)) || strings.Contains(text, "1e400") || strings.Count(text, `"cut":true`) != 2 || !strings.HasSuffix(text, `"next":"next"}`) {
		t.Errorf("got %s", text)
	}
}

func TestNewsIsJSON(t *testing.T) {
	t.Parallel()
	item := model.Item{ID: "i", Kind: model.ItemElicitation, CallID: "c", Resolution: &model.Resolution{Action: model.ActionAccept, By: "you"}}
	for name, event := range map[string][]byte{
		"server_state": wire.ServerNews(stored(), model.Status{}), "server_removed": wire.ServerRemovedNews("s"),
		"catalogue_changed": wire.CatalogueNews("s"), "call_done": wire.CallNews("call_done", call()),
		"item_added": wire.ItemAddedNews(item), "item_resolved": wire.ItemResolvedNews(item), "settings_changed": wire.SettingsNews(),
	} {
		text := wire.Numbered(7, event)
		var head struct {
			Seq      uint64
			Type, At string
		}
		if err := json.Unmarshal(text, &head); name != "call_done" && err != nil {
			t.Errorf("%s: %v in %s", name, err, text)
		}
		if !json.Valid(text) || !strings.HasPrefix(string(text), `{"seq":7,"at":"`) || !strings.Contains(string(text), `"type":"`+name+`"`) {
			t.Errorf("%s: got %s", name, text)
		}
	}
}
